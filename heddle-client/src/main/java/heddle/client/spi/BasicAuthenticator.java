package heddle.client.spi;

import heddle.http.Challenge;
import heddle.http.Credentials;
import heddle.http.Origin;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * User and password for one origin or one proxy, by the scheme Basic (RFC 7617). Where no TLS
 * protects them, everybody on the way can read them. Immutable.
 *
 * <pre>{@code
 * HttpClient client = HttpClient.builder()
 *     .authenticator(BasicAuthenticator.forOrigin(Origin.https("example.com", 443), "me", secret))
 *     .build();
 * }</pre>
 */
public final class BasicAuthenticator implements Authenticator {
  private final Origin by;
  private final boolean proxy;
  private final String user;
  private final String password;
  private final @Nullable String realm;
  private final boolean preemptive;

  private BasicAuthenticator(
      Origin by,
      boolean proxy,
      String user,
      String password,
      @Nullable String realm,
      boolean preemptive) {
    this.by = by;
    this.proxy = proxy;
    this.user = user;
    this.password = password;
    this.realm = realm;
    this.preemptive = preemptive;
    // What cannot be sent at all is refused here rather than in a call.
    Credentials.basic(user, password, StandardCharsets.UTF_8);
  }

  /**
   * For one origin: no other gets them, whatever it asks.
   *
   * @throws IllegalArgumentException if the user has a colon, or one of them a control character
   */
  public static BasicAuthenticator forOrigin(Origin origin, String user, String password) {
    return new BasicAuthenticator(origin, false, user, password, null, false);
  }

  /**
   * For one proxy, named as an origin.
   *
   * @throws IllegalArgumentException if the user has a colon, or one of them a control character
   */
  public static BasicAuthenticator forProxy(Origin proxy, String user, String password) {
    return new BasicAuthenticator(proxy, true, user, password, null, false);
  }

  /** For one realm of it alone, which the challenge has to name. */
  public BasicAuthenticator realm(String name) {
    return new BasicAuthenticator(by, proxy, user, password, name, preemptive);
  }

  /**
   * Sends them with each request, without being asked, which saves an exchange. By default they are
   * sent after a challenge only.
   */
  public BasicAuthenticator preemptive() {
    return new BasicAuthenticator(by, proxy, user, password, realm, true);
  }

  @Override
  public @Nullable Credentials answer(Question question) {
    if (!isAskedBy(question)) {
      return null;
    }
    for (Challenge challenge : question.challenges()) {
      if (challenge.is("Basic") && (realm == null || realm.equals(challenge.realm()))) {
        return credentials("UTF-8".equalsIgnoreCase(challenge.parameter("charset")));
      }
    }
    return null;
  }

  @Override
  public @Nullable Credentials beforehand(Question question) {
    return preemptive && isAskedBy(question) ? credentials(false) : null;
  }

  private boolean isAskedBy(Question question) {
    return question.proxy() == proxy && question.by().equals(by);
  }

  /** RFC 7617 §2.1: what no challenge says is Latin-1 by old custom, as far as that goes. */
  private Credentials credentials(boolean isUtf8Asked) {
    boolean latin = !isUtf8Asked && isLatin(user) && isLatin(password);
    Charset charset = latin ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8;
    return Credentials.basic(user, password, charset);
  }

  private static boolean isLatin(String text) {
    return text.chars().allMatch(c -> c <= 0xFF);
  }

  /** For whom; neither user nor password. */
  @Override
  public String toString() {
    return "Basic for " + (proxy ? "the proxy " : "") + by;
  }
}
