package heddle.bench.drivers.retrofit;

import heddle.bench.driver.Answer;
import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.Release;
import heddle.bench.drivers.okhttp.OkHttpClients;
import java.io.IOException;
import java.net.URI;
import java.util.function.UnaryOperator;
import okhttp3.OkHttpClient;
import okhttp3.RequestBody;
import okhttp3.ResponseBody;
import org.jspecify.annotations.Nullable;
import retrofit2.Call;
import retrofit2.Response;
import retrofit2.Retrofit;

/** Retrofit's blocking calls, on the same OkHttp as the driver {@code okhttp}. */
public final class RetrofitDriver implements ClientDriver {

  private final String name;
  private final OkHttpClients clients;
  private @Nullable URI base;

  /** The driver of the name {@code retrofit}, not started. */
  public RetrofitDriver() {
    this("retrofit", UnaryOperator.identity());
  }

  /**
   * Creates a driver that is not started.
   *
   * @param finish converts a configured OkHttp client to the one used for calls
   */
  public RetrofitDriver(String name, UnaryOperator<OkHttpClient> finish) {
    this.name = name;
    this.clients = new OkHttpClients(finish);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String version() {
    return Release.of(Retrofit.class);
  }

  @Override
  public void start(DriverConfig config) throws Exception {
    base = config.target().resolve("/");
    clients.start(config);
  }

  @Override
  public Exchange prepare(DriverRequest request) throws Exception {
    return clients.all().blocking(request, this::exchange);
  }

  private Exchange exchange(OkHttpClient client, DriverRequest request) {
    Service service = new Retrofit.Builder()
        .baseUrl(String.valueOf(base))
        .client(client)
        .build()
        .create(Service.class);
    String url = request.uri().toString();
    boolean large = request.isAnswerLarge();
    if (request.isPost()) {
      RequestBody content = OkHttpClients.content(request);
      return large
          ? () -> read(service.postForLarge(url, content), true)
          : () -> read(service.post(url, content), false);
    }
    return large ? () -> read(service.getLarge(url), true) : () -> read(service.get(url), false);
  }

  private Answer read(Call<ResponseBody> call, boolean large) throws IOException {
    Response<ResponseBody> response = call.execute();
    try (ResponseBody content = response.isSuccessful() ? response.body() : response.errorBody()) {
      clients.check(response.raw());
      if (content == null) {
        return new Answer(response.code(), 0);
      }
      return large
          ? Answer.drain(response.code(), content.byteStream())
          : new Answer(response.code(), content.bytes().length);
    }
  }

  @Override
  public void close() {
    clients.close();
  }
}
