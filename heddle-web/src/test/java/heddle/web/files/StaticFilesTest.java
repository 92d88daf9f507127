package heddle.web.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.abort;

import heddle.http.MediaType;
import heddle.http.Method;
import heddle.http.Origin;
import heddle.http.Request;
import heddle.http.Response;
import heddle.web.Router;
import heddle.web.conditional.EntityTag;
import heddle.web.testkit.TestExchange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StaticFilesTest {
  @TempDir
  private Path temporary;

  private FilesTree tree;

  @BeforeEach
  void makeFiles() throws IOException {
    tree = new FilesTree(temporary);
    tree.file("index.html", "home");
    tree.file("app.js", "script");
    tree.file("docs/index.html", "docs");
    tree.file("docs/a b.txt", "blank");
  }

  private StaticFiles.Builder files() throws IOException {
    return StaticFiles.directory(tree.root);
  }

  private static String first(Response response, String name) {
    return response.headers().first(name);
  }

  @ParameterizedTest
  @CsvSource({
    "/, home",
    "/index.html, home",
    "/app.js, script",
    "/app.js?v=1, script",
    "/docs/, docs",
    "/docs/a%20b.txt, blank",
    "/%64ocs/index.html, docs"
  })
  void filesAreServed(String target, String content) throws Exception {
    Response response = FilesTree.get(files().build(), target);
    assertEquals(200, response.status().code());
    assertEquals(content, response.string());
  }

  @Test
  void namesAreInUtf8() throws Exception {
    try {
      tree.file("docs/gr\u00fc\u00dfe.txt", "greetings");
    } catch (InvalidPathException e) {
      abort("this system has no such names: " + e.getMessage());
    }
    Response response = FilesTree.get(files().build(), "/docs/gr%C3%BC%c3%9fe.txt");
    assertEquals("greetings", response.string());
  }

  @Test
  void filesHaveTheirValidatorsAndMediaType() throws Exception {
    Response response = FilesTree.get(files().build(), "/app.js");
    EntityTag tag = EntityTag.ofFile(6, FilesTree.CHANGED, Instant.now());
    assertEquals(tag.toString(), first(response, "ETag"));
    assertEquals("Thu, 02 Jan 2020 03:04:05 GMT", first(response, "Last-Modified"));
    assertEquals("text/javascript; charset=utf-8", first(response, "Content-Type"));
    assertEquals("nosniff", first(response, "X-Content-Type-Options"));
    assertEquals("bytes", first(response, "Accept-Ranges"));
    assertEquals(6, response.body().length());
    assertNull(first(response, "Cache-Control"));
    assertNull(first(response, "Vary"));
  }

  @Test
  void tagOfAFileThatHasJustChangedIsWeak() throws Exception {
    Path file = tree.file("new.txt", "x");
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(5)));
    Response response = FilesTree.get(files().build(), "/new.txt");
    assertEquals("W/", first(response, "ETag").substring(0, 2));
    String tag = first(response, "ETag");
    Response again = FilesTree.get(files().build(), "/new.txt", "If-None-Match", tag);
    assertEquals(304, again.status().code());
  }

  @Test
  void conditionsAndRangesOfFilesAreHonoured() throws Exception {
    StaticFiles files = files().build();
    String tag = first(FilesTree.get(files, "/app.js"), "ETag");
    assertEquals(
        304, FilesTree.get(files, "/app.js", "If-None-Match", tag).status().code());
    assertEquals(
        412, FilesTree.get(files, "/app.js", "If-Match", "\"x\"").status().code());
    Response part = FilesTree.get(files, "/app.js", "Range", "bytes=1-3", "If-Range", tag);
    assertEquals(206, part.status().code());
    assertEquals("bytes 1-3/6", first(part, "Content-Range"));
    assertEquals("cri", part.string());
    assertEquals(
        416, FilesTree.get(files, "/app.js", "Range", "bytes=6-").status().code());
  }

  @Test
  void changeOfAFileChangesItsTag() throws Exception {
    StaticFiles files = files().build();
    String before = first(FilesTree.get(files, "/app.js"), "ETag");
    Files.setLastModifiedTime(
        tree.root.resolve("app.js"), FileTime.from(FilesTree.CHANGED.plusMillis(1)));
    Response after = FilesTree.get(files, "/app.js", "If-None-Match", before);
    assertEquals(200, after.status().code());
    assertNotEquals(before, first(after, "ETag"));
  }

  @Test
  void headIsAnsweredAsGet() throws Exception {
    Response response = FilesTree.answer(files().build(), Method.HEAD, "/app.js");
    assertEquals(200, response.status().code());
    assertEquals("bytes", first(response, "Accept-Ranges"));
    assertEquals(
        404, FilesTree.answer(files().build(), Method.HEAD, "/none.js").status().code());
  }

  @ParameterizedTest
  @CsvSource({"/docs, ./docs/", "/docs?a=/b, ./docs/?a=/b", "/%64ocs, ./%64ocs/"})
  void directoriesAreRedirectedToTheirSlash(String target, String location) throws Exception {
    Response response = FilesTree.get(files().build(), target);
    assertEquals(301, response.status().code());
    assertEquals(location, first(response, "Location"));
  }

  @Test
  void indexFilesCanBeChosen() throws Exception {
    tree.file("docs/README.md", "read me");
    StaticFiles other = files().index("none.html", "README.md").build();
    assertEquals("read me", FilesTree.get(other, "/docs/").string());
    assertEquals(404, FilesTree.get(other, "/").status().code());
    assertEquals(404, FilesTree.get(files().index().build(), "/docs/").status().code());
  }

  @ParameterizedTest
  @CsvSource({
    "/static/app.js, 200",
    "/static/, 200",
    "/static, 301",
    "/app.js, 404",
    "/staticapp.js, 404",
    "/static2/app.js, 404",
    "/static//app.js, 404",
    "/Static/app.js, 404"
  })
  void prefixIsTakenOffWhole(String target, int status) throws Exception {
    for (String prefix : new String[] {"/static", "/static/"}) {
      assertEquals(
          status, FilesTree.get(files().prefix(prefix).build(), target).status().code());
    }
  }

  @Test
  void pathIsTakenFromTheFunction() throws Exception {
    StaticFiles mapped = files()
        .escapedPath(exchange -> {
          String path = exchange.request().path();
          return path.startsWith("/v1/") ? path.substring(4) : null;
        })
        .build();
    assertEquals("blank", FilesTree.get(mapped, "/v1/docs/a%20b.txt").string());
    assertEquals(404, FilesTree.get(mapped, "/docs/a%20b.txt").status().code());
  }

  @ParameterizedTest
  @CsvSource({
    "/static/docs/a%20b.txt, 200",
    "/static/docs/, 200",
    "/static/docs, 301",
    "/static/none.txt, 404",
    "/static/docs%2Fa%20b.txt, 404",
    "/static/.env, 404",
    "/static/%2e%2e/secret.txt, 400"
  })
  void routeLeadsToFiles(String target, int status) throws Exception {
    tree.file(".env", FilesTree.SECRET);
    StaticFiles files = files().prefix("/static").build();
    Router router = Router.builder().get("/static/{path...}", files::handle).build();
    Request request =
        Request.builder(Origin.http("site", 80), Method.GET, target).build();
    assertEquals(status, TestExchange.call(router, request).status().code());
  }

  @ParameterizedTest
  @CsvSource({
    "/users/7, 200",
    "/users/7/, 200",
    "/users, 200",
    "/missing.js, 404",
    "/img/logo.png, 404",
    "/users/../7, 404",
    "/.hidden, 404"
  })
  void fallbackIsForPagesOnly(String target, int status) throws Exception {
    StaticFiles app =
        files().fallback("index.html").cacheControl("index.html", "no-cache").build();
    Response response = FilesTree.get(app, target);
    assertEquals(status, response.status().code());
    if (status == 200) {
      assertEquals("home", response.string());
      assertEquals("no-cache", first(response, "Cache-Control"));
      assertEquals("text/html; charset=utf-8", first(response, "Content-Type"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/", "../index.html", "docs/", ".hidden"})
  void fallbackMustBeAFile(String fallback) throws Exception {
    StaticFiles.Builder builder = files().fallback(fallback);
    assertThrows(IllegalArgumentException.class, builder::build);
  }

  @Test
  void missingFilesCanBeAnsweredByAnotherHandler() throws Exception {
    StaticFiles files = files().missing(exchange -> Response.ok("other")).build();
    assertEquals("other", FilesTree.get(files, "/none.txt").string());
    assertEquals("other", FilesTree.get(files, "/../secret.txt").string());
    assertEquals("script", FilesTree.get(files, "/app.js").string());
  }

  @ParameterizedTest
  @CsvSource({
    "/assets/app.1.js, immutable",
    "/assets/deep/app.2.css, immutable",
    "/app.js, 'max-age=60'",
    "/docs/index.html,",
    "/docs/,"
  })
  void firstMatchingRuleSetsCacheControl(String target, String expected) throws Exception {
    tree.file("assets/app.1.js", "1");
    tree.file("assets/deep/app.2.css", "2");
    StaticFiles files = files()
        .cacheControl("assets/**", "immutable")
        .cacheControl("**.js", "max-age=60")
        .build();
    Response response = FilesTree.get(files, target);
    assertEquals(200, response.status().code());
    assertEquals(expected, first(response, "Cache-Control"));
  }

  @Test
  void malformedPatternIsRefused() throws IOException {
    StaticFiles.Builder builder = files();
    assertThrows(IllegalArgumentException.class, () -> builder.cacheControl("{", "no-cache"));
  }

  @ParameterizedTest
  @CsvSource({
    "a.html, text/html; charset=utf-8",
    "A.HTML, text/html; charset=utf-8",
    "a.tar.gz, application/gzip",
    "a.svg, image/svg+xml",
    "a.json, application/json",
    "a.mine, text/x-mine",
    "a.png, image/x-other",
    "a.unknown, application/octet-stream",
    "noending, application/octet-stream",
    "html, application/octet-stream"
  })
  void mediaTypeFollowsTheEnding(String name, String type) throws Exception {
    tree.file("types/" + name, "x");
    StaticFiles files = files()
        .mediaType("MINE", MediaType.parse("text/x-mine"))
        .mediaType("png", MediaType.parse("image/x-other"))
        .build();
    assertEquals(type, first(FilesTree.get(files, "/types/" + name), "Content-Type"));
  }

  @Test
  void emptyFileIsServed() throws Exception {
    tree.file("empty.txt", "");
    Response response = FilesTree.get(files().build(), "/empty.txt");
    assertEquals(200, response.status().code());
    assertArrayEquals(new byte[0], response.bytes());
  }

  @Test
  void rootMustBeADirectory() {
    assertThrows(NoSuchFileException.class, () -> StaticFiles.directory(tree.root.resolve("none")));
    assertThrows(
        NotDirectoryException.class, () -> StaticFiles.directory(tree.root.resolve("app.js")));
    assertThrows(IllegalArgumentException.class, () -> files().prefix("static"));
  }
}
