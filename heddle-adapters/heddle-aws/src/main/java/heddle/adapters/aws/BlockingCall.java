package heddle.adapters.aws;

import heddle.adapters.support.MessageFields;
import heddle.adapters.support.ResponseContent;
import heddle.client.HttpCall;
import heddle.client.HttpClient;
import heddle.http.Body;
import heddle.http.Request;
import heddle.http.Response;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.metrics.MetricCollector;

/** A call of the SDK, made on the calling thread. Any thread may abort it. */
final class BlockingCall implements ExecutableHttpRequest {
  private final HttpClient client;
  private final Contents contents;
  private final HttpExecuteRequest request;
  private final Request head;
  private final @Nullable MetricCollector metrics;

  /** Why the call was ended. Set before the running call is read, and read after that is set. */
  private final AtomicReference<@Nullable IOException> ended = new AtomicReference<>();

  private volatile @Nullable HttpCall running;

  /**
   * @throws IllegalArgumentException if something in the request cannot be sent
   */
  BlockingCall(
      HttpClient client,
      Contents contents,
      HttpExecuteRequest request,
      @Nullable MetricCollector metrics) {
    this.client = client;
    this.contents = contents;
    this.request = request;
    this.metrics = metrics;
    this.head = Messages.request(request.httpRequest(), Body.empty());
  }

  @Override
  public HttpExecuteResponse call() throws IOException {
    Body body = contents.provided(
        request.httpRequest(), request.contentStreamProvider().orElse(null), this::end);
    // Built again, because a request without content loses its Expect: 100-continue.
    Response response =
        send(body.length() == 0 ? head : Messages.request(request.httpRequest(), body));
    if (metrics != null) {
      PoolMetrics.report(metrics, client.pool(), null);
    }
    return HttpExecuteResponse.builder()
        .response(Messages.head(response))
        .responseBody(content(response))
        .build();
  }

  private Response send(Request whole) throws IOException {
    HttpCall call = client.newCall(whole);
    running = call;
    if (ended.get() != null) {
      call.cancel();
    }
    try {
      return call.execute();
    } catch (IOException e) {
      throw explained(e);
    }
  }

  /** If the call was ended, returns its reason instead. */
  private IOException explained(IOException failure) {
    IOException because = ended.get();
    return because == null ? Messages.ADVICE.translate(failure) : because;
  }

  private @Nullable AbortableInputStream content(Response response) throws IOException {
    if (!MessageFields.mayHaveContent(head.method(), response)) {
      response.close();
      return null;
    }
    return AbortableInputStream.create(new ResponseContent(response, this::explained), this);
  }

  private void end(IOException because) {
    ended.compareAndSet(null, because);
    HttpCall call = running;
    if (call != null) {
      call.cancel();
    }
  }

  @Override
  public void abort() {
    end(new InterruptedIOException("the call was aborted"));
  }
}
