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
 * 11). Where they have none, where the request has credentials of its own, or where its body cannot
 * be sent again, the caller gets the response as it is, and so it does 407: what a proxy asks is
 * answered where it is known which proxy of several asked. Safe for use by many threads.
 */
public final class Authentication implements Interceptor {
  private final List<Authenticator> authenticators;

  /**
   * @param authenticators asked one after the other
   */
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
