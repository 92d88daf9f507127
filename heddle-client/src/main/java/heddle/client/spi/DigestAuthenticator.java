package heddle.client.spi;

import heddle.http.Challenge;
import heddle.http.Credentials;
import heddle.http.Origin;
import heddle.http.Request;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * User name and password for one origin or one proxy, by the Digest scheme (RFC 7616), which does
 * not send the password. It authenticates requests and not their content ({@code qop=auth}), with
 * MD5, SHA-256 and SHA-512/256, and with {@code userhash}. Thread-safe.
 *
 * <pre>{@code
 * HttpClient client = HttpClient.builder()
 *     .authenticator(DigestAuthenticator.forOrigin(Origin.http("camera.local", 80), "me", secret))
 *     .build();
 * }</pre>
 *
 * <p>After the first challenge, later requests are sent with an answer to it, so that each costs
 * one exchange only, until the server wants another nonce. A refused answer is repeated only if the
 * server says that its nonce was stale: otherwise the password is wrong.
 */
public final class DigestAuthenticator implements Authenticator {
  private final Account account;
  private final boolean forwarded;

  /** Answers the latest challenge; null before the first. */
  private final AtomicReference<@Nullable DigestSession> session = new AtomicReference<>();

  private DigestAuthenticator(Account account, boolean forwarded) {
    this.account = account;
    this.forwarded = forwarded;
  }

  /** For one origin; no other origin gets the credentials. */
  public static DigestAuthenticator forOrigin(Origin origin, String user, String password) {
    return new DigestAuthenticator(new Account(origin, false, user, password, null), false);
  }

  /** For one proxy, named as an origin. */
  public static DigestAuthenticator forProxy(Origin proxy, String user, String password) {
    return new DigestAuthenticator(new Account(proxy, true, user, password, null), false);
  }

  /** An authenticator for one realm only, which the challenge has to name. */
  public DigestAuthenticator realm(String name) {
    return new DigestAuthenticator(account.inRealm(name), forwarded);
  }

  /**
   * An authenticator for an origin that is reached through a proxy without a tunnel: the answer
   * names the whole URL then, as the request line does (RFC 9112 section 3.2.2).
   */
  public DigestAuthenticator forwarded() {
    return new DigestAuthenticator(account, true);
  }

  /**
   * Whether a challenge can be answered: its scheme is Digest, it has what RFC 7616 requires, and
   * its algorithm and quality of protection are known here.
   */
  public static boolean canAnswer(Challenge challenge) {
    return DigestSession.canAnswer(challenge);
  }

  /** The algorithm of a challenge in capitals, without {@code -sess}; MD5 if it names none. */
  public static String algorithm(Challenge challenge) {
    return DigestSession.algorithm(challenge);
  }

  @Override
  public @Nullable Credentials answer(Question question) {
    for (Challenge challenge : question.challenges()) {
      boolean suits = canAnswer(challenge) && account.isOfRealm(challenge);
      if (suits && account.isAskedBy(question)) {
        boolean stale = "true".equalsIgnoreCase(challenge.parameter("stale"));
        if (stale || question.attempt() < 2) {
          return answered(challenge, question);
        }
        session.set(null); // The next call does not send what is refused anyway.
        return null;
      }
    }
    return null;
  }

  private Credentials answered(Challenge challenge, Question question) {
    DigestSession known = session.get();
    DigestSession answers =
        known != null && known.isOf(challenge) ? known : new DigestSession(challenge, account);
    session.set(answers);
    return answer(answers, question);
  }

  @Override
  public @Nullable Credentials beforehand(Question question) {
    DigestSession known = session.get();
    return known != null && account.isAskedBy(question) ? answer(known, question) : null;
  }

  /** True: the answer is different for each request. */
  @Override
  public boolean keepsAnswers() {
    return true;
  }

  private Credentials answer(DigestSession answers, Question question) {
    Request request = question.request();
    boolean whole = forwarded || account.proxy();
    return answers.answer(
        request.method().toString(), whole ? request.absoluteTarget() : request.target());
  }

  /** The origin or proxy; without user name and password. */
  @Override
  public String toString() {
    return "Digest for " + account;
  }
}
