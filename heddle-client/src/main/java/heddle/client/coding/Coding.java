package heddle.client.coding;

import heddle.http.ContentCoding;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** The codings of all clients. */
final class Coding {
  /** RFC 1952. */
  static final ContentCoding GZIP = new Inflated("gzip", () -> new GzipDecoder(Inflater::new));

  /** RFC 1950, or RFC 1951 without a wrapper. */
  static final ContentCoding DEFLATE =
      new Inflated("deflate", () -> new DeflateDecoder(Inflater::new));

  private Coding() {}

  /** Makes inflaters, which the caller ends; tests replace it to count them. */
  @FunctionalInterface
  interface Inflaters {
    /** Makes one, for deflated data (RFC 1951) without a wrapper if it is raw. */
    Inflater make(boolean raw);
  }

  private record Inflated(String name, Supplier<Decoder> decoders) implements ContentCoding {
    @Override
    public Decoder decoder() {
      return decoders.get();
    }
  }

  /**
   * Inflates until the source is empty, the target is full, or the deflated data is at its end.
   *
   * @return whether it is at its end
   */
  static boolean inflate(Inflater inflater, ByteBuffer source, ByteBuffer target)
      throws DataFormatException {
    inflater.setInput(source);
    while (target.hasRemaining() && inflater.inflate(target) > 0) {
      // Until there is nothing more to put.
    }
    if (inflater.needsDictionary()) {
      throw new DataFormatException("it needs a preset dictionary, which HTTP does not support");
    }
    return inflater.finished();
  }
}
