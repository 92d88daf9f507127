package heddle.client.spi;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import heddle.client.spi.Authenticator.Question;
import heddle.http.Challenge;
import heddle.http.Credentials;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Origin;
import heddle.http.Request;
import heddle.testwatch.FuzzTarget;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** What a server demands of its users. */
enum DigestTarget implements FuzzTarget {
  CHALLENGES;

  /** A challenge that can be answered is, with credentials that name what it named. */
  @Override
  public void run(byte[] input) throws IOException {
    Headers fields;
    try {
      fields = Headers.of("WWW-Authenticate", new String(input, ISO_8859_1));
    } catch (IllegalArgumentException e) {
      return; // No response can have such a field.
    }
    List<Challenge> challenges = Challenge.in(fields, HeaderName.WWW_AUTHENTICATE);
    Origin here = Origin.http("a", 80);
    for (String user : List.of("me", "m\u00e9 \"\\")) {
      DigestAuthenticator digest = DigestAuthenticator.forOrigin(here, user, "secr\u00e9t");
      Question question = new Question(here, false, challenges, Request.get("http://a/b?c"), 1);
      Credentials credentials = digest.answer(question);
      Challenge first =
          challenges.stream().filter(DigestAuthenticator::canAnswer).findFirst().orElse(null);
      assertEquals(first == null, credentials == null);
      if (first != null) {
        check(first, credentials);
        check(first, digest.beforehand(question));
      }
    }
  }

  private static void check(Challenge challenge, Credentials credentials) {
    assertNotNull(credentials);
    String value =
        Headers.of("Authorization", credentials.fieldValue()).first(HeaderName.AUTHORIZATION);
    // Their grammar is that of a challenge (RFC 9110 section 11.4).
    List<Challenge> read = Challenge.parse(value);
    assertEquals(1, read.size(), value);
    for (String each : List.of("realm", "nonce", "opaque", "algorithm")) {
      assertEquals(challenge.parameter(each), read.getFirst().parameter(each), value);
    }
  }

  @Override
  public List<byte[]> seeds() {
    return Arrays.stream(new String[] {
          "Digest realm=\"a\", nonce=\"b\", qop=\"auth, auth-int\", algorithm=SHA-256-sess",
          "Basic realm=\"a\", Digest realm=a, nonce=\"\\\"\\\\\", opaque=\"\", userhash=true",
          "Digest realm=\"a\", nonce=\"b\", charset=UTF-8, algorithm=SHA-512-256, stale=true",
          "Digest realm=\"a\", qop=auth-int",
          "Digest abc=="
        })
        .map(text -> text.getBytes(ISO_8859_1))
        .toList();
  }
}
