package heddle.adapters.apache5;

import heddle.adapters.support.lease.Tunnels;
import heddle.client.spi.Authenticator;
import heddle.http.Challenge;
import heddle.http.Credentials;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.auth.AuthChallenge;
import org.apache.hc.client5.http.auth.AuthScheme;
import org.apache.hc.client5.http.auth.AuthenticationException;
import org.apache.hc.client5.http.auth.ChallengeType;
import org.apache.hc.client5.http.auth.MalformedChallengeException;
import org.apache.hc.client5.http.impl.DefaultAuthenticationStrategy;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.Method;
import org.apache.hc.core5.http.NameValuePair;
import org.apache.hc.core5.http.message.BasicHttpRequest;
import org.apache.hc.core5.http.message.BasicNameValuePair;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.jspecify.annotations.Nullable;

/**
 * A request through a tunnel, which authenticates to the proxy by the schemes and credentials of
 * Apache's context. Heddle opens the tunnel on the thread of the request that needs it.
 *
 * @param proxy opens the tunnel
 * @param connect Apache's CONNECT request, or an equal one
 */
record Tunnel(HttpHost proxy, HttpRequest connect, HttpClientContext context)
    implements Authenticator {
  /**
   * Returns the tunnel of a request.
   *
   * @param asked Apache's CONNECT request; null if it has sent none
   */
  static Tunnel of(HttpRoute route, @Nullable HttpRequest asked, HttpContext context) {
    HttpHost target = route.getTargetHost();
    return new Tunnel(
        route.getProxyHost(),
        asked == null ? new BasicHttpRequest(Method.CONNECT, target, target.toHostString()) : asked,
        HttpClientContext.castOrCreate(context));
  }

  @Override
  public @Nullable Credentials answer(Question question) throws IOException {
    return answer(question.challenges());
  }

  /** Credentials that Apache sends preemptively. */
  @Override
  public @Nullable Credentials beforehand(Question question) {
    Header field = connect.getFirstHeader(HttpHeaders.PROXY_AUTHORIZATION);
    return field == null ? null : Tunnels.credentials(field.getValue());
  }

  private @Nullable Credentials answer(List<Challenge> challenges) throws IOException {
    Map<String, AuthChallenge> known = new LinkedHashMap<>();
    for (Challenge each : challenges) {
      known.put(each.scheme().toLowerCase(Locale.ROOT), challenge(each));
    }
    for (AuthScheme scheme :
        DefaultAuthenticationStrategy.INSTANCE.select(ChallengeType.PROXY, known, context)) {
      AuthChallenge challenge = known.get(scheme.getName().toLowerCase(Locale.ROOT));
      Credentials shown = challenge == null ? null : answer(scheme, challenge);
      if (shown != null) {
        return shown;
      }
    }
    return null;
  }

  private static AuthChallenge challenge(Challenge given) {
    List<NameValuePair> parameters = new ArrayList<>();
    given
        .parameters()
        .forEach((name, value) -> parameters.add(new BasicNameValuePair(name, value)));
    return new AuthChallenge(ChallengeType.PROXY, given.scheme(), given.token68(), parameters);
  }

  private @Nullable Credentials answer(AuthScheme scheme, AuthChallenge challenge)
      throws IOException {
    if (scheme.isConnectionBased()) {
      return null;
    }
    try {
      scheme.processChallenge(proxy, true, challenge, context);
      return scheme.isResponseReady(proxy, context.getCredentialsProvider(), context)
          ? Tunnels.credentials(scheme.generateAuthResponse(proxy, connect, context))
          : null;
    } catch (MalformedChallengeException e) {
      // Another scheme may succeed; otherwise the caller gets the response.
      return null;
    } catch (AuthenticationException e) {
      throw new IOException(
          "the challenge of the proxy " + proxy + " cannot be answered: " + e.getMessage(), e);
    }
  }
}
