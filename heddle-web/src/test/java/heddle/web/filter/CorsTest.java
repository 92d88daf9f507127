package heddle.web.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.Method;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.spi.ExchangeHandler;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class CorsTest {
  private static final String APP = "https://app.example.com";
  private static final String ALLOW_ORIGIN = "Access-Control-Allow-Origin";

  private static final Cors CORS = Cors.builder()
      .origins(APP, "http://localhost:8080")
      .origins(origin -> origin.endsWith(".partner.example"))
      .methods(Method.GET, Method.PUT)
      .requestHeaders("Content-Type", "X-Token")
      .exposedHeaders("ETag", "X-Count")
      .credentials(true)
      .maxAge(Duration.ofMinutes(10))
      .build();

  private static final ExchangeHandler HELLO = exchange -> Response.ok("Hello").toBuilder()
      .header("X-Count", "1")
      .header(ALLOW_ORIGIN, "https://from.the.handler")
      .build();

  private static Served served(Cors cors, ExchangeHandler handler) throws Exception {
    return new Served(HttpVersion.HTTP_1_1, cors, handler);
  }

  private static Response preflight(Served served, String... fields) throws Exception {
    return served.client.send(served.request(Method.OPTIONS, "/", fields));
  }

  private static List<String> corsFields(Response response) {
    return response.headers().all(ALLOW_ORIGIN).isEmpty()
        ? namesOf(response.headers())
        : List.of("allowed");
  }

  private static List<String> namesOf(Headers headers) {
    List<String> names = new java.util.ArrayList<>();
    headers.forEach(field -> {
      if (field.name().toString().startsWith("Access-Control")) {
        names.add(field.name().toString());
      }
    });
    return names;
  }

  @ParameterizedTest
  @EnumSource(
      value = HttpVersion.class,
      names = {"HTTP_1_1", "HTTP_2"})
  void pagesOfAllowedOriginsMayReadResponses(HttpVersion version) throws Exception {
    ExchangeHandler begins = exchange -> {
      exchange.begin(HELLO.handle(exchange).withBody(Body.empty())).write('x');
      return null;
    };
    for (ExchangeHandler handler : List.of(HELLO, begins)) {
      try (Served served = new Served(version, CORS, handler)) {
        for (String origin : List.of(APP, "http://localhost:8080", "https://a.partner.example")) {
          Headers fields = served.get("/", "Origin", origin).headers();
          assertEquals(List.of(origin), fields.all(ALLOW_ORIGIN));
          assertEquals("true", fields.first("Access-Control-Allow-Credentials"));
          assertEquals("etag, x-count", lower(fields.first("Access-Control-Expose-Headers")));
          assertEquals("Origin", fields.first("Vary"));
        }
      }
    }
  }

  private static String lower(String text) {
    return text.toLowerCase(java.util.Locale.ROOT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://app.example.com.evil.example",
        "http://app.example.com",
        "https://APP.example.com",
        "https://app.example.com:444",
        "null",
        "*",
        ""
      })
  void otherOriginsGetTheResponseWithoutTheFields(String origin) throws Exception {
    try (Served served = served(CORS, HELLO)) {
      Response answer = served.get("/", "Origin", origin);
      assertEquals(List.of(), corsFields(answer));
      assertEquals("Origin", answer.headers().first("Vary"));
      assertEquals("Hello", answer.string());
      Response preflight =
          preflight(served, "Origin", origin, "Access-Control-Request-Method", "PUT");
      assertEquals(204, preflight.status().code());
      assertEquals(List.of(), corsFields(preflight));
      assertEquals("Origin", preflight.headers().first("Vary"));
    }
  }

  @Test
  void requestsOfNoOrTwoOriginsAreNotTouched() throws Exception {
    try (Served served = served(CORS, HELLO)) {
      Response answer = served.get("/");
      assertEquals(List.of(), corsFields(answer));
      assertEquals("Origin", answer.headers().first("Vary"));
      assertEquals(List.of(), corsFields(served.get("/", "Origin", APP, "Origin", APP)));
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = HttpVersion.class,
      names = {"HTTP_1_1", "HTTP_2"})
  void theFilterAnswersPreflightRequests(HttpVersion version) throws Exception {
    ExchangeHandler never = exchange -> Response.of(Status.IM_USED);
    try (Served served = new Served(version, CORS, never)) {
      Response answer = preflight(
          served,
          "Origin",
          APP,
          "Access-Control-Request-Method",
          "PUT",
          "Access-Control-Request-Headers",
          "x-token");
      Headers fields = answer.headers();
      assertEquals(204, answer.status().code());
      assertEquals(APP, fields.first(ALLOW_ORIGIN));
      assertEquals("true", fields.first("Access-Control-Allow-Credentials"));
      assertEquals("GET, PUT", fields.first("Access-Control-Allow-Methods"));
      assertEquals("content-type, x-token", lower(fields.first("Access-Control-Allow-Headers")));
      assertEquals("600", fields.first("Access-Control-Max-Age"));
      assertEquals("Origin", fields.first("Vary"));
    }
  }

  @Test
  void optionsThatAreNoPreflightReachTheHandler() throws Exception {
    try (Served served = served(CORS, HELLO)) {
      assertEquals("Hello", preflight(served, "Origin", APP).string());
      assertEquals(
          "Hello", preflight(served, "Access-Control-Request-Method", "PUT").string());
    }
  }

  @Test
  void allOriginsShareResponses() throws Exception {
    Cors open = Cors.builder().origins("*").requestHeaders("*").build();
    try (Served served = served(open, HELLO)) {
      Headers fields = served.get("/", "Origin", "null").headers();
      assertEquals(List.of("*"), fields.all(ALLOW_ORIGIN));
      assertTrue(fields.all("Vary").isEmpty());
      Headers preflight = preflight(
              served,
              "Origin",
              APP,
              "Access-Control-Request-Method",
              "GET",
              "Access-Control-Request-Headers",
              "authorization,x-a")
          .headers();
      assertEquals("authorization,x-a", preflight.first("Access-Control-Allow-Headers"));
      assertEquals("GET, HEAD, POST", preflight.first("Access-Control-Allow-Methods"));
      assertEquals("Access-Control-Request-Headers", preflight.first("Vary"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "app.example.com",
        "https://app.example.com/",
        "https://app.example.com:443",
        "http://app.example.com:80",
        "https://App.example.com",
        "https://*.example.com",
        "https://",
        "null",
        "https://a b"
      })
  void whatIsNoOriginIsRefused(String origin) {
    Cors.Builder builder = Cors.builder();
    String message = assertThrows(IllegalArgumentException.class, () -> builder.origins(origin))
        .getMessage();
    assertTrue(message.contains("'" + origin + "'"), message);
  }

  @Test
  void dangerousAndUselessSettingsAreRefused() {
    Cors.Builder all = Cors.builder().origins("*").credentials(true);
    assertThrows(IllegalStateException.class, all::build);
    assertThrows(IllegalStateException.class, Cors.builder()::build);
    assertThrows(
        IllegalStateException.class,
        Cors.builder().origins(APP).credentials(true).exposedHeaders("*")::build);
    assertThrows(
        IllegalArgumentException.class, () -> Cors.builder().maxAge(Duration.ofSeconds(-1)));
    assertThrows(IllegalArgumentException.class, () -> Cors.builder().requestHeaders("a b"));
  }
}
