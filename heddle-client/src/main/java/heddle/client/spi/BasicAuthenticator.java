package heddle.client.spi;

import heddle.http.Challenge;
import heddle.http.Credentials;
import heddle.http.Origin;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * User name and password for one origin or one proxy, by the Basic scheme (RFC 7617). Without TLS,
 * anyone on the network path can read them. Immutable.
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
    // Fails now, rather than in a call, if they cannot be sent.
    Credentials.basic(user, password, StandardCharsets.UTF_8);
  }

  /**
   * For one origin; no other origin gets the credentials.
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

  /** The same authenticator for one realm only, which the challenge has to name. */
  public BasicAuthenticator realm(String name) {
    return new BasicAuthenticator(by, proxy, user, password, name, preemptive);
  }

  /** The same authenticator, which sends credentials without being asked, to save an exchange. */
  public BasicAuthenticator preemptive() {
    return new BasicAuthenticator(by, proxy, user, password, realm, true);
  }

  @Override
  public @Nullable Credentials answer(Question question) {
    for (Challenge challenge : question.challenges()) {
      boolean suits = challenge.is("Basic") && (realm == null || realm.equals(challenge.realm()));
      if (suits && isAskedBy(question)) {
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

  /** RFC 7617 §2.1: Latin-1 is customary, unless the challenge asks for UTF-8 or it is needed. */
  private Credentials credentials(boolean isUtf8Asked) {
    boolean latin = !isUtf8Asked && isLatin(user) && isLatin(password);
    Charset charset = latin ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8;
    return Credentials.basic(user, password, charset);
  }

  private static boolean isLatin(String text) {
    return text.chars().allMatch(c -> c <= 0xFF);
  }

  /** The origin or proxy; without user name and password. */
  @Override
  public String toString() {
    return "Basic for " + (proxy ? "the proxy " : "") + by;
  }
}
