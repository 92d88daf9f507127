package heddle.adapters.aws;

import heddle.http.Response;
import java.io.FilterInputStream;
import java.io.IOException;

/** The content of a response, whose failures are those that the SDK knows. */
final class ResponseContent extends FilterInputStream {
  private final Response response;
  private final CallScope scope;

  ResponseContent(Response response, CallScope scope) throws IOException {
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

  /** Where the call was ended, that is why reading fails. */
  private IOException explained(IOException failure) {
    IOException ended = scope.reason();
    return ended == null ? Explained.of(failure) : ended;
  }

  /** Gives up what was not read, and the connection with it unless all of it has arrived. */
  @Override
  public void close() throws IOException {
    response.close();
  }
}
