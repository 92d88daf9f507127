package heddle.web;

import static heddle.web.Calls.answer;
import static heddle.web.Calls.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Method;
import heddle.http.Response;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which route a path leads to. */
final class PathsTest {
  private static WebHandler says(String name) {
    return exchange -> Response.ok(name);
  }

  private static final Router ROUTER = Router.builder()
      .get("/files/{path...}", exchange -> Response.ok("rest " + exchange.segments("path")))
      .get("/{any}", exchange -> Response.ok("any " + exchange.path("any").asString()))
      .get("/", says("root"))
      .get("/users", says("users"))
      .get("/users/", says("users/"))
      .get("/users/me", says("me"))
      .get("/users/{id}", exchange -> Response.ok("user " + exchange.path("id").asString()))
      .get(
          "/users/{id}/posts/{post}",
          exchange -> Response.ok(
              exchange.path("id").asString() + " " + exchange.path("post").asString()))
      .get("/users/me/posts/new", says("new"))
      .get(
          "/files/special/{x}",
          exchange -> Response.ok("x " + exchange.path("x").asString()))
      .get("/caf\u00e9", says("coffee"))
      .get("/a%2Fb/c", says("slash"))
      .get("/a-b_c.d~e", says("marks"))
      .build();

  @ParameterizedTest
  @CsvSource({
    "/, root",
    "/?q=/users, root",
    "/users, users",
    "/users?a, users",
    "/users/, users/",
    "/users/me, me",
    "/users/m%65, me",
    "/%75sers/me, me",
    "/users/7, user 7",
    "/users/me2, user me2",
    "/users/7/posts/9, 7 9",
    "/users/me/posts/new, new",
    "/users/me/posts/9, me 9",
    "/other, any other",
    "/USERS, any USERS",
    "/caf%C3%A9, coffee",
    "/caf%c3%a9, coffee",
    "/a%2Fb/c, slash",
    "/a-b_c.d~e, marks",
    "/..., any ...",
    "/.a, any .a",
    "/users/a%2Fb, user a/b",
    "/users/a%252Fb, user a%2Fb",
    "/users/a+b, user a+b",
    "/users/%F0%9F%98%80, user \uD83D\uDE00",
    "/files/, rest []",
    "/files/a, rest [a]",
    "/files/a/b/, 'rest [a, b, ]'",
    "/files//a, 'rest [, a]'",
    "/files/a%2Fb/c, 'rest [a/b, c]'",
    "/files/special/1, x 1",
    "/files/special/, 'rest [special, ]'",
    "/files/special/1/2, 'rest [special, 1, 2]'",
    "/files, any files"
  })
  void theMostExactRouteAnswers(String target, String expected) throws Exception {
    assertEquals("200 " + expected, answer(ROUTER, target));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"//", "/users//posts/9", "/users/7/", "/users/7/posts/", "/a/b/c", "/a%2Fb/c/"})
  void aPathWithoutARouteIsAnswered404(String target) throws Exception {
    assertEquals(404, get(ROUTER, target).status().code());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/./users",
        "/users/..",
        "/users/../",
        "/..",
        "/.",
        "/%2e",
        "/%2E%2e/users",
        "/.%2e",
        "/files/a/%2e%2E/b",
        "/nothing/../here",
        "/users/%FF",
        "/users/%C0%AF",
        "/users/a%00b",
        "/users/%ED%A0%80"
      })
  void aPathThatIsMalformedOrHasDotSegmentsIsAnswered400(String target) throws Exception {
    Response response = get(ROUTER, target);
    assertEquals(400, response.status().code());
    assertEquals("application/problem+json", response.headers().first("Content-Type"));
  }

  @Test
  void aPathWithManySegmentsIsRead() throws Exception {
    String target = "/files" + "/a%20b".repeat(1000);
    String all = answer(ROUTER, target);
    assertEquals(1000, all.split("a b", -1).length - 1);
  }

  @Test
  void theRestOfAPathIsATextWithSlashes() throws Exception {
    Router router = Router.builder()
        .get("/f/{path...}", exchange -> Response.ok(exchange.path("path").asString()))
        .build();
    assertEquals("200 a/b c/", answer(router, "/f/a/b%20c/"));
    assertEquals(400, get(router, "/f/a%2Fb").status().code());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/users/{id} | /users/{name} | GET /users/{id} and GET /users/{name}",
        "/a | /a | GET /a and GET /a",
        "/a | /%61 | GET /a and GET /%61",
        "/f/{a...} | /f/{b...} | GET /f/{a...} and GET /f/{b...}",
        "/x/{a}/y | /x/{b}/y | GET /x/{a}/y and GET /x/{b}/y"
      })
  void twoRoutesForTheSameRequestsAreRefused(String one, String other, String named) {
    Router.Builder builder = Router.builder().get(one, says("one")).get(other, says("other"));
    IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, builder::build);
    assertTrue(refused.getMessage().contains(named), refused.getMessage());
  }

  @Test
  void routesOfGroupsAreComparedToo() {
    Router.Builder builder = Router.builder()
        .any("/a/b", says("one"))
        .group("/a", group -> group.any("/b", says("other")));
    IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, builder::build);
    assertTrue(refused.getMessage().contains("any method /a/b and any method /a/b"));
  }

  @ParameterizedTest
  @CsvSource({
    "users, must begin with a slash",
    "'', must begin with a slash",
    "/{}, its name must be of letters",
    "/{a b}, its name must be of letters",
    "/{a...}/b, continues after {a...}",
    "/a{b}, a parameter is a whole segment",
    "/{a}{b}, its name must be of letters",
    "/{a, a parameter is a whole segment",
    "/{a}/{a}, has two parameters called a",
    "/a?b, a route has a path alone",
    "/a#b, a route has a path alone",
    "/%2, has a malformed escape",
    "/a/../b, has a segment . or ..",
    "/a/%2e/b, has a segment . or .."
  })
  void aMalformedPathIsRefusedWhenItIsAdded(String path, String reason) {
    Router.Builder builder = Router.builder();
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> builder.get(path, says("a")));
    assertTrue(refused.getMessage().contains(reason), refused.getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "/", "/a/", "/{a"})
  void aMalformedPrefixIsRefused(String prefix) {
    Router.Builder builder = Router.builder();
    assertThrows(IllegalArgumentException.class, () -> builder.group(prefix, group -> {}));
  }

  @Test
  void manyRoutesAreToldApart() throws Exception {
    Router.Builder builder = Router.builder();
    for (int i = 0; i < 500; i++) {
      builder.get("/r" + i, says("r" + i)).get("/r" + i + "/{x}/s" + i, says("s" + i));
    }
    Router router = builder.build();
    for (int i = 0; i < 500; i++) {
      assertEquals("200 r" + i, answer(router, "/r" + i));
      assertEquals("200 s" + i, answer(router, "/r" + i + "/y/s" + i));
    }
    assertEquals(404, get(router, "/r500").status().code());
  }

  @Test
  void aRouteWithoutTheMethodIsPassedOver() throws Exception {
    Router router = Router.builder()
        .get("/users/me", says("me"))
        .post("/users/{id}", says("posted"))
        .any("/{rest...}", says("rest"))
        .build();
    assertEquals("200 me", answer(router, "/users/me"));
    assertEquals("200 posted", answer(router, Method.POST, "/users/me"));
    assertEquals("200 rest", answer(router, Method.PUT, "/users/me"));
  }
}
