package heddle.client.step;

import heddle.client.spi.Authenticator;
import heddle.client.spi.Interceptor;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import java.io.IOException;
import java.util.List;

/**
 * Answers 401 of origins with the credentials that {@link Authenticator}s have (RFC 9110 section
 * 11). The caller gets the 401 if no authenticator has credentials, if the request already had
 * some, or if its body is not replayable. It also gets a 407 here: challenges of proxies are
 * answered by the connection, which knows which proxy asked. Safe for use by many threads.
 */
public final class Authentication implements Interceptor {
  private final List<Authenticator> authenticators;

  /** Authenticators are asked in order. */
  public Authentication(List<Authenticator> authenticators) {
    this.authenticators = List.copyOf(authenticators);
  }

  @Override
  public Response intercept(Request request, Chain chain) throws IOException {
    AuthenticationRound server = AuthenticationRound.withOrigin(authenticators, request.origin());
    server.begin(request);
    History history = new History();
    while (true) {
      Request dressed = server.dress(request);
      Response response = chain.proceed(dressed);
      boolean asks = request.body().isReplayable() && response.status().equals(Status.UNAUTHORIZED);
      if (!asks || !server.refused(request, response.headers())) {
        return history.precede(response, dressed);
      }
      history.add(response, dressed);
    }
  }
}
