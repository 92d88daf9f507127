package heddle.adapters.feign;

import feign.Client;
import feign.Request;
import feign.Response;
import heddle.adapters.support.SocketFailures;
import heddle.client.HttpClient;
import java.io.IOException;
import java.util.function.Consumer;

/**
 * Feign's calls over Heddle, made on the thread that calls. Safe for use by many threads, virtual
 * or not; made once, kept, and closed when no more calls are made.
 *
 * <pre>{@code
 * GitHub gitHub = Feign.builder().client(HeddleClient.create()).target(GitHub.class, url);
 * }</pre>
 */
public final class HeddleClient implements Client, AutoCloseable {
  private final OptionClients clients;

  private HeddleClient(Consumer<HttpClient.Builder> settings) {
    clients = new OptionClients(settings);
  }

  /** A client with Heddle's defaults, but no limit on a call other than Feign's options. */
  public static HeddleClient create() {
    return with(builder -> {});
  }

  /**
   * A client whose connections are made with settings of Heddle's, such as TLS, proxies, limits of
   * the pool, or listeners. Timeouts and redirects are those of Feign's {@link Request.Options},
   * whatever is set here: calls with other options have connections of their own, with the same
   * settings.
   *
   * @param settings applied to a new builder for each set of options, the defaults of Feign at once
   * @throws IllegalArgumentException if the settings contradict each other
   */
  public static HeddleClient with(Consumer<HttpClient.Builder> settings) {
    return new HeddleClient(settings);
  }

  /**
   * Makes a call.
   *
   * @return a response whose body is to be read to its end or closed, as Feign does
   * @throws IOException if it fails: {@code UnknownHostException}, {@code ConnectException}, {@code
   *     SocketTimeoutException} and {@code SSLHandshakeException} with Heddle's own as their cause,
   *     or Heddle's own; also if more than 16 sets of options are in use
   * @throws IllegalArgumentException if something in the request cannot be sent, or an option is
   *     negative; the message says what
   */
  @Override
  public Response execute(Request request, Request.Options options) throws IOException {
    HttpClient client = clients.with(options);
    heddle.http.Request sent = Messages.request(request);
    try {
      return Messages.response(request, client.send(sent));
    } catch (IOException e) {
      throw SocketFailures.translate(e);
    }
  }

  /** Takes no more calls; those under way have 5 s before they are aborted. Idempotent. */
  @Override
  public void close() {
    clients.close();
  }
}
