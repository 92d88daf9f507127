package heddle.http;

import heddle.http.io.ContentPipe;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Content that a {@link Body.Writer} writes, once. */
final class WrittenBody extends Body {
  private final Writer writer;
  private final @Nullable MediaType mediaType;
  private final AtomicBoolean used = new AtomicBoolean();

  WrittenBody(Writer writer, @Nullable MediaType mediaType) {
    this.writer = writer;
    this.mediaType = mediaType;
  }

  /** Runs the writer on the calling thread; returns how much it has written. */
  @Override
  protected long write(OutputStream out) throws IOException {
    use();
    CountingOutput counted = new CountingOutput(out);
    writer.writeTo(counted);
    return counted.count();
  }

  private void use() {
    if (used.getAndSet(true)) {
      throw new IllegalStateException("this body can be written only once, and was");
    }
  }

  @Override
  public boolean isWritten() {
    return true;
  }

  @Override
  public long length() {
    return UNKNOWN;
  }

  @Override
  public boolean isReplayable() {
    return false;
  }

  @Override
  public @Nullable MediaType mediaType() {
    return mediaType;
  }

  @Override
  public InputStream stream() {
    use();
    ContentPipe pipe = new ContentPipe();
    pipe.fillWith(writer::writeTo, "heddle-content");
    return pipe.input();
  }
}
