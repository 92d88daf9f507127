package heddle.client.spi;

import heddle.http.Challenge;
import heddle.http.Credentials;
import heddle.http.Origin;
import heddle.http.Request;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Knows what to show to servers and proxies that ask who calls (RFC 9110 section 11). Called on the
 * thread that makes the call, which it may block; by many threads at the same time. {@link
 * BasicAuthenticator} is one; whoever knows another scheme, such as Bearer, writes one.
 *
 * <pre>{@code
 * Authenticator bearer = question ->
 *     question.by().equals(api)
 *             && question.challenges().stream().anyMatch(each -> each.is("Bearer"))
 *         ? Credentials.of("Bearer", tokens.fresh())
 *         : null;
 * }</pre>
 *
 * <p>An authenticator is asked by every origin that a call comes to, redirects among them, and by
 * HTTP proxies, and must look {@linkplain Question#by whom} it answers. What it answers is sent to
 * that one alone; what it answers a proxy, with all that the client sends there until that refuses
 * it, since the calls of a client share tunnels. A scheme that authenticates a connection rather
 * than a request, as NTLM does, cannot be had so.
 */
@FunctionalInterface
public interface Authenticator {
  /**
   * Credentials for one who has refused a request for want of them (401, 407). The request is sent
   * again with them, unless they are what was refused before in the same call.
   *
   * @return null for none; another authenticator is asked then, if there is one, and otherwise the
   *     caller gets the response, or a {@link heddle.http.failure.ProxyException} where a proxy was
   *     asked for a tunnel
   * @throws IOException to fail the call, as when they cannot be fetched; where a proxy has asked,
   *     it is the cause of a {@link heddle.http.failure.ProxyException}
   */
  @Nullable
  Credentials answer(Question question) throws IOException;

  /**
   * Credentials to send without being asked; none by default.
   *
   * @param question without challenges, attempt 0
   * @return null for none
   * @throws IOException to fail the call, as when they cannot be fetched
   */
  default @Nullable Credentials beforehand(Question question) throws IOException {
    return null;
  }

  /**
   * Whether it decides alone how often something is shown. It is asked each time then, also where
   * challenges are missing, and what it answers is shown even if that was refused before; it must
   * come to an end itself. By default what was refused is not shown again in the same call, and
   * nothing after five refusals.
   */
  default boolean decidesAlone() {
    return false;
  }

  /**
   * Who asks for credentials, and for what.
   *
   * @param by the origin that asks, or the proxy as an origin of its own
   * @param proxy whether it is a proxy
   * @param challenges what it understands, in its order; empty where it has not asked yet, or does
   *     not say
   * @param request what is to be authenticated: for a tunnel through a proxy the CONNECT
   * @param attempt how often it has refused in this call, or a proxy this request; 0 where it was
   *     not asked yet
   */
  record Question(
      Origin by, boolean proxy, List<Challenge> challenges, Request request, int attempt) {
    public Question {
      challenges = List.copyOf(challenges);
    }
  }
}
