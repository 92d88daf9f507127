package heddle.web;

import static heddle.web.Calls.answer;
import static heddle.web.Calls.call;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Method;
import heddle.http.Origin;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.web.testkit.TestExchange;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which method leads where. */
final class MethodsTest {
  private static final Method PURGE = Method.of("PURGE");

  private static WebHandler says(String name) {
    return exchange -> Response.ok(name);
  }

  private static final Router ROUTER = Router.builder()
      .get("/a", says("get"))
      .post("/a", says("post"))
      .put("/a", says("put"))
      .patch("/a", says("patch"))
      .delete("/a", says("delete"))
      .route(PURGE, "/a", says("purge"))
      .any("/any", says("any"))
      .get("/any", says("get any"))
      .get("/own", says("get"))
      .route(Method.HEAD, "/own", exchange -> Response.builder(Status.OK)
          .header("X-Own", "head")
          .build())
      .route(Method.OPTIONS, "/own", says("options"))
      .get("/b/c", says("c"))
      .delete("/b/{x}", says("x"))
      .build();

  @ParameterizedTest
  @CsvSource({
    "GET, /a, get",
    "POST, /a, post",
    "PUT, /a, put",
    "PATCH, /a, patch",
    "DELETE, /a, delete",
    "PURGE, /a, purge",
    "GET, /any, get any",
    "POST, /any, any",
    "OPTIONS, /any, any",
    "PURGE, /any, any",
    "OPTIONS, /own, options"
  })
  void aMethodHasItsRoute(String method, String target, String expected) throws Exception {
    assertEquals("200 " + expected, answer(ROUTER, Method.of(method), target));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "TRACE | /a | GET, HEAD, POST, PUT, PATCH, DELETE, PURGE, OPTIONS",
        "get   | /own | GET, HEAD, OPTIONS",
        "POST  | /b/c | GET, HEAD, DELETE, OPTIONS",
        "POST  | /b/d | DELETE, OPTIONS",
        "HEAD  | /b/d | DELETE, OPTIONS"
      })
  void anotherMethodIsAnswered405WithAllow(String method, String target, String allow)
      throws Exception {
    Response response = call(ROUTER, Method.of(method), target);
    assertEquals(405, response.status().code());
    assertEquals(allow, response.headers().first("Allow"));
  }

  @Test
  void theAnswerToAMethodWithoutARouteIsAProblem() throws Exception {
    Response response = call(ROUTER, Method.POST, "/own");
    assertEquals("application/problem+json", response.headers().first("Content-Type"));
    assertEquals(
        "{\"title\":\"Method Not Allowed\",\"status\":405,"
            + "\"detail\":\"the method is not one of GET, HEAD, OPTIONS\"}",
        response.string());
  }

  @Test
  void headRunsTheRouteForGetUnlessThereIsOne() throws Exception {
    Response response = call(ROUTER, Method.HEAD, "/a");
    assertEquals(200, response.status().code());
    assertEquals("text/plain; charset=utf-8", response.headers().first("Content-Type"));
    assertEquals("head", call(ROUTER, Method.HEAD, "/own").headers().first("X-Own"));
  }

  @Test
  void headOfARouteForAllMethodsGoesToGet() throws Exception {
    AtomicReference<String> called = new AtomicReference<>();
    Router router = Router.builder()
        .any("/", exchange -> {
          called.set("any");
          return Response.ok("");
        })
        .get("/", exchange -> {
          called.set("get");
          return Response.ok("");
        })
        .build();
    call(router, Method.HEAD, "/");
    assertEquals("get", called.get());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/a   | GET, HEAD, POST, PUT, PATCH, DELETE, PURGE, OPTIONS",
        "/b/c | GET, HEAD, DELETE, OPTIONS",
        "/b/d | DELETE, OPTIONS",
      })
  void optionsIsAnsweredWithAllow(String target, String allow) throws Exception {
    Response response = call(ROUTER, Method.OPTIONS, target);
    assertEquals(204, response.status().code());
    assertEquals(allow, response.headers().first("Allow"));
  }

  @Test
  void optionsOfTheServerHasTheMethodsOfAllRoutes() throws Exception {
    Response response = call(ROUTER, Method.OPTIONS, "*");
    assertEquals(204, response.status().code());
    String allow = String.valueOf(response.headers().first("Allow"));
    for (String each : new String[] {"GET", "HEAD", "POST", "PURGE", "OPTIONS"}) {
      assertTrue((allow + ",").contains(each + ","), allow);
    }
  }

  @Test
  void optionsOfAPathWithoutRoutesIsAnswered404() throws Exception {
    assertEquals(404, call(ROUTER, Method.OPTIONS, "/none").status().code());
  }

  @Test
  void connectIsNotImplementedAndHasNoRoutes() throws Exception {
    Request connect =
        Request.builder(Origin.http("a", 80), Method.CONNECT, "a:80").build();
    assertEquals(501, TestExchange.call(ROUTER, connect).status().code());
    Router.Builder builder = Router.builder();
    assertThrows(
        IllegalArgumentException.class, () -> builder.route(Method.CONNECT, "/", says("")));
  }
}
