package heddle.bench.drivers.grizzly;

import com.ning.http.client.AsyncHandler;
import com.ning.http.client.AsyncHttpClient;
import com.ning.http.client.AsyncHttpClientConfig;
import com.ning.http.client.HttpResponseBodyPart;
import com.ning.http.client.HttpResponseHeaders;
import com.ning.http.client.HttpResponseStatus;
import com.ning.http.client.Request;
import com.ning.http.client.RequestBuilder;
import com.ning.http.client.providers.grizzly.GrizzlyAsyncHttpProvider;
import heddle.bench.driver.Answer;
import heddle.bench.driver.AsyncClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.Release;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Grizzly's client, a fork of AsyncHttpClient 1.9 whose last release is of 2019; content is counted
 * as it arrives and discarded. It has no connection limits to raise.
 */
public final class GrizzlyDriver implements AsyncClientDriver {

  private @Nullable AsyncHttpClient client;

  @Override
  public String name() {
    return "grizzly";
  }

  @Override
  public String version() {
    return Release.of(AsyncHttpClient.class);
  }

  @Override
  public @Nullable String refusal(DriverConfig config) {
    return config.isHttp2() ? "no HTTP/2" : null;
  }

  @Override
  public void start(DriverConfig config) throws Exception {
    AsyncHttpClientConfig.Builder builder = new AsyncHttpClientConfig.Builder();
    if (config.isTls()) {
      builder.setSSLContext(config.wire().trust().context());
    }
    AsyncHttpClientConfig made = builder.build();
    client = new AsyncHttpClient(new GrizzlyAsyncHttpProvider(made), made);
  }

  @Override
  public AsyncExchange prepare(DriverRequest request) {
    AsyncHttpClient started = Objects.requireNonNull(client, "the driver was not started");
    RequestBuilder builder = new RequestBuilder(request.isPost() ? "POST" : "GET")
        .setUrl(request.uri().toString());
    if (request.isPost()) {
      builder.setBody(request.content());
    }
    String type = request.contentType();
    if (type != null) {
      builder.setHeader("Content-Type", type);
    }
    Request made = builder.build();
    return completion -> {
      var _ = started.executeRequest(made, new Counting(completion));
    };
  }

  /** Counts the content of one answer and discards it. */
  private static final class Counting implements AsyncHandler<Answer> {

    private final Completion completion;
    private int status;
    private long bytes;

    Counting(Completion completion) {
      this.completion = completion;
    }

    @Override
    public STATE onStatusReceived(HttpResponseStatus line) {
      status = line.getStatusCode();
      return STATE.CONTINUE;
    }

    @Override
    public STATE onHeadersReceived(HttpResponseHeaders fields) {
      return STATE.CONTINUE;
    }

    @Override
    public STATE onBodyPartReceived(HttpResponseBodyPart piece) {
      bytes += piece.length();
      return STATE.CONTINUE;
    }

    @Override
    public void onThrowable(Throwable cause) {
      completion.failed(cause);
    }

    @Override
    public Answer onCompleted() {
      Answer answer = new Answer(status, bytes);
      completion.answered(answer);
      return answer;
    }
  }

  @Override
  public void close() {
    if (client != null) {
      client.close();
    }
  }
}
