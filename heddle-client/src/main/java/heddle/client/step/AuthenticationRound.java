package heddle.client.step;

import heddle.client.spi.Authenticator;
import heddle.client.spi.Authenticator.Question;
import heddle.http.Challenge;
import heddle.http.Credentials;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Origin;
import heddle.http.Request;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The authentication with one origin or proxy in one call. Used by one thread. */
public final class AuthenticationRound {
  /** In a call: some schemes need two attempts, because the first is out of date. */
  private static final int MAX_REFUSALS = 5;

  private final List<Authenticator> authenticators;
  private final Origin by;
  private final boolean proxy;
  private final HeaderName field;
  private final HeaderName challengeField;
  private final List<Credentials> refused = new ArrayList<>();
  private @Nullable Credentials present;
  private int refusals;

  private AuthenticationRound(List<Authenticator> authenticators, Origin by, boolean proxy) {
    this.authenticators = authenticators;
    this.by = by;
    this.proxy = proxy;
    this.field = proxy ? HeaderName.PROXY_AUTHORIZATION : HeaderName.AUTHORIZATION;
    this.challengeField = proxy ? HeaderName.PROXY_AUTHENTICATE : HeaderName.WWW_AUTHENTICATE;
  }

  /** With an origin, which asks with 401 and WWW-Authenticate. */
  public static AuthenticationRound withOrigin(List<Authenticator> authenticators, Origin origin) {
    return new AuthenticationRound(authenticators, origin, false);
  }

  /** With a proxy, expressed as an origin, which asks with 407 and Proxy-Authenticate. */
  public static AuthenticationRound withProxy(List<Authenticator> authenticators, Origin proxy) {
    return new AuthenticationRound(authenticators, proxy, true);
  }

  /**
   * Asks for credentials to send without a challenge.
   *
   * @param request to be sent, without credentials that we add
   * @throws IOException if an authenticator fails the call
   */
  public void begin(Request request) throws IOException {
    Question question = new Question(by, proxy, List.of(), request, 0);
    for (Authenticator each : authenticators) {
      present = present == null ? each.beforehand(question) : present;
    }
  }

  /** The request with the current credentials, if any, unless the caller has set the field. */
  public Request dress(Request request) {
    return present == null || request.headers().contains(field)
        ? request
        : request.toBuilder().header(field, present.fieldValue()).build();
  }

  /**
   * Called after a refusal: looks for credentials that were not refused.
   *
   * @param request that was refused, without credentials that we added
   * @param response fields of the response
   * @return whether there are other credentials to send
   * @throws IOException if an authenticator fails the call
   */
  public boolean refused(Request request, Headers response) throws IOException {
    if (present != null) {
      if (refusals < MAX_REFUSALS) {
        refused.add(present);
      }
      present = null;
    }
    refusals++;
    if (request.headers().contains(field)) {
      return false;
    }
    List<Challenge> challenges = Challenge.in(response, challengeField);
    boolean over = challenges.isEmpty() || refusals > MAX_REFUSALS;
    Question question = new Question(by, proxy, challenges, request, refusals);
    for (Authenticator each : authenticators) {
      boolean alone = each.decidesAlone();
      Credentials answer = over && !alone ? null : each.answer(question);
      if (answer != null && (alone || !refused.contains(answer))) {
        present = answer;
        return true;
      }
    }
    return false;
  }
}
