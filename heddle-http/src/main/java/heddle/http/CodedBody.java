package heddle.http;

import heddle.http.io.EncodedOutput;
import heddle.http.io.EncodingInput;
import heddle.http.io.EncodingInput.Encoding;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** A body that is encoded while it is sent. */
final class CodedBody extends Body {
  private final Body content;
  private final Encoding encoding;

  CodedBody(Body content, Encoding encoding) {
    this.content = content;
    this.encoding = encoding;
  }

  /**
   * The request with its content encoded and a Content-Encoding field; unchanged if it has no
   * content.
   *
   * @throws IllegalArgumentException if it has a content coding already
   */
  static Request request(Request request, String coding, Encoding encoding) {
    if (request.body().length() == 0) {
      return request;
    }
    Headers headers = request.headers();
    if (headers.contains(HeaderName.CONTENT_ENCODING)) {
      throw new IllegalArgumentException("the request's content is coded already, as "
          + headers.all(HeaderName.CONTENT_ENCODING)
          + ": compress the content before other codings, or not at all");
    }
    Headers coded = headers.toBuilder()
        .remove(HeaderName.CONTENT_LENGTH)
        .add(HeaderName.CONTENT_ENCODING, coding)
        .build();
    return request.toBuilder()
        .headers(coded)
        .body(new CodedBody(request.body(), encoding))
        .build();
  }

  /** {@link #UNKNOWN}: the encoded length is known only after encoding. */
  @Override
  public long length() {
    return UNKNOWN;
  }

  @Override
  public boolean isReplayable() {
    return content.isReplayable();
  }

  /** As the content; then what was read of that is encoded and sent at once. */
  @Override
  public boolean isDuplex() {
    return content.isDuplex();
  }

  /** What is in memory, or written by code, is encoded by the thread that sends it. */
  @Override
  public boolean isWritten() {
    return content.isWritten() || content.inMemory() != null;
  }

  @Override
  protected long write(OutputStream out) throws IOException {
    CountingOutput counting = new CountingOutput(out);
    EncodedOutput encoded = new EncodedOutput(counting, encoding);
    boolean whole = false;
    try {
      content.transferTo(encoded);
      encoded.finish();
      whole = true;
    } finally {
      if (!whole) {
        encoded.discard();
      }
    }
    return counting.count();
  }

  @Override
  public @Nullable MediaType mediaType() {
    return content.mediaType();
  }

  /** The content has to have its length, which nothing else checks: this body has another. */
  @Override
  public InputStream stream() throws IOException {
    InputStream in = content.stream();
    long length = content.length();
    InputStream measured = length == UNKNOWN ? in : new MeasuredInput(in, length);
    return new EncodingInput(measured, encoding, content.isDuplex());
  }

  @Override
  public void close() throws IOException {
    content.close();
  }
}
