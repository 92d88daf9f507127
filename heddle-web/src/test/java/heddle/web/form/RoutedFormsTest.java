package heddle.web.form;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Body;
import heddle.http.MediaType;
import heddle.http.Request;
import heddle.http.Response;
import heddle.web.Router;
import heddle.web.testkit.TestExchange;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a router answers to forms that cannot be read. */
class RoutedFormsTest {
  private static final Router ROUTER = Router.builder()
      .post("/", exchange -> {
        FormLimits limits = FormLimits.builder().maxTextBytes(10).build();
        try (FormData form = FormData.read(exchange.request(), limits)) {
          return Response.ok("read " + form.first("a"));
        }
      })
      .onError(IOException.class, (exchange, e) -> Response.ok("handled"))
      .onStatus(415, (exchange, e) -> Response.ok("another type"))
      .build();

  @ParameterizedTest
  @CsvSource({
    "application/x-www-form-urlencoded, a=1, 200, read 1",
    "application/x-www-form-urlencoded, a=%, 400, malformed",
    "application/x-www-form-urlencoded, a=123456789, 413, more than 10 bytes",
    "multipart/form-data; boundary=B, --B, 400, last boundary",
    "text/plain, a=1, 200, another type"
  })
  void routerAnswersWithTheStatus(String type, String content, int status, String text)
      throws Exception {
    Request request =
        Request.post("http://site/", Body.of(content.getBytes(US_ASCII), MediaType.parse(type)));
    Response response = TestExchange.call(ROUTER, request);
    assertEquals(status, response.status().code());
    String answer = response.string();
    assertTrue(answer.contains(text), answer);
    assertFalse(answer.contains("FormLimits"), "settings are not for clients");
  }
}
