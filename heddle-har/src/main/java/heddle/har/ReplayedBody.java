package heddle.har;

import heddle.http.Body;
import heddle.http.HttpException;
import heddle.http.MediaType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import org.jspecify.annotations.Nullable;

/** The content of a recorded response that was not recorded completely. */
final class ReplayedBody extends Body {
  private final byte[] beginning;
  private final @Nullable MediaType mediaType;
  private final String failure;
  private final boolean arrived;

  /**
   * A content.
   *
   * @param beginning what can be read of it
   * @param failure what reading fails with after that
   * @param arrived whether it was complete when it was recorded, so that it can be discarded
   */
  ReplayedBody(byte[] beginning, @Nullable MediaType mediaType, String failure, boolean arrived) {
    this.beginning = beginning;
    this.mediaType = mediaType;
    this.failure = failure;
    this.arrived = arrived;
  }

  @Override
  public long length() {
    return UNKNOWN;
  }

  @Override
  public boolean isReplayable() {
    return true;
  }

  @Override
  public @Nullable MediaType mediaType() {
    return mediaType;
  }

  @Override
  public InputStream stream() {
    return new SequenceInputStream(new ByteArrayInputStream(beginning), new InputStream() {
      @Override
      public int read() throws HttpException {
        throw new HttpException(failure, null, null);
      }

      @Override
      public int read(byte[] target, int offset, int length) throws HttpException {
        throw new HttpException(failure, null, null);
      }
    });
  }

  @Override
  public long discard() throws IOException {
    return arrived ? 0 : super.discard();
  }
}
