package heddle.adapters.feign;

import feign.Request;
import heddle.adapters.support.Clients;
import heddle.adapters.support.ClientsByOptions;
import heddle.adapters.support.LimitAdvice;
import heddle.client.HttpClient;
import heddle.client.coding.ContentCodings;
import heddle.client.settings.DecodingLimits;
import heddle.client.settings.RedirectPolicy;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * The options of Feign that Heddle needs when a client is built.
 *
 * @param connectMillis connect timeout in milliseconds; 0 for none
 * @param readMillis how long the server may be silent, in milliseconds; 0 for no limit
 */
record CallOptions(int connectMillis, int readMillis, boolean follow) {
  /** Translates failures of calls. */
  static final LimitAdvice ADVICE =
      new LimitAdvice("Request.Options.connectTimeout", "Request.Options.readTimeout");

  /** Decodes what a request did not accept too, but no other codings, as by Feign's own client. */
  private static final ContentCodings CODINGS =
      new ContentCodings(DecodingLimits.DEFAULTS, List.of());

  /** The limit of {@code HttpURLConnection}, and so of Feign's own client. */
  private static final RedirectPolicy FOLLOWING =
      RedirectPolicy.builder().most(20).build();

  static CallOptions of(Request.Options options) {
    return new CallOptions(
        options.connectTimeoutMillis(), options.readTimeoutMillis(), options.isFollowRedirects());
  }

  /**
   * Returns the Heddle clients that make the calls of one Feign client.
   *
   * @throws IllegalArgumentException if the settings contradict each other
   */
  static ClientsByOptions<CallOptions> clients(Consumer<HttpClient.Builder> settings) {
    return new ClientsByOptions<>(
        "Request.Options (connect timeout, read timeout, following of redirects)",
        of(new Request.Options()),
        options -> options.client(settings));
  }

  private HttpClient client(Consumer<HttpClient.Builder> settings) {
    Duration connect = Duration.ofMillis(connectMillis);
    Duration read = Duration.ofMillis(readMillis);
    HttpClient.Builder builder = Clients.builder(connect, read);
    settings.accept(builder);
    // Feign's options override the timeouts and redirects of the settings.
    return builder
        .timeouts(Clients.timeouts(connect, read))
        .redirects(follow ? FOLLOWING : RedirectPolicy.never())
        .interceptor(CODINGS::decode)
        .build();
  }
}
