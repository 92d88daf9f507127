package heddle.adapters.urlconnection;

import heddle.client.spi.Authenticator.Question;
import heddle.http.Challenge;
import heddle.http.Credentials;
import heddle.http.Method;
import heddle.http.Origin;
import java.net.Authenticator;
import java.net.Authenticator.RequestorType;
import java.net.PasswordAuthentication;
import java.net.URL;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Answers the challenges of one exchange by the Basic scheme, with credentials of the caller's or
 * the default {@link Authenticator}. Credentials are sent again to the same server or proxy without
 * a challenge. Used by one thread.
 */
final class Passwords {
  /** More answers than this are not kept. */
  private static final int MOST = 1_000;

  private record Asker(Authenticator authenticator, Origin by, boolean proxy) {}

  private static final Map<Asker, Credentials> KNOWN = new ConcurrentHashMap<>();

  private final @Nullable Authenticator authenticator;
  private final boolean identified;
  private final URL url;

  /**
   * @param authenticator null for none
   * @param identified whether the caller's own fields have credentials for the server
   */
  Passwords(@Nullable Authenticator authenticator, boolean identified, URL url) {
    this.authenticator = authenticator;
    this.identified = identified;
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
    return asker == null || !isAllowed(question) ? null : KNOWN.get(asker);
  }

  /** The credentials for a challenge; null for none. */
  @Nullable
  Credentials answer(Question question) {
    Asker asker = asker(question);
    Challenge basic = question.challenges().stream()
        .filter(each -> each.is("Basic"))
        .findFirst()
        .orElse(null);
    if (asker == null || basic == null || !isAllowed(question)) {
      return null;
    }
    KNOWN.remove(asker);
    Origin by = question.by();
    PasswordAuthentication given = asker
        .authenticator()
        .requestPasswordAuthenticationInstance(
            by.host(),
            null,
            by.port(),
            by.scheme(),
            basic.realm(),
            "basic",
            url,
            question.proxy() ? RequestorType.PROXY : RequestorType.SERVER);
    if (given == null) {
      return null;
    }
    Charset charset = "UTF-8".equalsIgnoreCase(basic.parameter("charset"))
        ? StandardCharsets.UTF_8
        : StandardCharsets.ISO_8859_1;
    Credentials credentials =
        Credentials.basic(given.getUserName(), new String(given.getPassword()), charset);
    if (KNOWN.size() < MOST) {
      KNOWN.put(asker, credentials);
    }
    return credentials;
  }

  /** The JDK's own properties disable schemes. By default they disable Basic for tunnels. */
  private static boolean isAllowed(Question question) {
    if (!question.proxy()) {
      return true;
    }
    String disabled = question.request().method().equals(Method.CONNECT)
        ? System.getProperty("jdk.http.auth.tunneling.disabledSchemes", "Basic")
        : System.getProperty("jdk.http.auth.proxying.disabledSchemes", "");
    return Arrays.stream(disabled.split(",", -1))
        .noneMatch(each -> each.strip().equalsIgnoreCase("Basic"));
  }
}
