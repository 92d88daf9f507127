package heddle.adapters.okhttp;

import heddle.client.HttpClient;
import javax.net.ssl.X509KeyManager;
import okhttp3.Call;
import okhttp3.OkHttpClient;
import okhttp3.Request;

/**
 * Makes OkHttp's calls over Heddle, for Retrofit and whoever else takes a {@link Call.Factory}.
 * Interceptors, cookies, authenticators, cache, event listeners, timeouts and the dispatcher are
 * those of an {@link OkHttpClient}. Safe for use by many threads; made once and kept.
 *
 * <pre>{@code
 * HeddleCallFactory calls = HeddleCallFactory.of(client);
 * Retrofit retrofit = new Retrofit.Builder().baseUrl(url).callFactory(calls).build();
 * }</pre>
 */
public final class HeddleCallFactory implements Call.Factory, AutoCloseable {
  private final HeddleInterceptor interceptor;
  private final OkHttpClient client;

  private HeddleCallFactory(OkHttpClient settings, HeddleInterceptor interceptor) {
    this.interceptor = interceptor;
    this.client = settings.newBuilder().addInterceptor(interceptor).build();
  }

  /** A factory with the settings that OkHttp has by default. */
  public static HeddleCallFactory create() {
    return of(new OkHttpClient());
  }

  /**
   * A factory with connections of its own, opened as a client's settings say. To be {@linkplain
   * #close closed} when no more calls are made.
   *
   * @throws IllegalArgumentException if Heddle cannot honour a setting; the message names it and
   *     says why
   */
  public static HeddleCallFactory of(OkHttpClient client) {
    return new HeddleCallFactory(client, HeddleInterceptor.of(client));
  }

  /**
   * The same for a client that has to say who it is (TLS client authentication): no key can be
   * taken out of its {@code SSLSocketFactory}, so that it is given here once more.
   *
   * @param key such as {@code HandshakeCertificates.keyManager()}, or that of a {@code
   *     KeyManagerFactory}
   * @throws IllegalArgumentException if Heddle cannot honour a setting; the message names it
   */
  public static HeddleCallFactory of(OkHttpClient client, X509KeyManager key) {
    return new HeddleCallFactory(client, HeddleInterceptor.of(client, key));
  }

  /**
   * A factory that uses a client of Heddle's, whose settings for connections hold; closing the
   * factory leaves it open.
   *
   * @param client whose settings for connections are all as they are by default
   * @throws IllegalArgumentException if one of them is not; the message names it
   */
  public static HeddleCallFactory of(OkHttpClient client, HttpClient heddle) {
    return new HeddleCallFactory(client, HeddleInterceptor.of(client, heddle));
  }

  @Override
  public Call newCall(Request request) {
    return client.newCall(request);
  }

  /** A client whose calls go over Heddle, for those who take nothing but a client. */
  public OkHttpClient client() {
    return client;
  }

  /**
   * Closes the connections that are the factory's own, as {@link HttpClient#close} does. The
   * dispatcher and the cache stay the client's. Idempotent.
   */
  @Override
  public void close() {
    interceptor.close();
  }
}
