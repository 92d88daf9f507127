package heddle.adapters.okhttp;

import heddle.client.HttpClient;
import java.io.IOException;
import java.util.List;
import javax.net.ssl.X509KeyManager;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.internal.cache.CacheInterceptor;
import okhttp3.internal.connection.RealCall;
import okhttp3.internal.http.BridgeInterceptor;
import org.jspecify.annotations.Nullable;

/**
 * The last application interceptor of an {@link OkHttpClient}, which sends its calls over Heddle.
 * All settings of the client still apply. Thread-safe.
 *
 * <pre>{@code
 * OkHttpClient over = client.newBuilder().addInterceptor(HeddleInterceptor.of(client)).build();
 * }</pre>
 *
 * <p>Web sockets, upgrades to other protocols and duplex calls go over Heddle too.
 *
 * @see HeddleCallFactory for a {@link okhttp3.Call.Factory}
 */
public final class HeddleInterceptor implements Interceptor, AutoCloseable {
  private final Transport transport;
  private final List<Interceptor> steps;

  /** The last client that was checked to have this interceptor in the right place. */
  private volatile @Nullable OkHttpClient checked;

  private HeddleInterceptor(
      OkHttpClient client, @Nullable HttpClient heddle, @Nullable X509KeyManager key) {
    RequiredOkHttp.check();
    this.transport = new Transport(client, heddle, key);
    this.steps = List.of(new BridgeInterceptor(), new CacheInterceptor(), this::onTheWire);
  }

  /**
   * Returns an interceptor with its own connections, opened with a client's settings. {@linkplain
   * #close Close} it after the last call.
   *
   * @param client whose connection settings are used
   * @throws IllegalArgumentException if Heddle cannot honour one of them; the message names it and
   *     the reason
   * @throws IllegalStateException if the OkHttp on the class path is older than 5; the message
   *     names its jar
   */
  public static HeddleInterceptor of(OkHttpClient client) {
    return new HeddleInterceptor(client, null, null);
  }

  /**
   * As {@link #of(OkHttpClient)}, for TLS client authentication. The key must be passed here, as it
   * cannot be extracted from the client's {@code SSLSocketFactory}.
   *
   * @param key such as {@code HandshakeCertificates.keyManager()}, or that of a {@code
   *     KeyManagerFactory}
   * @throws IllegalArgumentException if Heddle cannot honour a setting; the message names it
   */
  public static HeddleInterceptor of(OkHttpClient client, X509KeyManager key) {
    return new HeddleInterceptor(client, null, key);
  }

  /**
   * Returns an interceptor that uses a Heddle client and its connection settings. Closing the
   * interceptor does not close the client.
   *
   * @param client whose connection settings must all be the defaults
   * @param heddle which must be {@linkplain HttpClient.Builder#plain plain}: OkHttp follows
   *     redirects and decodes content itself
   * @throws IllegalArgumentException if one of them is not; the message says what
   */
  public static HeddleInterceptor of(OkHttpClient client, HttpClient heddle) {
    if (!heddle.isPlain()) {
      throw new IllegalArgumentException(
          "the given HttpClient follows redirects, decodes content or"
              + " adds fields, which is up to OkHttp: build it by HttpClient.builder().plain()");
    }
    return new HeddleInterceptor(client, heddle, null);
  }

  @Override
  public Response intercept(Chain chain) throws IOException {
    Request request = chain.request();
    RealCall call = (RealCall) chain.call();
    OkHttpClient client = call.getClient();
    if (client != checked) {
      // OkHttp makes a client with other settings for each web socket.
      boolean webSocket = call.getForWebSocket();
      checkPlace(chain, client);
      transport.checkSettings(client, webSocket);
      checked = webSocket ? checked : client;
    }
    return new FollowUps(CallState.of(chain), chain, steps).run(request);
  }

  private void checkPlace(Chain chain, OkHttpClient client) throws IOException {
    if (chain.connection() != null) {
      throw new IOException("HeddleInterceptor is not a network interceptor: use addInterceptor");
    }
    Interceptor last = client.interceptors().getLast();
    if (last != this) {
      throw new IOException("HeddleInterceptor answers calls itself, so the interceptor after"
          + " it would never be called: add HeddleInterceptor after " + last);
    }
  }

  /** Sends a request that the cache could not answer. */
  private Response onTheWire(Chain chain) throws IOException {
    CallState state = CallState.of(chain);
    HeddleExchange exchange = new HeddleExchange(state, chain, transport);
    List<Interceptor> network = state.call.getClient().networkInterceptors();
    // As in OkHttp, a web socket's handshake passes none.
    return network.isEmpty() || state.call.getForWebSocket()
        ? exchange.execute(chain.request())
        : NetworkChain.proceed(chain, network, exchange);
  }

  /** Closes the interceptor's own connections, as {@link HttpClient#close} does. Idempotent. */
  @Override
  public void close() {
    transport.close();
  }
}
