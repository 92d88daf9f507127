package heddle.connection;

import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.MediaType;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The content of a message that had arrived completely when it was handed over. Immutable. */
public final class CompleteBody extends Body {
  private final byte[] content;
  private final Headers headers;

  /** Does not copy {@code content}, which the caller must not use afterwards. */
  public CompleteBody(byte[] content, Headers headers) {
    this.content = content;
    this.headers = headers;
  }

  @Override
  public long length() {
    return content.length;
  }

  @Override
  public boolean isReplayable() {
    return true;
  }

  @Override
  public @Nullable MediaType mediaType() {
    return ContentFields.mediaType(headers);
  }

  @Override
  public InputStream stream() {
    return new ByteArrayInputStream(content);
  }

  @Override
  public ByteBuffer inMemory() {
    return ByteBuffer.wrap(content).asReadOnlyBuffer();
  }

  @Override
  public long discard() {
    return content.length;
  }
}
