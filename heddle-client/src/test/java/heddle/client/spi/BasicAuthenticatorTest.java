package heddle.client.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.spi.Authenticator.Question;
import heddle.http.Challenge;
import heddle.http.Credentials;
import heddle.http.Origin;
import heddle.http.Request;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** User and password, for whom and in which charset (RFC 7617). */
class BasicAuthenticatorTest {
  private static final Origin HERE = Origin.https("example.com", 443);
  private static final BasicAuthenticator UMLAUT =
      BasicAuthenticator.forOrigin(HERE, "me", "\u00fc");

  private static Question asked(String challenges) throws IOException {
    List<Challenge> all = challenges.isEmpty() ? List.of() : Challenge.parse(challenges);
    return new Question(HERE, false, all, Request.get(HERE + "/"), all.isEmpty() ? 0 : 1);
  }

  private static String answer(BasicAuthenticator knows, String challenges) throws IOException {
    Credentials answer = knows.answer(asked(challenges));
    assertNotNull(answer);
    return answer.fieldValue();
  }

  @Test
  void theCharsetIsThatOfTheChallengeAndLatin1ByCustom() throws IOException {
    assertEquals("Basic bWU6w7w=", answer(UMLAUT, "Basic realm=x, charset=\"utf-8\""));
    assertEquals("Basic bWU6/A==", answer(UMLAUT, "Basic realm=x"));
    BasicAuthenticator euro = BasicAuthenticator.forOrigin(HERE, "me", "\u20ac");
    assertEquals("Basic bWU64oKs", answer(euro, "Basic realm=x"));
  }

  @Test
  void otherSchemesAndOtherRealmsAreNotAnswered() throws IOException {
    assertNull(UMLAUT.answer(asked("Digest realm=x, Negotiate")));
    assertNotNull(UMLAUT.answer(asked("Digest realm=x, bAsIc realm=y")));
    assertNull(UMLAUT.realm("mine").answer(asked("Basic realm=other, Basic")));
    assertNotNull(UMLAUT.realm("mine").answer(asked("Basic realm=other, Basic realm=mine")));
  }

  @Test
  void nothingIsSentUnaskedUnlessItWasSaidSo() throws IOException {
    assertNull(UMLAUT.beforehand(asked("")));
    assertNotNull(UMLAUT.preemptive().beforehand(asked("")));
    Question elsewhere =
        new Question(Origin.http("example.com", 80), false, List.of(), asked("").request(), 0);
    assertNull(UMLAUT.preemptive().beforehand(elsewhere));
    Question proxy = new Question(HERE, true, List.of(), asked("").request(), 0);
    assertNull(UMLAUT.preemptive().beforehand(proxy));
    assertNotNull(BasicAuthenticator.forProxy(HERE, "me", "x").preemptive().beforehand(proxy));
  }

  @Test
  void invalidUserIsRefusedAndTextHidesCredentials() {
    assertThrows(
        IllegalArgumentException.class, () -> BasicAuthenticator.forOrigin(HERE, "a:b", "x"));
    String text = BasicAuthenticator.forOrigin(HERE, "somebody", "secret").toString();
    assertTrue(text.contains("example.com"), text);
    assertFalse(text.contains("somebody") || text.contains("secret"), text);
  }
}
