package heddle.web.form;

import heddle.http.Body;
import heddle.http.MediaType;
import java.io.IOException;
import java.io.InputStream;

/** Content whose length is not known, such as that of a chunked request. */
final class UnannouncedBody extends Body {
  private final InputStream content;
  private final MediaType mediaType;

  /** What the reader has said that it holds in memory. */
  int reserved;

  UnannouncedBody(InputStream content, MediaType mediaType) {
    this.content = content;
    this.mediaType = mediaType;
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
  public InputStream stream() {
    return content;
  }

  @Override
  public void reserve(int bytes) {
    reserved = bytes;
  }

  @Override
  public MediaType mediaType() {
    return mediaType;
  }

  @Override
  public void close() throws IOException {
    content.close();
  }
}
