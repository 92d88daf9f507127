package heddle.client.step;

import heddle.client.spi.Authenticator;
import heddle.client.spi.Interceptor;
import heddle.http.Origin;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Answers 401 of origins, and 407 of proxies, with the credentials that {@link Authenticator}s have
 * (RFC 9110 section 11). Where they have none, where the request has credentials of its own, or
 * where its body cannot be sent again, the caller gets the response as it is. Safe for use by many
 * threads.
 */
public final class Authentication implements Interceptor {
  private final List<Authenticator> authenticators;
  private final Function<Request, @Nullable Origin> proxies;

  /**
   * @param authenticators asked one after the other
   * @param proxies the proxy, as an origin, that reads the head of a request and may ask for
   *     credentials with its response: one for cleartext. Null for any other: what comes through a
   *     tunnel is the origin's word, and an origin must not get what is for a proxy
   */
  public Authentication(
      List<Authenticator> authenticators, Function<Request, @Nullable Origin> proxies) {
    this.authenticators = List.copyOf(authenticators);
    this.proxies = proxies;
  }

  @Override
  public Response intercept(Request request, Chain chain) throws IOException {
    AuthenticationRound server = AuthenticationRound.withOrigin(authenticators, request.origin());
    server.begin(request);
    Origin asks = proxies.apply(request);
    AuthenticationRound proxy = null;
    if (asks != null) {
      proxy = AuthenticationRound.withProxy(authenticators, asks);
      proxy.begin(request);
    }
    History history = new History();
    while (true) {
      Request dressed = server.dress(request);
      dressed = proxy == null ? dressed : proxy.dress(dressed);
      Response response = chain.proceed(dressed);
      if (!request.body().isReplayable() || !isAnswered(request, response, server, proxy)) {
        return history.precede(response, dressed);
      }
      history.add(response, dressed);
    }
  }

  /** Whether a response asks for credentials, and there are some that it has not refused. */
  private static boolean isAnswered(
      Request request,
      Response response,
      AuthenticationRound server,
      @Nullable AuthenticationRound proxy)
      throws IOException {
    Status status = response.status();
    if (status.equals(Status.UNAUTHORIZED)) {
      return server.refused(request, response.headers());
    }
    return proxy != null
        && status.equals(Status.PROXY_AUTHENTICATION_REQUIRED)
        && proxy.refused(request, response.headers());
  }
}
