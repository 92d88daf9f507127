package heddle.adapters.urlconnection;

import heddle.client.spi.Authenticator.Question;
import heddle.client.spi.BasicAuthenticator;
import heddle.client.spi.DigestAuthenticator;
import heddle.http.Challenge;
import heddle.http.Credentials;
import heddle.http.Method;
import heddle.http.Origin;
import java.net.Authenticator;
import java.net.Authenticator.RequestorType;
import java.net.PasswordAuthentication;
import java.net.URL;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Answers the challenges of one request by the schemes Digest and Basic, with credentials of the
 * caller's or the default {@link Authenticator}. Credentials are sent again to the same server or
 * proxy without a challenge. Used by one thread.
 */
final class Passwords {
  /** More answers than this are not kept. */
  private static final int MOST = 1_000;

  private record Asker(Authenticator authenticator, Origin by, boolean proxy) {}

  /**
   * @param answers makes the credentials for a request
   */
  private record Given(String user, String password, Function<Question, Credentials> answers) {}

  private static final Map<Asker, Given> KNOWN = new ConcurrentHashMap<>();

  private final @Nullable Authenticator authenticator;
  private final boolean identified;
  private final boolean forwarded;
  private final URL url;

  /** What was answered to challenges of this request. */
  private final Map<Asker, Given> sent = new HashMap<>();

  /**
   * @param authenticator null for none
   * @param identified whether the caller's own fields have credentials for the server
   * @param forwarded whether a proxy gets the request without a tunnel
   */
  Passwords(@Nullable Authenticator authenticator, boolean identified, boolean forwarded, URL url) {
    this.authenticator = authenticator;
    this.identified = identified;
    this.forwarded = forwarded;
    this.url = url;
  }

  private @Nullable Asker asker(Question question) {
    Authenticator asked = authenticator;
    return asked == null || (identified && !question.proxy())
        ? null
        : new Asker(asked, question.by(), question.proxy());
  }

  /** The credentials that were given for this server or proxy before; null for none. */
  @Nullable
  Credentials known(Question question) {
    Asker asker = asker(question);
    Given given = asker == null ? null : KNOWN.get(asker);
    Credentials credentials = given == null ? null : given.answers().apply(question);
    return credentials == null || !isAllowed(question, credentials.scheme()) ? null : credentials;
  }

  /** The credentials for a challenge; null for none. */
  @Nullable
  Credentials answer(Question question) {
    Asker asker = asker(question);
    Challenge challenge = challenge(question);
    if (asker == null || challenge == null) {
      return null;
    }
    boolean stale = "true".equalsIgnoreCase(challenge.parameter("stale"));
    Given before = KNOWN.remove(asker);
    Given given = stale && before != null
        ? given(asker, challenge, before.user(), before.password())
        : ask(asker, challenge);
    Given refused = stale || given == null ? null : sent.put(asker, given);
    if (given == null
        || (refused != null
            && refused.user().equals(given.user())
            && refused.password().equals(given.password()))) {
      return null;
    }
    if (KNOWN.size() < MOST) {
      KNOWN.put(asker, given);
    }
    return given.answers().apply(question);
  }

  private @Nullable Given ask(Asker asker, Challenge challenge) {
    Origin by = asker.by();
    PasswordAuthentication given = asker
        .authenticator()
        .requestPasswordAuthenticationInstance(
            by.host(),
            null,
            by.port(),
            asker.proxy() ? url.getProtocol() : by.scheme(),
            challenge.realm(),
            challenge.scheme().toLowerCase(Locale.ROOT),
            url,
            asker.proxy() ? RequestorType.PROXY : RequestorType.SERVER);
    return given == null
        ? null
        : given(asker, challenge, given.getUserName(), new String(given.getPassword()));
  }

  private Given given(Asker asker, Challenge challenge, String user, String password) {
    Function<Question, @Nullable Credentials> answers = challenge.is("Basic")
        ? basic(asker, user, password)::answer
        : digest(asker, user, password)::answer;
    return new Given(user, password, question -> answer(answers, challenge, question));
  }

  private static BasicAuthenticator basic(Asker asker, String user, String password) {
    return asker.proxy()
        ? BasicAuthenticator.forProxy(asker.by(), user, password)
        : BasicAuthenticator.forOrigin(asker.by(), user, password);
  }

  private DigestAuthenticator digest(Asker asker, String user, String password) {
    DigestAuthenticator digest = asker.proxy()
        ? DigestAuthenticator.forProxy(asker.by(), user, password)
        : DigestAuthenticator.forOrigin(asker.by(), user, password);
    return forwarded ? digest.forwarded() : digest;
  }

  /** The answer to this challenge, for this request. */
  private static Credentials answer(
      Function<Question, @Nullable Credentials> answers, Challenge challenge, Question question) {
    Question asked =
        new Question(question.by(), question.proxy(), List.of(challenge), question.request(), 1);
    return Objects.requireNonNull(answers.apply(asked), "it can be answered");
  }

  /** The challenge to answer: Digest is preferred, as it does not send the password. */
  private static @Nullable Challenge challenge(Question question) {
    Challenge basic = null;
    for (Challenge each : question.challenges()) {
      if (canAnswer(each) && isAllowed(question, "Digest")) {
        return each;
      }
      if (basic == null && each.is("Basic") && isAllowed(question, "Basic")) {
        basic = each;
      }
    }
    return basic;
  }

  /** Whether Digest can answer it, and the JDK's own properties enable its algorithm. */
  static boolean canAnswer(Challenge challenge) {
    String algorithm = DigestAuthenticator.algorithm(challenge);
    boolean disabled =
        lists(System.getProperty("http.auth.digest.disabledAlgorithms", "MD5, SHA-1"), algorithm);
    return DigestAuthenticator.canAnswer(challenge)
        && (!disabled
            || lists(System.getProperty("http.auth.digest.reEnabledAlgorithms", ""), algorithm));
  }

  /** The JDK's own properties disable schemes. By default they disable Basic for tunnels. */
  private static boolean isAllowed(Question question, String scheme) {
    if (!question.proxy()) {
      return true;
    }
    String disabled = question.request().method().equals(Method.CONNECT)
        ? System.getProperty("jdk.http.auth.tunneling.disabledSchemes", "Basic")
        : System.getProperty("jdk.http.auth.proxying.disabledSchemes", "");
    return !lists(disabled, scheme);
  }

  /** Whether a list with commas has a name, ignoring case. */
  private static boolean lists(String list, String name) {
    return Arrays.stream(list.split(",", -1)).anyMatch(each -> each.strip().equalsIgnoreCase(name));
  }
}
