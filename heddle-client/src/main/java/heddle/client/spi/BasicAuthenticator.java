package heddle.client.spi;

import heddle.http.Challenge;
import heddle.http.Credentials;
import heddle.http.Origin;
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
  private final Account account;
  private final boolean preemptive;

  private BasicAuthenticator(Account account, boolean preemptive) {
    this.account = account;
    this.preemptive = preemptive;
    // Fails now, rather than in a call, if they cannot be sent.
    Credentials.basic(account.user(), account.password(), StandardCharsets.UTF_8);
  }

  /**
   * For one origin; no other origin gets the credentials.
   *
   * @throws IllegalArgumentException if the user has a colon, or one of them a control character
   */
  public static BasicAuthenticator forOrigin(Origin origin, String user, String password) {
    return new BasicAuthenticator(new Account(origin, false, user, password, null), false);
  }

  /**
   * For one proxy, named as an origin.
   *
   * @throws IllegalArgumentException if the user has a colon, or one of them a control character
   */
  public static BasicAuthenticator forProxy(Origin proxy, String user, String password) {
    return new BasicAuthenticator(new Account(proxy, true, user, password, null), false);
  }

  /** The same authenticator for one realm only, which the challenge has to name. */
  public BasicAuthenticator realm(String name) {
    return new BasicAuthenticator(account.inRealm(name), preemptive);
  }

  /** The same authenticator, which sends credentials without being asked, to save an exchange. */
  public BasicAuthenticator preemptive() {
    return new BasicAuthenticator(account, true);
  }

  @Override
  public @Nullable Credentials answer(Question question) {
    for (Challenge challenge : question.challenges()) {
      boolean suits = challenge.is("Basic") && account.isOfRealm(challenge);
      if (suits && account.isAskedBy(question)) {
        return credentials(challenge);
      }
    }
    return null;
  }

  @Override
  public @Nullable Credentials beforehand(Question question) {
    return preemptive && account.isAskedBy(question) ? credentials(null) : null;
  }

  /** RFC 7617 §2.1. */
  private Credentials credentials(@Nullable Challenge challenge) {
    String user = account.user();
    String password = account.password();
    return Credentials.basic(user, password, Account.charset(challenge, user + password));
  }

  /** The origin or proxy; without user name and password. */
  @Override
  public String toString() {
    return "Basic for " + account;
  }
}
