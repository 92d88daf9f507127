package heddle.bench.drivers.okhttp;

import heddle.bench.driver.Answer;
import heddle.bench.driver.AsyncClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import java.io.IOException;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.OkHttp;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/**
 * OkHttp through {@code enqueue}: a thread of its dispatcher per running call, which also reads the
 * content, because OkHttp has no asynchronous way to read it.
 */
public final class AsyncOkHttpDriver implements AsyncClientDriver {

  private final OkHttpClients clients = new OkHttpClients();

  /** Creates a driver that is not started. */
  public AsyncOkHttpDriver() {}

  @Override
  public String name() {
    return "okhttp-async";
  }

  @Override
  public String version() {
    return OkHttp.VERSION;
  }

  @Override
  public void start(DriverConfig config) throws Exception {
    clients.start(config);
  }

  @Override
  public AsyncExchange prepare(DriverRequest request) throws Exception {
    return clients.all().async(request, this::exchange);
  }

  private AsyncExchange exchange(OkHttpClient client, DriverRequest request) {
    Request made = OkHttpClients.request(request);
    boolean large = request.isAnswerLarge();
    return completion ->
        client.newCall(made).enqueue(new CompletingCallback(completion, clients, large));
  }

  /** Reads the answer and completes the exchange. */
  private record CompletingCallback(Completion completion, OkHttpClients clients, boolean large)
      implements Callback {

    @Override
    public void onResponse(Call call, Response response) {
      Answer answer;
      try {
        answer = OkHttpDriver.read(response, clients, large);
      } catch (IOException e) {
        completion.failed(e);
        return;
      }
      completion.answered(answer);
    }

    @Override
    public void onFailure(Call call, IOException cause) {
      completion.failed(cause);
    }
  }

  @Override
  public void close() {
    clients.close();
  }
}
