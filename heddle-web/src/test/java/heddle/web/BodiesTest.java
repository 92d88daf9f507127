package heddle.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.http.Body;
import heddle.http.BodyCodec;
import heddle.http.BodyCodecException;
import heddle.http.GenericType;
import heddle.http.Headers;
import heddle.http.MediaType;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.web.testkit.TestExchange;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values in requests and responses. */
final class BodiesTest {
  private static final int MOST = 10;

  /** Numbers as text. */
  private static final class NumberCodec implements BodyCodec {
    @Override
    public Body encode(Object value) {
      return Body.of(value.toString(), MediaType.APPLICATION_JSON);
    }

    @Override
    public Object decode(InputStream content, Type type) throws IOException {
      byte[] bytes = content.readAllBytes();
      try {
        Integer number = Integer.valueOf(new String(bytes, StandardCharsets.UTF_8).strip());
        return type == Integer.class ? number : List.of(number);
      } catch (NumberFormatException e) {
        throw new BodyCodecException(e.getMessage(), e);
      }
    }
  }

  private static Router.Builder builder() {
    return Router.builder()
        .post("/", exchange -> exchange.respond(201, exchange.bodyAs(Integer.class) + 1))
        .post(
            "/list",
            exchange -> exchange.respond(
                exchange.bodyAs(new GenericType<List<Integer>>() {}).size()))
        .post("/text", exchange -> Response.ok(exchange.bodyText()))
        .maxBodyBytes(MOST);
  }

  private static final Router ROUTER = builder().codec(new NumberCodec()).build();

  private static Response post(Router router, String target, Body body, String... fields)
      throws Exception {
    return TestExchange.call(
        router,
        Request.builder(Calls.ORIGIN, Method.POST, target)
            .headers(Headers.of(fields))
            .body(body)
            .build());
  }

  private static Body json(String text) {
    return Body.of(text, MediaType.APPLICATION_JSON);
  }

  @Test
  void valuesAreReadAndWritten() throws Exception {
    Response response = post(ROUTER, "/", json("41"));
    assertEquals(201, response.status().code());
    assertEquals("application/json", response.headers().first("Content-Type"));
    assertEquals("42", response.string());
    assertEquals("1", post(ROUTER, "/list", json("7")).string());
    assertEquals(
        "42", post(ROUTER, "/", json("41"), "Content-Encoding", "identity").string());
  }

  @ParameterizedTest
  @CsvSource({
    "'', application/json, 400",
    "x, application/json, 400",
    "12345678901, application/json, 413",
    "1, application/vnd.a+json, 201",
    "1, application/json; charset=utf-8, 201",
    "1, text/plain, 415",
    "1, application/xml, 415"
  })
  void contentThatIsNoValueEndsTheRequest(String content, String type, int status)
      throws Exception {
    Body body = Body.of(content, MediaType.parse(type));
    assertEquals(status, post(ROUTER, "/", body).status().code());
  }

  @Test
  void theAnswersToContentNameWhatIsRead() throws Exception {
    Response untyped = post(ROUTER, "/", Body.of(new byte[] {'1'}));
    assertEquals(415, untyped.status().code());
    assertEquals("application/json", untyped.headers().first("Accept"));
    Response coded = post(ROUTER, "/", json("1"), "Content-Encoding", "gzip");
    assertEquals(415, coded.status().code());
    assertEquals("identity", coded.headers().first("Accept-Encoding"));
    MediaType xml = MediaType.parse("application/xml");
    Router other = builder().codec(new NumberCodec(), xml).build();
    assertEquals(201, post(other, "/", Body.of("1", xml)).status().code());
    assertEquals("application/xml", post(other, "/", json("1")).headers().first("Accept"));
  }

  private static Body streamed(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return new Body() {
      @Override
      public long length() {
        return UNKNOWN;
      }

      @Override
      public boolean isReplayable() {
        return false;
      }

      @Override
      public InputStream stream() {
        return new ByteArrayInputStream(bytes);
      }

      @Override
      public MediaType mediaType() {
        return MediaType.APPLICATION_JSON;
      }
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/text"})
  void contentOfUnknownLengthIsLimitedToo(String target) throws Exception {
    assertEquals(2, post(ROUTER, target, streamed("1234567890")).status().code() / 100);
    assertEquals(413, post(ROUTER, target, streamed("12345678901")).status().code());
  }

  @Test
  void textIsReadUpToTheLimit() throws Exception {
    assertEquals("1234567890", post(ROUTER, "/text", Body.of("1234567890")).string());
    assertEquals(413, post(ROUTER, "/text", Body.of("12345678901")).status().code());
    assertEquals("", post(ROUTER, "/text", Body.empty()).string());
    assertEquals(
        415,
        post(ROUTER, "/text", Body.of("1"), "Content-Encoding", "br").status().code());
  }

  @Test
  void aFailureToReceiveGoesOn() {
    IOException lost = new IOException("lost");
    Body broken = Body.of(new InputStream() {
      @Override
      public int read() throws IOException {
        throw lost;
      }
    });
    Router router = builder().codec(new NumberCodec(), MediaType.OCTET_STREAM).build();
    assertThrows(
        IOException.class,
        () -> post(router, "/", broken, "Content-Type", "application/octet-stream"));
  }

  @Test
  void withoutACodecItIsSaidWhatToAdd() {
    Router router = builder().build();
    IllegalStateException failure =
        assertThrows(IllegalStateException.class, () -> post(router, "/", json("1")));
    assertEquals(true, failure.getMessage().contains("add heddle-jackson3"));
    assertThrows(IllegalArgumentException.class, () -> builder().maxBodyBytes(0));
  }
}
