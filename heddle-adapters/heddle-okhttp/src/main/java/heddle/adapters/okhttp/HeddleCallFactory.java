package heddle.adapters.okhttp;

import heddle.client.HttpClient;
import javax.net.ssl.X509KeyManager;
import okhttp3.Call;
import okhttp3.OkHttpClient;
import okhttp3.Request;

/**
 * Makes OkHttp's calls over Heddle, for Retrofit and other users of a {@link Call.Factory}.
 * Interceptors, cookies, authenticators, cache, event listeners, timeouts and the dispatcher are
 * those of an {@link OkHttpClient}. Thread-safe; make one and keep it.
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

  /** Returns a factory with OkHttp's default settings. */
  public static HeddleCallFactory create() {
    return of(new OkHttpClient());
  }

  /**
   * Returns a factory with its own connections, opened with a client's settings. {@linkplain #close
   * Close} it after the last call.
   *
   * @throws IllegalArgumentException if Heddle cannot honour a setting; the message names it and
   *     the reason
   */
  public static HeddleCallFactory of(OkHttpClient client) {
    return new HeddleCallFactory(client, HeddleInterceptor.of(client));
  }

  /**
   * As {@link #of(OkHttpClient)}, for TLS client authentication.
   *
   * @param key as for {@link HeddleInterceptor#of(OkHttpClient, X509KeyManager)}
   * @throws IllegalArgumentException if Heddle cannot honour a setting; the message names it
   */
  public static HeddleCallFactory of(OkHttpClient client, X509KeyManager key) {
    return new HeddleCallFactory(client, HeddleInterceptor.of(client, key));
  }

  /**
   * Returns a factory that uses a Heddle client and its connection settings. Closing the factory
   * does not close the client.
   *
   * @param client whose connection settings must all be the defaults
   * @throws IllegalArgumentException if one of them is not the default; the message names it
   */
  public static HeddleCallFactory of(OkHttpClient client, HttpClient heddle) {
    return new HeddleCallFactory(client, HeddleInterceptor.of(client, heddle));
  }

  @Override
  public Call newCall(Request request) {
    return client.newCall(request);
  }

  /**
   * Returns a client whose calls go over Heddle, for libraries that require a client, and for
   * WebSockets.
   */
  public OkHttpClient client() {
    return client;
  }

  /**
   * Closes the factory's own connections, as {@link HttpClient#close} does. Does not close the
   * dispatcher and the cache. Idempotent.
   */
  @Override
  public void close() {
    interceptor.close();
  }
}
