package heddle.adapters.feign;

import feign.Client;
import feign.Request;
import feign.Response;
import heddle.adapters.support.ClientsByOptions;
import heddle.client.HttpClient;
import java.io.IOException;
import java.util.function.Consumer;

/**
 * Makes Feign's calls over Heddle, on the calling thread. Thread-safe. Make one, keep it, and close
 * it after the last call.
 *
 * <pre>{@code
 * GitHub gitHub = Feign.builder().client(HeddleClient.create()).target(GitHub.class, url);
 * }</pre>
 */
public final class HeddleClient implements Client, AutoCloseable {
  private final ClientsByOptions<CallOptions> clients;

  private HeddleClient(Consumer<HttpClient.Builder> settings) {
    clients = CallOptions.clients(settings);
  }

  /**
   * Returns a client with Heddle's defaults, but without limits per call other than Feign's
   * options.
   */
  public static HeddleClient create() {
    return with(builder -> {});
  }

  /**
   * Returns a client with settings of Heddle's, such as TLS, proxies, pool limits or listeners.
   * Feign's {@link Request.Options} override its timeouts and redirects. Calls with other options
   * use other connections, with the same settings.
   *
   * @param settings applied to a new builder per set of options, and at once for Feign's defaults
   * @throws IllegalArgumentException if the settings contradict each other
   */
  public static HeddleClient with(Consumer<HttpClient.Builder> settings) {
    return new HeddleClient(settings);
  }

  /**
   * Makes a call.
   *
   * @return a response whose body must be read to its end or closed, as Feign does
   * @throws IOException if it fails: {@code UnknownHostException}, {@code ConnectException}, {@code
   *     SocketTimeoutException} and {@code SSLHandshakeException} with Heddle's own as their cause,
   *     or Heddle's own; also if more than 16 sets of options are in use
   * @throws IllegalArgumentException if something in the request cannot be sent, or an option is
   *     negative; the message says what
   */
  @Override
  public Response execute(Request request, Request.Options options) throws IOException {
    HttpClient client = clients.with(CallOptions.of(options));
    heddle.http.Request sent = Messages.request(request);
    try {
      return Messages.response(request, client.send(sent));
    } catch (IOException e) {
      throw CallOptions.ADVICE.translate(e);
    }
  }

  /** Refuses further calls. Running calls have 5 s before they are aborted. Idempotent. */
  @Override
  public void close() {
    clients.close();
  }
}
