package heddle.adapters.okhttp;

import heddle.client.HttpClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.X509KeyManager;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.internal.cache.CacheInterceptor;
import okhttp3.internal.connection.RealCall;
import okhttp3.internal.http.BridgeInterceptor;
import org.jspecify.annotations.Nullable;

/**
 * The last application interceptor of an {@link OkHttpClient}, which sends its calls over Heddle.
 * Everything that is set at the client stays in force. Safe for use by many threads.
 *
 * <pre>{@code
 * OkHttpClient over = client.newBuilder().addInterceptor(HeddleInterceptor.of(client)).build();
 * }</pre>
 *
 * <p>Web sockets, other upgrades and duplex calls go over OkHttp's own connections.
 *
 * @see HeddleCallFactory where a {@link okhttp3.Call.Factory} is wanted
 */
public final class HeddleInterceptor implements Interceptor, AutoCloseable {
  /** The last step of all, behind the network interceptors. */
  private static final Interceptor SERVER = chain -> ((LinkedChain) chain).execute();

  private final Transport transport;
  private final List<Interceptor> steps;

  /** The client that was last seen to have this interceptor in the right place. */
  private volatile @Nullable OkHttpClient checked;

  private HeddleInterceptor(Transport transport) {
    this.transport = transport;
    this.steps = List.of(new BridgeInterceptor(), new CacheInterceptor(), this::onTheWire);
  }

  /**
   * An interceptor with connections of its own, opened as a client's settings say. To be
   * {@linkplain #close closed} when no more calls are made.
   *
   * @param client whose settings for connections hold
   * @throws IllegalArgumentException if Heddle cannot honour one of them; the message names it and
   *     says why
   */
  public static HeddleInterceptor of(OkHttpClient client) {
    return new HeddleInterceptor(Transport.of(client, null));
  }

  /**
   * The same for a client that has to say who it is (TLS client authentication): no key can be
   * taken out of its {@code SSLSocketFactory}, so that it is given here once more.
   *
   * @param key such as {@code HandshakeCertificates.keyManager()}, or that of a {@code
   *     KeyManagerFactory}
   * @throws IllegalArgumentException if Heddle cannot honour a setting; the message names it
   */
  public static HeddleInterceptor of(OkHttpClient client, X509KeyManager key) {
    return new HeddleInterceptor(Transport.of(client, key));
  }

  /**
   * An interceptor that uses a client of Heddle's, whose settings for connections hold; closing the
   * interceptor leaves it open.
   *
   * @param client whose settings for connections are all as they are by default
   * @throws IllegalArgumentException if one of them is not; the message names it
   */
  public static HeddleInterceptor of(OkHttpClient client, HttpClient heddle) {
    return new HeddleInterceptor(Transport.over(client, heddle));
  }

  @Override
  public Response intercept(Chain chain) throws IOException {
    Request request = chain.request();
    // Before any check: OkHttp makes a client with other protocols for a web socket.
    if (isForOkHttp(request)) {
      return chain.proceed(request);
    }
    OkHttpClient client = ((RealCall) chain.call()).getClient();
    if (client != checked) {
      checkPlace(chain, client);
      transport.checkSettings(client);
      checked = client;
    }
    return new FollowUps(CallState.of(chain), chain, steps).run(request);
  }

  private void checkPlace(Chain chain, OkHttpClient client) throws IOException {
    if (chain.connection() != null) {
      throw new IOException("HeddleInterceptor is no network interceptor: use addInterceptor");
    }
    Interceptor last = client.interceptors().getLast();
    if (last != this) {
      throw new IOException("HeddleInterceptor answers calls itself, so that the interceptor behind"
          + " it would never be asked: add it after " + last);
    }
  }

  /** What becomes a connection that both sides write to as they like is not Heddle's. */
  private static boolean isForOkHttp(Request request) {
    RequestBody body = request.body();
    return request.header("Upgrade") != null || (body != null && body.isDuplex());
  }

  /** Behind the cache: a request that has to be sent. */
  private Response onTheWire(Chain chain) throws IOException {
    LinkedChain linked = (LinkedChain) chain;
    Request request = chain.request();
    CallState state = linked.state();
    HeddleExchange exchange = new HeddleExchange(state, linked.outer(), transport, request);
    List<Interceptor> network = state.call.getClient().networkInterceptors();
    if (network.isEmpty()) {
      return exchange.execute(request);
    }
    List<Interceptor> all = new ArrayList<>(network);
    all.add(SERVER);
    return new LinkedChain(state, linked.outer(), all, 0, request, exchange).proceed(request);
  }

  /** Closes the connections that are its own, as {@link HttpClient#close} does. Idempotent. */
  @Override
  public void close() {
    transport.close();
  }
}
