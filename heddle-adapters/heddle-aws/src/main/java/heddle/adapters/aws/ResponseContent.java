package heddle.adapters.aws;

import heddle.adapters.support.CallScope;
import heddle.http.Response;
import java.io.FilterInputStream;
import java.io.IOException;

/** The content of a response, with failures translated to those that the SDK expects. */
final class ResponseContent extends FilterInputStream {
  private final Response response;
  private final CallScope<IOException> scope;

  ResponseContent(Response response, CallScope<IOException> scope) throws IOException {
    super(response.body().stream());
    this.response = response;
    this.scope = scope;
  }

  @Override
  public int read() throws IOException {
    try {
      return in.read();
    } catch (IOException e) {
      throw explained(e);
    }
  }

  @Override
  public int read(byte[] target, int offset, int count) throws IOException {
    try {
      return in.read(target, offset, count);
    } catch (IOException e) {
      throw explained(e);
    }
  }

  /** If the call was ended, returns its reason instead. */
  private IOException explained(IOException failure) {
    IOException ended = scope.reason();
    return ended == null ? Explained.of(failure) : ended;
  }

  /** Discards unread content, and closes the connection unless all content has arrived. */
  @Override
  public void close() throws IOException {
    response.close();
  }
}
