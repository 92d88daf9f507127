package heddle.adapters.feign;

import feign.Request;
import heddle.adapters.support.Clients;
import heddle.adapters.support.ClientsByOptions;
import heddle.adapters.support.LimitAdvice;
import heddle.client.HttpClient;
import heddle.client.settings.RedirectPolicy;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;

/** The Heddle clients that make the calls of one Feign client, by Feign's options. */
final class OptionClients implements AutoCloseable {
  /** The limit of {@code HttpURLConnection}, and so of Feign's own client. */
  private static final RedirectPolicy FOLLOWING =
      RedirectPolicy.builder().most(20).build();

  /** Translates failures of calls. */
  static final LimitAdvice ADVICE =
      new LimitAdvice("Request.Options.connectTimeout", "Request.Options.readTimeout");

  private final Consumer<HttpClient.Builder> settings;
  private final ClientsByOptions<Choice> clients;

  /** The options that Heddle needs when a client is built. */
  private record Choice(int connectMillis, int readMillis, boolean follow) {
    static Choice of(Request.Options options) {
      return new Choice(
          options.connectTimeoutMillis(), options.readTimeoutMillis(), options.isFollowRedirects());
    }
  }

  /**
   * @throws IllegalArgumentException if the settings contradict each other
   */
  OptionClients(Consumer<HttpClient.Builder> settings) {
    this.settings = settings;
    this.clients = new ClientsByOptions<>(
        "Request.Options (connect timeout, read timeout, following of redirects)",
        Choice.of(new Request.Options()),
        this::make);
  }

  /**
   * Returns the client for a call.
   *
   * @throws IOException if there are too many clients
   * @throws IllegalArgumentException if an option is negative
   */
  HttpClient with(Request.Options options) throws IOException {
    return clients.with(Choice.of(options));
  }

  private HttpClient make(Choice choice) {
    Duration connect = Duration.ofMillis(choice.connectMillis());
    Duration read = Duration.ofMillis(choice.readMillis());
    HttpClient.Builder builder = Clients.builder(connect, read);
    settings.accept(builder);
    // Feign's options override the timeouts and redirects of the settings.
    return builder
        .timeouts(Clients.timeouts(connect, read))
        .redirects(choice.follow() ? FOLLOWING : RedirectPolicy.never())
        .interceptor(new AnyCoding())
        .build();
  }

  @Override
  public void close() {
    clients.close();
  }
}
