package heddle.web.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.spi.ExchangeHandler;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class RequestIdTest {
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

  @ParameterizedTest
  @CsvSource({
    "a-Z_0.9:+/=@, 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01, a-Z_0.9:+/=@",
    "not valid, 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01, " + TRACE,
    "'', 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01, " + TRACE,
  })
  void theIdIsTheClientsOrThatOfItsTrace(String id, String parent, String expected) {
    assertEquals(expected, RequestId.id(Headers.of("X-Request-Id", id, "traceparent", parent)));
  }

  @ParameterizedTest
  @CsvSource({
    "a\"b, ''",
    "'', 00-00000000000000000000000000000000-b7ad6b7169203331-01",
    "'', 00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
    "'', ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    "'', 00-0af7651916cd43dd8448eb211c80319c",
  })
  void otherwiseItIsRandom(String id, String parent) {
    Headers request = Headers.of("X-Request-Id", id, "traceparent", parent);
    String made = RequestId.id(request);
    assertTrue(made.matches("[0-9a-f]{32}"), made);
    assertNotEquals(made, RequestId.id(request));
    assertTrue(RequestId.id(Headers.of("X-Request-Id", "x".repeat(129))).length() == 32);
  }

  @Test
  void handlersSeeTheIdAndTheResponseHasIt() throws Exception {
    ExchangeHandler returns = exchange -> Response.ok(String.valueOf(exchange.get(RequestId.ID)));
    ExchangeHandler begins = exchange -> {
      exchange
          .begin(Response.of(Status.OK))
          .write(String.valueOf(exchange.get(RequestId.ID)).getBytes(StandardCharsets.US_ASCII));
      return null;
    };
    for (ExchangeHandler handler : List.of(returns, begins)) {
      try (Served served = new Served(HttpVersion.HTTP_1_1, new RequestId(), handler)) {
        Response answer = served.get("/", "X-Request-Id", "r-1");
        assertEquals("r-1", answer.headers().first("X-Request-Id"));
        assertEquals("r-1", answer.string());
      }
    }
  }
}
