package heddle.adapters.aws;

import heddle.adapters.support.CallScope;
import heddle.client.HttpClient;
import heddle.http.Body;
import heddle.http.Request;
import heddle.http.Response;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;

/** A call of the SDK, made on the calling thread. Any thread may abort it. */
final class BlockingCall implements ExecutableHttpRequest {
  private final HttpClient client;
  private final Contents contents;
  private final HttpExecuteRequest request;
  private final Request head;
  private final PoolMetrics metrics;
  private final CallScope<IOException> scope = new CallScope<>();

  /**
   * @throws IllegalArgumentException if something in the request cannot be sent
   */
  BlockingCall(
      HttpClient client, Contents contents, HttpExecuteRequest request, PoolMetrics metrics) {
    this.client = client;
    this.contents = contents;
    this.request = request;
    this.metrics = metrics;
    this.head = Messages.request(request.httpRequest(), Body.empty());
  }

  @Override
  public HttpExecuteResponse call() throws IOException {
    Body body = contents.provided(
        request.httpRequest(), request.contentStreamProvider().orElse(null), scope::end);
    // Built again, because a request without content loses its Expect: 100-continue.
    Response response =
        send(body.length() == 0 ? head : Messages.request(request.httpRequest(), body));
    if (metrics.isWanted()) {
      metrics.report(client.pool(), null);
    }
    return HttpExecuteResponse.builder()
        .response(Messages.head(response))
        .responseBody(content(response))
        .build();
  }

  private Response send(Request whole) throws IOException {
    if (!scope.enter()) {
      throw Objects.requireNonNull(scope.reason());
    }
    Response response;
    try {
      response = client.send(whole);
    } catch (IOException e) {
      IOException ended = scope.leave();
      if (ended == null) {
        throw Explained.of(e);
      }
      ended.addSuppressed(e);
      throw ended;
    } finally {
      scope.leave();
    }
    IOException ended = scope.answered(because -> response.close());
    if (ended != null) {
      response.close();
      throw ended;
    }
    return response;
  }

  private @Nullable AbortableInputStream content(Response response) throws IOException {
    if (Messages.isWithoutContent(head, response)) {
      response.close();
      return null;
    }
    ResponseContent content = new ResponseContent(response, scope);
    return AbortableInputStream.create(content, this);
  }

  @Override
  public void abort() {
    scope.end(new InterruptedIOException("the call was aborted"));
  }
}
