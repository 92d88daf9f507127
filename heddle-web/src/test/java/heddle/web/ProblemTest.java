package heddle.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.http.Response;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Problem details by RFC 9457. */
final class ProblemTest {
  @Test
  void membersAreWrittenInJson() {
    Problem problem = Problem.of(409)
        .type(URI.create("https://example.com/sent"))
        .detail("order 17 was sent")
        .instance(URI.create("/orders/17"))
        .with("order", 17)
        .with("final", true);
    assertEquals(
        "{\"title\":\"Conflict\",\"status\":409,\"type\":\"https://example.com/sent\","
            + "\"detail\":\"order 17 was sent\",\"instance\":\"/orders/17\",\"order\":17,"
            + "\"final\":true}",
        problem.toJson());
    assertEquals("409 Conflict: order 17 was sent", problem.toString());
  }

  @Test
  void aResponseHasTheStatusAndTheMediaType() throws Exception {
    Response response = Problem.of(404).detail("gone").title("No user").toResponse();
    assertEquals(404, response.status().code());
    assertEquals("application/problem+json", response.headers().first("Content-Type"));
    assertEquals("{\"title\":\"No user\",\"status\":404,\"detail\":\"gone\"}", response.string());
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "a\"b, a\\\"b",
        "a\\b, a\\\\b",
        "a\u0001b, a\\u0001b",
        "a\u007Fb, a\\u007fb",
        "a\uD800b, a\\ud800b",
        "a\uDC00b, a\\udc00b",
        "\uD83D\uDE00, \uD83D\uDE00",
        "\u00E4</script>, \u00E4</script>"
      })
  void textIsEscapedWhereJsonDemandsIt(String text, String escaped) {
    String json = Problem.of(400).detail(text).toJson();
    assertEquals("{\"title\":\"Bad Request\",\"status\":400,\"detail\":\"" + escaped + "\"}", json);
  }

  @Test
  void lineBreaksAreEscaped() {
    String json = Problem.of(599).detail("a\r\n\tb").toJson();
    assertEquals("{\"status\":599,\"detail\":\"a\\r\\n\\tb\"}", json);
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 304, 399, 600})
  void aStatusOfNoErrorIsRefused(int status) {
    assertThrows(IllegalArgumentException.class, () -> Problem.of(status));
  }

  @Test
  void extensionsAreSimpleValuesWithNamesThatAreFree() {
    Problem problem = Problem.of(400);
    assertThrows(IllegalArgumentException.class, () -> problem.with("status", 1));
    assertThrows(IllegalArgumentException.class, () -> problem.with("a", Double.NaN));
    assertThrows(IllegalArgumentException.class, () -> problem.with("a", new Object()));
  }

  @Test
  void aDetailCanBeRemoved() {
    assertEquals(Problem.of(400), Problem.of(400).detail("a").detail(null));
  }
}
