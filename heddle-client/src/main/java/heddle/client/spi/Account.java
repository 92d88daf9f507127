package heddle.client.spi;

import heddle.client.spi.Authenticator.Question;
import heddle.http.Challenge;
import heddle.http.Origin;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A user name and a password, and who may ask for them.
 *
 * @param by the origin, or the proxy, expressed as an origin
 * @param realm the only one that a challenge may name; null for any
 */
record Account(Origin by, boolean proxy, String user, String password, @Nullable String realm) {
  Account inRealm(String name) {
    return new Account(by, proxy, user, password, name);
  }

  boolean isAskedBy(Question question) {
    return question.proxy() == proxy && question.by().equals(by);
  }

  boolean isOfRealm(Challenge challenge) {
    return realm == null || realm.equals(challenge.realm());
  }

  /** Latin-1 is customary, unless the challenge asks for UTF-8 or the text needs it. */
  static Charset charset(@Nullable Challenge challenge, String text) {
    boolean asked = challenge != null && "UTF-8".equalsIgnoreCase(challenge.parameter("charset"));
    return asked || text.chars().anyMatch(c -> c > 0xFF)
        ? StandardCharsets.UTF_8
        : StandardCharsets.ISO_8859_1;
  }

  /** The origin or proxy; without user name and password. */
  @Override
  public String toString() {
    return (proxy ? "the proxy " : "") + by;
  }
}
