package heddle.web.filter;

import heddle.http.Body;
import heddle.http.ContentCoding;
import heddle.http.MediaType;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** The compressed content of one response, whose server closes the body, not its stream. */
final class CompressedContent extends Body {
  private final Body coded;
  private @Nullable InputStream opened;

  CompressedContent(Body content, ContentCoding coding) {
    this.coded = coding.compress(UncodedContent.of(content));
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
  public boolean isWritten() {
    return coded.isWritten();
  }

  @Override
  public @Nullable MediaType mediaType() {
    return coded.mediaType();
  }

  @Override
  protected long write(OutputStream out) throws IOException {
    return coded.transferTo(out);
  }

  @Override
  public InputStream stream() throws IOException {
    if (opened != null) {
      throw new IllegalStateException("the content of a response can be opened only once");
    }
    InputStream in = coded.stream();
    opened = in;
    return in;
  }

  @Override
  public void close() throws IOException {
    try (coded) {
      if (opened != null) {
        opened.close();
      }
    }
  }
}
