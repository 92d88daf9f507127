package heddle.web;

import static heddle.web.Calls.answer;
import static heddle.web.Calls.call;
import static heddle.web.Calls.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.spi.ForwardingExchange;
import heddle.web.testkit.TestExchange;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How exceptions are answered. */
final class ErrorsTest {
  private static Response say(String text) {
    return Response.ok(text);
  }

  private static WebHandler failing(Exception failure) {
    return exchange -> {
      throw failure;
    };
  }

  private static final Router ROUTER = Router.builder()
      .get("/io", failing(new IOException("io")))
      .get("/file", failing(new FileNotFoundException("file")))
      .get("/state", failing(new IllegalStateException("state")))
      .get("/problem", failing(new ProblemException(409, "problem")))
      .onError(IOException.class, (exchange, e) -> say("io " + e.getMessage()))
      .onError(Exception.class, (exchange, e) -> say("any " + e.getMessage()))
      .group("/in", in -> in.get("/file", failing(new FileNotFoundException("file")))
          .get("/io", failing(new IOException("io")))
          .get("/state", failing(new IllegalStateException("state")))
          .onError(FileNotFoundException.class, (exchange, e) -> say("in " + e.getMessage())))
      .build();

  @ParameterizedTest
  @CsvSource({
    "/io, io io",
    "/file, io file",
    "/state, any state",
    "/in/file, in file",
    "/in/io, io io",
    "/in/state, any state"
  })
  void theHandlerForTheNearestTypeAnswers(String target, String expected) throws Exception {
    assertEquals("200 " + expected, answer(ROUTER, target));
  }

  @Test
  void aHandlerForAllExceptionsDoesNotGetProblems() throws Exception {
    assertEquals(409, get(ROUTER, "/problem").status().code());
    assertEquals(404, get(ROUTER, "/none").status().code());
    assertEquals(405, call(ROUTER, Method.POST, "/io").status().code());
    Router own = Router.builder()
        .get("/", failing(new ProblemException(409, "problem")))
        .onError(ProblemException.class, (exchange, e) -> say("own " + e.getMessage()))
        .build();
    assertEquals("200 own 409 Conflict: problem", answer(own, "/"));
  }

  @Test
  void anExceptionWithoutAHandlerGoesOn() {
    IOException failure = new IOException("lost");
    Router router = Router.builder()
        .get("/", failing(failure))
        .onError(IllegalStateException.class, (exchange, e) -> say("no"))
        .build();
    assertSame(failure, assertThrows(IOException.class, () -> get(router, "/")));
  }

  @Test
  void anExceptionOfAnErrorHandlerGoesOnAndIsNotHandledAgain() {
    AtomicInteger handled = new AtomicInteger();
    Router router = Router.builder()
        .filter((exchange, next) -> next.handle(exchange))
        .get("/", failing(new IOException("lost")))
        .onError(Exception.class, (exchange, e) -> {
          handled.incrementAndGet();
          throw e;
        })
        .build();
    assertThrows(IOException.class, () -> get(router, "/"));
    assertEquals(1, handled.get());
  }

  @Test
  void errorsAreNotHandled() {
    Router router = Router.builder()
        .get("/", exchange -> {
          throw new StackOverflowError();
        })
        .onError(Exception.class, (exchange, e) -> say("no"))
        .build();
    assertThrows(StackOverflowError.class, () -> get(router, "/"));
  }

  @Test
  void anInterruptIsOnlyHandledByItsOwnType() throws Exception {
    WebHandler interrupted = failing(new InterruptedException());
    Router broad = Router.builder()
        .get("/", interrupted)
        .onError(Exception.class, (exchange, e) -> say("no"))
        .build();
    assertThrows(InterruptedException.class, () -> get(broad, "/"));
    Router own = Router.builder()
        .get("/", interrupted)
        .onError(InterruptedException.class, (exchange, e) -> say("interrupted"))
        .build();
    assertEquals("200 interrupted", answer(own, "/"));
  }

  @Test
  void afterAResponseHasBegunAnExceptionGoesOn() {
    Router router = Router.builder()
        .get("/", exchange -> {
          exchange.begin(Response.of(Status.OK));
          throw new ProblemException(404, null);
        })
        .onError(Exception.class, (exchange, e) -> say("no"))
        .build();
    assertThrows(ProblemException.class, () -> get(router, "/"));
  }

