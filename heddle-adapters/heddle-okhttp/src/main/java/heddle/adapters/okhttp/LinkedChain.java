package heddle.adapters.okhttp;

import java.io.IOException;
import java.net.Proxy;
import java.net.ProxySelector;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.SocketFactory;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.X509TrustManager;
import okhttp3.Authenticator;
import okhttp3.Cache;
import okhttp3.Call;
import okhttp3.CertificatePinner;
import okhttp3.Connection;
import okhttp3.ConnectionPool;
import okhttp3.CookieJar;
import okhttp3.Dns;
import okhttp3.EventListener;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a call after the application interceptors. Settings of the call come from the chain
 * of the last application interceptor.
 */
final class LinkedChain implements Interceptor.Chain {
  private final CallState state;
  private final Interceptor.Chain outer;
  private final List<Interceptor> steps;
  private final int index;
  private final Request request;
  private final @Nullable HeddleExchange exchange;
  private int calls;

  /**
   * @param exchange the exchange of the network interceptors; null before them
   */
  LinkedChain(
      CallState state,
      Interceptor.Chain outer,
      List<Interceptor> steps,
      int index,
      Request request,
      @Nullable HeddleExchange exchange) {
    this.state = state;
    this.outer = outer;
    this.steps = steps;
    this.index = index;
    this.request = request;
    this.exchange = exchange;
  }

  @Override
  public Response proceed(Request next) throws IOException {
    calls++;
    if (exchange != null) {
      checkOnce(next);
    }
    LinkedChain rest = new LinkedChain(state, outer, steps, index + 1, next, exchange);
    Interceptor step = steps.get(index);
    Response response = step.intercept(rest);
    if (exchange != null && index + 1 < steps.size() && rest.calls != 1) {
      throw new IllegalStateException(
          "network interceptor " + step + " must call proceed() exactly once");
    }
    return response;
  }

  private void checkOnce(Request next) {
    boolean same = next.url().host().equals(request.url().host())
        && next.url().port() == request.url().port();
    if (!same) {
      throw new IllegalStateException(
          "network interceptor " + steps.get(index - 1) + " must retain the same host and port");
    }
    if (calls != 1) {
      throw new IllegalStateException(
          "network interceptor " + steps.get(index - 1) + " must call proceed() exactly once");
    }
  }

  /** Sends the request, after all network interceptors. */
  Response execute() throws IOException {
    HeddleExchange last = exchange;
    if (last == null) {
      throw new IllegalStateException("a request cannot be sent before the network interceptors");
    }
    return last.execute(request);
  }

  CallState state() {
    return state;
  }

  /** The chain of the last application interceptor. */
  Interceptor.Chain outer() {
    return outer;
  }

  @Override
  public Request request() {
    return request;
  }

  @Override
  public @Nullable Connection connection() {
    return exchange == null ? null : exchange.connection();
  }

  @Override
  public Call call() {
    return state.call;
  }

  @Override
  public EventListener getEventListener() {
    return state.listener;
  }

  // ---- settings of the call

  @Override
  public int connectTimeoutMillis() {
    return outer.connectTimeoutMillis();
  }

  @Override
  public int readTimeoutMillis() {
    return outer.readTimeoutMillis();
  }

  @Override
  public int writeTimeoutMillis() {
    return outer.writeTimeoutMillis();
  }

  @Override
  public boolean getFollowSslRedirects() {
    return outer.getFollowSslRedirects();
  }

  @Override
  public boolean getFollowRedirects() {
    return outer.getFollowRedirects();
  }

  @Override
  public Dns getDns() {
    return outer.getDns();
  }

  @Override
  public SocketFactory getSocketFactory() {
    return outer.getSocketFactory();
  }

  @Override
  public boolean getRetryOnConnectionFailure() {
    return outer.getRetryOnConnectionFailure();
  }

  @Override
  public Authenticator getAuthenticator() {
    return outer.getAuthenticator();
  }

  @Override
  public CookieJar getCookieJar() {
    return outer.getCookieJar();
  }

  @Override
  public @Nullable Cache getCache() {
    return outer.getCache();
  }

  @Override
  public @Nullable Proxy getProxy() {
    return outer.getProxy();
  }

  @Override
  public ProxySelector getProxySelector() {
    return outer.getProxySelector();
  }

  @Override
  public Authenticator getProxyAuthenticator() {
    return outer.getProxyAuthenticator();
  }

  @Override
  public @Nullable SSLSocketFactory getSslSocketFactoryOrNull() {
    return outer.getSslSocketFactoryOrNull();
  }

  @Override
  public @Nullable X509TrustManager getX509TrustManagerOrNull() {
    return outer.getX509TrustManagerOrNull();
  }

  @Override
  public HostnameVerifier getHostnameVerifier() {
    return outer.getHostnameVerifier();
  }

  @Override
  public CertificatePinner getCertificatePinner() {
    return outer.getCertificatePinner();
  }

  @Override
  public ConnectionPool getConnectionPool() {
    return outer.getConnectionPool();
  }

  // ---- settings that a network interceptor cannot change

  @Override
  public Interceptor.Chain withConnectTimeout(int timeout, TimeUnit unit) {
    throw fixed("Timeouts");
  }

  @Override
  public Interceptor.Chain withReadTimeout(int timeout, TimeUnit unit) {
    throw fixed("Timeouts");
  }

  @Override
  public Interceptor.Chain withWriteTimeout(int timeout, TimeUnit unit) {
    throw fixed("Timeouts");
  }

  @Override
  public Interceptor.Chain withDns(Dns dns) {
    throw fixed("dns");
  }

  @Override
  public Interceptor.Chain withSocketFactory(SocketFactory socketFactory) {
    throw fixed("socketFactory");
  }

  @Override
  public Interceptor.Chain withRetryOnConnectionFailure(boolean retryOnConnectionFailure) {
    throw fixed("retryOnConnectionFailure");
  }

  @Override
  public Interceptor.Chain withAuthenticator(Authenticator authenticator) {
    throw fixed("authenticator");
  }

  @Override
  public Interceptor.Chain withCookieJar(CookieJar cookieJar) {
    throw fixed("cookieJar");
  }

  @Override
  public Interceptor.Chain withCache(@Nullable Cache cache) {
    throw fixed("cache");
  }

  @Override
  public Interceptor.Chain withProxy(@Nullable Proxy proxy) {
    throw fixed("proxy");
  }

  @Override
  public Interceptor.Chain withProxySelector(ProxySelector proxySelector) {
    throw fixed("proxySelector");
  }

  @Override
  public Interceptor.Chain withProxyAuthenticator(Authenticator proxyAuthenticator) {
    throw fixed("proxyAuthenticator");
  }

  @Override
  public Interceptor.Chain withSslSocketFactory(
      @Nullable SSLSocketFactory sslSocketFactory, @Nullable X509TrustManager x509TrustManager) {
    throw fixed("sslSocketFactory");
  }

  @Override
  public Interceptor.Chain withHostnameVerifier(HostnameVerifier hostnameVerifier) {
    throw fixed("hostnameVerifier");
  }

  @Override
  public Interceptor.Chain withCertificatePinner(CertificatePinner certificatePinner) {
    throw fixed("certificatePinner");
  }

  @Override
  public Interceptor.Chain withConnectionPool(ConnectionPool connectionPool) {
    throw fixed("connectionPool");
  }

  private static IllegalStateException fixed(String what) {
    return new IllegalStateException(what + " can't be adjusted in a network interceptor");
  }
}
