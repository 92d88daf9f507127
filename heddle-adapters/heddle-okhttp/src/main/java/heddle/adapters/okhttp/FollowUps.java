package heddle.adapters.okhttp;

import java.io.IOException;
import java.net.ProtocolException;
import java.net.Proxy;
import java.util.List;
import okhttp3.Authenticator;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.Route;
import okhttp3.internal.UnreadableResponseBodyKt;
import okhttp3.internal.http.HttpMethod;
import okhttp3.internal.http.RealInterceptorChain;
import org.jspecify.annotations.Nullable;

/**
 * Sends the requests of one call, by OkHttp's rules: also those after redirects, challenges, and
 * responses of servers that were not ready. Heddle itself repeats requests after failures of their
 * connection.
 */
final class FollowUps {
  private static final int MOST_FOLLOW_UPS = 20;

  private final CallState state;
  private final Interceptor.Chain chain;
  private final List<Interceptor> steps;

  FollowUps(CallState state, Interceptor.Chain chain, List<Interceptor> steps) {
    this.state = state;
    this.chain = chain;
    this.steps = steps;
  }

  /** Returns the response after which no other request follows. */
  Response run(Request first) throws IOException {
    state.checkReady(first);
    boolean answered = false;
    try {
      Response response = follow(first);
      answered = true;
      return response;
    } finally {
      if (!answered) {
        state.abandon();
      }
    }
  }

  private Response follow(Request first) throws IOException {
    Request request = first;
    Response prior = null;
    for (int followUps = 1; ; followUps++) {
      Response response = exchange(request, prior);
      Request next = nextOrClose(response);
      RequestBody body = next == null ? null : next.body();
      if (next == null || (body != null && body.isOneShot())) {
        state.listener.followUpDecision(state.call, response, null);
        return response;
      }
      response.close();
      if (followUps > MOST_FOLLOW_UPS) {
        state.listener.followUpDecision(state.call, response, null);
        throw new ProtocolException("Too many follow-up requests: " + followUps);
      }
      state.listener.followUpDecision(state.call, response, next);
      state.abandon();
      if (!isSameOrigin(request.url(), next.url()) || isLast(response)) {
        state.releaseConnection();
      }
      request = next;
      prior = response;
    }
  }

  /** Whether no other request can follow on the connection of a response. */
  private boolean isLast(Response response) {
    Response network = response.networkResponse();
    return state.hasLostConnection()
        || "close".equalsIgnoreCase(response.header("Connection"))
        || (network != null && "close".equalsIgnoreCase(network.request().header("Connection")));
  }

  private Response exchange(Request request, @Nullable Response prior) throws IOException {
    state.checkNotCancelled();
    try {
      Response response = steps(request).proceed(request);
      // Changes of the request by lower steps must not be visible to application interceptors.
      return response
          .newBuilder()
          .request(request)
          .priorResponse(prior == null ? null : UnreadableResponseBodyKt.stripBody(prior))
          .build();
    } catch (IOException e) {
      state.listener.retryDecision(state.call, e, false);
      throw e;
    }
  }

  /** OkHttp's own chain with the settings of the call, over the steps of the adapter. */
  private RealInterceptorChain steps(Request request) {
    return new RealInterceptorChain(
        state.call,
        steps,
        0,
        null,
        request,
        chain.connectTimeoutMillis(),
        chain.readTimeoutMillis(),
        chain.writeTimeoutMillis(),
        chain.getAuthenticator(),
        chain.getCache(),
        chain.getCertificatePinner(),
        chain.getConnectionPool(),
        chain.getCookieJar(),
        chain.getDns(),
        chain.getHostnameVerifier(),
        chain.getProxy(),
        chain.getProxyAuthenticator(),
        chain.getProxySelector(),
        chain.getRetryOnConnectionFailure(),
        chain.getSocketFactory(),
        chain.getSslSocketFactoryOrNull(),
        chain.getX509TrustManagerOrNull(),
        null);
  }

  /** Returns the next request. Closes the response if that fails. */
  private @Nullable Request nextOrClose(Response response) throws IOException {
    try {
      return next(response);
    } catch (IOException | RuntimeException e) {
      state.giveUp();
      response.close();
      throw e;
    }
  }

  private @Nullable Request next(Response response) throws IOException {
    return switch (response.code()) {
      case 407 -> authenticatedToProxy(response);
      case 401 -> authenticated(response);
      case 300, 301, 302, 303, 307, 308 -> chain.getFollowRedirects() ? redirected(response) : null;
      case 408 -> again(response, 0, chain.getRetryOnConnectionFailure());
      case 503 -> again(response, Integer.MAX_VALUE, true);
      default -> null;
    };
  }

  private @Nullable Request authenticated(Response response) throws IOException {
    Authenticator authenticator = chain.getAuthenticator();
    HeddleConnection on = state.connection();
    return authenticator.authenticate(on == null ? null : on.route(), response);
  }

  private @Nullable Request authenticatedToProxy(Response response) throws IOException {
    HeddleConnection on = state.connection();
    Route route = on == null ? null : on.route();
    if (route == null || route.proxy().type() != Proxy.Type.HTTP) {
      throw new ProtocolException("Received HTTP_PROXY_AUTH (407) code while not using proxy");
    }
    // The tunnel is open, so this is from the server, which must not get the proxy's credentials.
    if (response.request().url().isHttps()) {
      throw new ProtocolException(
          "Received HTTP_PROXY_AUTH (407) code from the server behind the proxy");
    }
    return chain.getProxyAuthenticator().authenticate(route, response);
  }

  /**
   * Returns the same request, if the server was late or not ready and allows a retry at once.
   *
   * @param otherwise the delay in seconds if the server sets none
   */
  private static @Nullable Request again(Response response, int otherwise, boolean allowed) {
    RequestBody body = response.request().body();
    Response prior = response.priorResponse();
    boolean repeated = prior != null && prior.code() == response.code();
    boolean oneShot = response.code() == 408 && body != null && body.isOneShot();
    return allowed && !repeated && !oneShot && retryAfter(response, otherwise) == 0
        ? response.request()
        : null;
  }

  private static int retryAfter(Response response, int otherwise) {
    String value = response.header("Retry-After");
    if (value == null) {
      return otherwise;
    }
    boolean now = !value.isEmpty() && value.chars().allMatch(c -> c == '0');
    return now ? 0 : Integer.MAX_VALUE;
  }

  private @Nullable Request redirected(Response response) {
    String location = response.header("Location");
    Request asked = response.request();
    HttpUrl url = location == null ? null : asked.url().resolve(location);
    if (url == null) {
      return null;
    }
    boolean sameScheme = url.scheme().equals(asked.url().scheme());
    if (!sameScheme && !chain.getFollowSslRedirects()) {
      return null;
    }
    Request.Builder next = asked.newBuilder().url(url);
    if (HttpMethod.permitsRequestBody(asked.method())
        && HttpMethod.INSTANCE.redirectsToGet(asked.method(), response.code())) {
      next.method("GET", null)
          .removeHeader("Transfer-Encoding")
          .removeHeader("Content-Length")
          .removeHeader("Content-Type");
    }
    if (!isSameOrigin(asked.url(), url)) {
      next.removeHeader("Authorization");
    }
    return next.build();
  }

  static boolean isSameOrigin(HttpUrl one, HttpUrl other) {
    return one.host().equals(other.host())
        && one.port() == other.port()
        && one.scheme().equals(other.scheme());
  }
}
