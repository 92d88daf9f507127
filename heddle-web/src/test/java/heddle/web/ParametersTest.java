package heddle.web;

import static heddle.web.Calls.answer;
import static heddle.web.Calls.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Form;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.web.testkit.TestExchange;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Typed parameters of paths and queries. */
final class ParametersTest {
  private static final String UUID = "123e4567-e89b-42d3-a456-426614174000";

  private static Router reading(Function<Parameter, Object> read) {
    return Router.builder()
        .get("/p/{v}", exchange -> Response.ok("" + read.apply(exchange.path("v"))))
        .get("/q", exchange -> Response.ok("" + read.apply(exchange.query("v"))))
        .build();
  }

  static Stream<Arguments> values() {
    Function<Parameter, Object> asInt = Parameter::asInt;
    Function<Parameter, Object> asLong = Parameter::asLong;
    Function<Parameter, Object> asUuid = Parameter::asUuid;
    Function<Parameter, Object> asDate = parameter -> parameter.as(LocalDate::parse);
    Function<Parameter, Object> asColor = parameter -> parameter.as(Thread.State::valueOf);
    return Stream.of(
        Arguments.of(asInt, "7", "7"),
        Arguments.of(asInt, "-2147483648", "-2147483648"),
        Arguments.of(asInt, "007", "7"),
        Arguments.of(asInt, "2147483648", null),
        Arguments.of(asInt, "%2B7", null),
        Arguments.of(asInt, "7x", null),
        Arguments.of(asInt, "-", null),
        Arguments.of(asInt, "--7", null),
        Arguments.of(asInt, "%D9%A7", null), // a digit of another script
        Arguments.of(asLong, "9223372036854775807", "9223372036854775807"),
        Arguments.of(asLong, "9223372036854775808", null),
        Arguments.of(asUuid, UUID, UUID),
        Arguments.of(asUuid, UUID.toUpperCase(Locale.ROOT), UUID),
        Arguments.of(asUuid, "1-1-1-1-1", null),
        Arguments.of(asUuid, "x" + UUID.substring(1), null),
        Arguments.of(asDate, "2026-11-28", "2026-11-28"),
        Arguments.of(asDate, "tomorrow", null),
        Arguments.of(asColor, "NEW", "NEW"),
        Arguments.of(asColor, "OLD", null));
  }

  @ParameterizedTest
  @MethodSource("values")
  void aValueIsReadOrEndsTheRequest(Function<Parameter, Object> read, String value, String expected)
      throws Exception {
    Router router = reading(read);
    Response inPath = get(router, "/p/" + value);
    Response inQuery = get(router, "/q?v=" + value);
    if (expected != null) {
      assertEquals(expected, inPath.string());
      assertEquals(expected, inQuery.string());
    } else {
      assertEquals(404, inPath.status().code());
      assertEquals(400, inQuery.status().code());
      assertTrue(inPath.string().endsWith(",\"parameter\":\"v\"}"));
      assertTrue(inQuery.string().endsWith(",\"parameter\":\"v\"}"));
    }
  }

  @Test
  void theProblemNamesParameterAndValue() throws Exception {
    assertEquals(
        "400 {\"title\":\"Bad Request\",\"status\":400,\"detail\":\"the query's parameter v is not"
            + " a whole number from -2147483648 to 2147483647: \\\"a\\\\\\\"b\\\"\","
            + "\"parameter\":\"v\"}",
        answer(reading(Parameter::asInt), "/q?v=a%22b"));
  }

  @Test
  void aMissingParameterOfTheQueryHasADefaultOrIsAnswered400() throws Exception {
    assertEquals("200 3", answer(reading(parameter -> parameter.asInt(3)), "/q"));
    assertEquals("200 3", answer(reading(parameter -> parameter.asLong(3)), "/q?w=1"));
    assertEquals("200 a", answer(reading(parameter -> parameter.orElse("a")), "/q"));
    assertEquals("200 null", answer(reading(Parameter::orNull), "/q"));
    assertEquals("200 false", answer(reading(Parameter::isPresent), "/q"));
    assertEquals("200 4", answer(reading(parameter -> parameter.asInt(3)), "/q?v=4"));
    assertTrue(answer(reading(Parameter::asString), "/q").startsWith("400 "));
    assertTrue(answer(reading(Parameter::asUuid), "/q").contains("v is missing"));
    assertTrue(answer(reading(parameter -> parameter.asInt(3)), "/q?v=").startsWith("400 "));
  }

  @Test
  void anotherExceptionOfAParserGoesOn() {
    Router router = reading(parameter -> parameter.as(text -> {
      throw new IllegalStateException(text);
    }));
    assertThrows(IllegalStateException.class, () -> get(router, "/q?v=1"));
  }

  @Test
  void aParameterThatTheRouteDoesNotHaveIsAnErrorOfTheProgram() {
    Router router = Router.builder()
        .get("/a/{b}", exchange -> Response.ok(exchange.path("c").asString()))
        .build();
    IllegalArgumentException failure =
        assertThrows(IllegalArgumentException.class, () -> get(router, "/a/1"));
    assertEquals("the route GET /a/{b} has no parameter c: it has [b]", failure.getMessage());
    TestExchange outside = TestExchange.of(requestOf("/"));
    assertThrows(IllegalStateException.class, () -> WebExchange.of(outside).path("a"));
  }

  private static Request requestOf(String target) {
    return Request.builder(Calls.ORIGIN, Method.GET, target).build();
  }

  private static WebExchange exchange(String target) {
    return WebExchange.of(TestExchange.of(requestOf(target)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/           | ",
        "/?          | ",
        "/?&&        | ",
        "/?a         | a=",
        "/?a=        | a=",
        "/?=b        | =b",
        "/?a=b=c     | a=b=c",
        "/?a=1&b=2   | a=1;b=2",
        "/?a=1&a=2&  | a=1;a=2",
        "/?a+b=c+d   | a b=c d",
        "/?a%3Db=%26 | a=b=&",
        "/?x=%C3%A9  | x=\u00e9",
        "/?a=?/      | a=?/",
        "/?a;b=c     | a;b=c"
      })
  void theQueryIsReadAsAForm(String target, String expected) {
    StringBuilder read = new StringBuilder();
    for (Form.Field each : exchange(target).query().fields()) {
      read.append(read.isEmpty() ? "" : ";").append(each.name()).append('=').append(each.value());
    }
    assertEquals(expected == null ? "" : expected, read.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/?a=%FF", "/?%C3=1", "/?b=1&a=%C3%28"})
  void aMalformedQueryIsAnswered400(String target) {
    ProblemException failure =
        assertThrows(ProblemException.class, () -> exchange(target).query("b"));
    assertEquals(400, failure.problem().status().code());
  }

  @Test
  void aRepeatedParameterHasAllItsValues() {
    WebExchange exchange = exchange("/?a=1&b=2&a=3");
    assertEquals(List.of("1", "3"), exchange.queryAll("a"));
    assertEquals("1", exchange.query("a").asString());
    assertEquals(List.of(), exchange.queryAll("c"));
    assertNull(exchange.query("c").orNull());
  }
}
