package heddle.client.spi;

import heddle.http.Challenge;
import heddle.http.Credentials;
import heddle.http.Origin;
import heddle.http.Request;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Has credentials for servers and proxies that ask for them (RFC 9110 section 11), such as {@link
 * BasicAuthenticator} and {@link DigestAuthenticator}. Called on the thread that makes the call,
 * which it may block; by many threads at the same time.
 *
 * <pre>{@code
 * Authenticator bearer = question ->
 *     question.by().equals(api)
 *             && question.challenges().stream().anyMatch(each -> each.is("Bearer"))
 *         ? Credentials.of("Bearer", tokens.fresh())
 *         : null;
 * }</pre>
 *
 * <p>An authenticator is asked for every origin that a call reaches, including those of redirects,
 * and for HTTP proxies, so it must check {@linkplain Question#by who} asks. Credentials are sent
 * only to the one that asked. Those for a proxy are sent with all that the client sends there until
 * the proxy refuses them, since the calls of a client share tunnels. Schemes that authenticate a
 * connection rather than a request, such as NTLM, are not possible.
 */
@FunctionalInterface
public interface Authenticator {
  /**
   * Credentials for an origin or a proxy that has refused a request without them (401, 407). The
   * request is sent again with them, unless they were refused before in the same call.
   *
   * @return null for none: the next authenticator is asked then; after the last, the caller gets
   *     the response, or a {@link heddle.http.failure.ProxyException} if the proxy refused a tunnel
   * @throws IOException to fail the call, for example because credentials cannot be fetched; if a
   *     proxy has asked, it is the cause of a {@link heddle.http.failure.ProxyException}
   */
  @Nullable
  Credentials answer(Question question) throws IOException;

  /**
   * Credentials to send without being asked; none by default.
   *
   * @param question without challenges, attempt 0
   * @return null for none
   * @throws IOException to fail the call, for example because credentials cannot be fetched
   */
  default @Nullable Credentials beforehand(Question question) throws IOException {
    return null;
  }

  /**
   * Whether this authenticator limits its answers itself: then it is asked after each refusal, even
   * without challenges, and its answer is sent even if it was refused before. By default refused
   * credentials are not sent again in the same call, and after five refusals it is not asked.
   */
  default boolean decidesAlone() {
    return false;
  }

  /**
   * Whether {@link #beforehand} returns what a proxy was answered before. By default the client
   * keeps the last answer for each proxy, and sends it with all its calls.
   */
  default boolean keepsAnswers() {
    return false;
  }

  /**
   * Who asks for credentials, and for what.
   *
   * @param by the origin that asks, or the proxy, expressed as an origin
   * @param proxy whether it is a proxy
   * @param challenges the schemes that it accepts, in its order; empty if it names none
   * @param request to authenticate; the CONNECT for a tunnel through a proxy
   * @param attempt how often the origin has refused in this call, or the proxy this request
   */
  record Question(
      Origin by, boolean proxy, List<Challenge> challenges, Request request, int attempt) {
    /** Copies the list. */
    public Question {
      challenges = List.copyOf(challenges);
    }
  }
}
