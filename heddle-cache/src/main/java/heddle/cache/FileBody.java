package heddle.cache;

import heddle.http.Body;
import heddle.http.MediaType;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Content of a file that is open; read once. */
final class FileBody extends Body {
  private final InputStream file;
  private final long length;
  private final @Nullable MediaType mediaType;
  private final AtomicBoolean opened = new AtomicBoolean();

  FileBody(InputStream file, long length, @Nullable MediaType mediaType) {
    this.file = file;
    this.length = length;
    this.mediaType = mediaType;
  }

  @Override
  public long length() {
    return length;
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
    if (opened.getAndSet(true)) {
      throw new IllegalStateException("the body of this response can be read once, and was");
    }
    return file;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
