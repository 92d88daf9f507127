package heddle.har;

import heddle.http.Body;
import heddle.http.MediaType;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** A body whose content is noted while it is read. As safe for use by several threads as that. */
final class RecordedBody extends Body {
  private static final System.Logger LOG = System.getLogger("heddle.har");

  private final Body content;
  private final Capture capture;
  private final Listener listener;

  /** How a content ended. */
  enum End {
    /** It was read to its end. */
    READ,
    /** It was closed before. */
    CLOSED,
    /** It was thrown away where it arrived. */
    DISCARDED,
    /** Reading it has failed. */
    FAILED
  }

  /** Learns of the end of a content; more than once if it is opened or closed repeatedly. */
  @FunctionalInterface
  interface Listener {
    void ended(End how, @Nullable Throwable failure);
  }

  RecordedBody(Body content, Capture capture, Listener listener) {
    this.content = content;
    this.capture = capture;
    this.listener = listener;
  }

  /** What was read since the content was last opened. */
  Capture capture() {
    return capture;
  }

  /** What the listener throws has no effect on the caller, who reads the content. */
  private void tell(End how, @Nullable Throwable failure) {
    try {
      listener.ended(how, failure);
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "a content could not be recorded", e);
    }
  }

  @Override
  public long length() {
    return content.length();
  }

  @Override
  public boolean isReplayable() {
    return content.isReplayable();
  }

  @Override
  public boolean isDuplex() {
    return content.isDuplex();
  }

  @Override
  public @Nullable MediaType mediaType() {
    return content.mediaType();
  }

  @Override
  public InputStream stream() throws IOException {
    InputStream opened = content.stream();
    capture.restart();
    return new RecordedInput(opened);
  }

  @Override
  public long discard() throws IOException {
    long length;
    try {
      length = content.discard();
    } catch (IOException | RuntimeException | Error e) {
      tell(End.FAILED, e);
      throw e;
    }
    tell(End.DISCARDED, null);
    return length;
  }

  @Override
  public void close() throws IOException {
    try {
      content.close();
    } finally {
      tell(End.CLOSED, null);
    }
  }

  /** Keeps its body reachable: if that is garbage, no more of the content is read. */
  private final class RecordedInput extends InputStream {
    private final InputStream in;

    RecordedInput(InputStream in) {
      this.in = in;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int count;
      try {
        count = in.read(target, offset, length);
      } catch (IOException | RuntimeException | Error e) {
        tell(End.FAILED, e);
        throw e;
      }
      if (count < 0) {
        tell(End.READ, null);
      } else {
        capture.add(target, offset, count);
      }
      return count;
    }

    @Override
    public int available() throws IOException {
      return in.available();
    }

    @Override
    public void close() throws IOException {
      try {
        in.close();
      } finally {
        tell(End.CLOSED, null);
      }
    }
  }
}
