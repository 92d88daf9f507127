package heddle.web.filter;

import heddle.http.Body;
import heddle.http.MediaType;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Content of unknown length, of which everything that was read is compressed and sent at once, as
 * without compression: it may be a stream of events.
 */
final class PromptContent extends Body {
  private final Body content;

  private PromptContent(Body content) {
    this.content = content;
  }

  /** This content to be compressed; one that has a length, or is written, as it is. */
  static Body of(Body content) {
    return content.length() == UNKNOWN && !content.isWritten()
        ? new PromptContent(content)
        : content;
  }

  @Override
  public long length() {
    return UNKNOWN;
  }

  @Override
  public boolean isReplayable() {
    return content.isReplayable();
  }

  @Override
  public boolean isDuplex() {
    return true;
  }

  @Override
  public @Nullable MediaType mediaType() {
    return content.mediaType();
  }

  @Override
  public InputStream stream() throws IOException {
    return content.stream();
  }

  @Override
  public void close() throws IOException {
    content.close();
  }
}