  @Test
  void aFaultOfThePeerGoesOn() {
    IOException fault = new IOException("cut");
    Router router = Router.builder()
        .get("/", failing(new IllegalStateException(fault)))
        .onError(Exception.class, (exchange, e) -> say("no"))
        .build();
    Request request = Request.builder(Calls.ORIGIN, Method.GET, "/").build();
    ForwardingExchange exchange = new ForwardingExchange(TestExchange.of(request)) {
      @Override
      public @Nullable Status statusOfFault(Throwable failure) {
        return failure.getCause() == fault ? Status.BAD_REQUEST : null;
      }
    };
    assertThrows(IllegalStateException.class, () -> router.handle(exchange));
  }

  @Test
  void filtersSeeTheResponsesOfErrorHandlers() throws Exception {
    List<String> seen = new ArrayList<>();
    Router router = Router.builder()
        .filter((exchange, next) -> {
          Response response = next.handle(exchange);
          seen.add(String.valueOf(response));
          return response;
        })
        .get("/problem", failing(new ProblemException(409, null)))
        .get("/state", failing(new IllegalStateException()))
        .onError(IllegalStateException.class, (exchange, e) -> say("state"))
        .build();
    get(router, "/problem");
    get(router, "/state");
    get(router, "/none");
    assertEquals(3, seen.size());
    assertTrue(seen.get(0).contains("409"), seen::toString);
    assertTrue(seen.get(1).contains("200"), seen::toString);
    assertTrue(seen.get(2).contains("404"), seen::toString);
  }

  @Test
  void statusHandlersAnswerProblemsAndKeepTheirFields() throws Exception {
    Router router = Router.builder()
        .get("/", failing(new ProblemException(409, "thrown")))
        .onStatus(404, (exchange, e) -> say("nothing at " + exchange.request().path()))
        .onStatus(405, (exchange, e) -> Response.builder(Status.METHOD_NOT_ALLOWED)
            .body(Body.of("no"))
            .build())
        .onStatus(409, (exchange, e) -> say(e.problem().toString()))
        .onError(ProblemException.class, (exchange, e) -> say("other"))
        .build();
    assertEquals("200 nothing at /a", answer(router, "/a"));
    assertEquals("200 409 Conflict: thrown", answer(router, "/"));
    assertEquals("200 other", answer(router, "/.."));
    Response response = call(router, Method.POST, "/");
    assertEquals("GET, HEAD, OPTIONS", response.headers().first("Allow"));
    assertEquals("no", response.string());
  }

  @Test
  void theFieldsOfAProblemAreSent() throws Exception {
    Problem problem = Problem.of(401).with("realm", "a");
    Router router = Router.builder()
        .get(
            "/",
            failing(new ProblemException(
                problem, Headers.of("WWW-Authenticate", "Basic realm=a"), new IOException("why"))))
        .build();
    Response response = get(router, "/");
    assertEquals("Basic realm=a", response.headers().first("WWW-Authenticate"));
    assertEquals(problem.toJson(), response.string());
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "*/*",
        "application/json",
        "application/problem+json",
        "application/*",
        "text/html, */*;q=0.8",
        "text/plain, application/problem+json",
        "broken"
      })
  void aProblemIsJsonForClientsThatAcceptIt(@Nullable String accept) throws Exception {
    Response response =
        accept == null ? get(jsonOrText(), "/") : get(jsonOrText(), "/", "Accept", accept);
    assertEquals("application/problem+json", response.headers().first("Content-Type"));
    assertEquals("{\"title\":\"Not Found\",\"status\":404,\"detail\":\"d\"}", response.string());
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/plain", "text/html", "text/*", "text/plain, application/json;q=0"})
  void aProblemIsTextForClientsThatDoNot(String accept) throws Exception {
    Response response = get(jsonOrText(), "/", "Accept", accept);
    assertEquals("text/plain; charset=utf-8", response.headers().first("Content-Type"));
    assertEquals("404 Not Found: d\n", response.string());
  }

  private static Router jsonOrText() {
    return Router.builder().get("/", failing(new ProblemException(404, "d"))).build();
  }

  @Test
  void onlyProblemsThatAreTheServersHaveAStackTrace() {
    assertEquals(0, new ProblemException(404, null).getStackTrace().length);
    assertTrue(new ProblemException(500, null).getStackTrace().length > 0);
  }

  @Test
  void aSecondHandlerForATypeOrAStatusIsRefused() {
    Router.Builder builder = Router.builder()
        .onError(IOException.class, (exchange, e) -> say(""))
        .onStatus(404, (exchange, e) -> say(""));
    assertThrows(
        IllegalArgumentException.class,
        () -> builder.onError(IOException.class, (exchange, e) -> say("")));
    assertThrows(
        IllegalArgumentException.class, () -> builder.onStatus(404, (exchange, e) -> say("")));
    assertThrows(
        IllegalArgumentException.class, () -> builder.onStatus(200, (exchange, e) -> say("")));
  }
}
