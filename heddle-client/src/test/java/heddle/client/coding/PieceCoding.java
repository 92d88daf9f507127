package heddle.client.coding;

import heddle.http.ContentCoding;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.DataFormatException;

/** A coding as a module could have it: pieces with their length before them, at the end a zero. */
final class PieceCoding implements ContentCoding {
  private static final int LONGEST = 100;

  final AtomicInteger made = new AtomicInteger();
  final AtomicInteger alive = new AtomicInteger();

  static byte[] coded(byte[] content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int at = 0; at < content.length; at += LONGEST) {
      int length = Math.min(LONGEST, content.length - at);
      out.write(length);
      out.write(content, at, length);
    }
    out.write(0);
    return out.toByteArray();
  }

  @Override
  public String name() {
    return "pieces";
  }

  @Override
  public OutputStream encoder(OutputStream target) {
    return new FilterOutputStream(target) {
      @Override
      public void write(byte[] octets, int offset, int length) throws IOException {
        for (int at = 0; at < length; at += LONGEST) {
          int count = Math.min(LONGEST, length - at);
          out.write(count);
          out.write(octets, offset + at, count);
        }
      }

      @Override
      public void close() throws IOException {
        out.write(0);
        super.close();
      }
    };
  }

  @Override
  public Decoder decoder() {
    made.incrementAndGet();
    alive.incrementAndGet();
    return new Decoder() {
      private int left;
      private boolean ended;

      @Override
      public boolean decode(ByteBuffer source, ByteBuffer target) throws DataFormatException {
        while (source.hasRemaining() && target.hasRemaining()) {
          if (ended) {
            throw new DataFormatException("other data follows its end");
          }
          if (left > 0) {
            target.put(source.get());
            left--;
          } else {
            left = source.get();
            ended = left == 0;
            if (left > LONGEST || left < 0) {
              throw new DataFormatException("a piece is too long");
            }
          }
        }
        return ended;
      }

      @Override
      public void close() {
        alive.decrementAndGet();
      }
    };
  }
}
