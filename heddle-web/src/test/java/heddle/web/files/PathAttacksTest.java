package heddle.web.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import heddle.http.Method;
import heddle.http.Response;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests for files that must not be served. */
class PathAttacksTest {
  /** Targets, most of which name a file that is there, so that it would be served. */
  private static final String REFUSED =
      """
      # traversal
      /../secret.txt
      /a/../../secret.txt
      /a/../a/b.txt
      /./a/b.txt
      /a/./b.txt
      /..
      /a/..
      /a/../
      /../public/a/b.txt
      /../public-not/secret.txt
      /.../secret.txt
      //../secret.txt
      /..//secret.txt
      # escaped
      /%2e%2e/secret.txt
      /%2E%2E/secret.txt
      /.%2e/secret.txt
      /%2e./secret.txt
      /a/%2e%2e/%2e%2e/secret.txt
      /..%2fsecret.txt
      /..%2Fsecret.txt
      /a%2fb.txt
      /a%2Fb.txt
      /%2e%2e%2fsecret.txt
      /a/b.txt%2f
      # backslashes
      /..\\secret.txt
      /..%5csecret.txt
      /..%5Csecret.txt
      /a%5Cb.txt
      /a\\b.txt
      /%5c..%5csecret.txt
      # escaped twice
      /%252e%252e/secret.txt
      /..%252fsecret.txt
      /%25252e%25252e/secret.txt
      /%252e%252e%252fsecret.txt
      /a%252fb.txt
      # overlong and broken UTF-8
      /%c0%ae%c0%ae/secret.txt
      /..%c0%afsecret.txt
      /..%e0%80%afsecret.txt
      /%ff/secret.txt
      /a/b.txt%80
      /%u002e%u002e/secret.txt
      # malformed escapes
      /a/b.txt%
      /a/b.txt%2
      /a/b.tx%zz
      /a/b.tx%7
      /%%32%65%%32%65/secret.txt
      # NUL and other controls
      /a/b.txt%00
      /a/b.txt%00.html
      /%00/a/b.txt
      /secret.txt%00/../a/b.txt
      /a/b.txt%0a
      /a/b.txt%7f
      # drives, streams, devices, short names, what Windows leaves off
      /C:/secret.txt
      /C:secret.txt
      /C%3A/secret.txt
      /a/b.txt:stream
      /a/b.txt::$DATA
      /a/b.txt%3A%3A$DATA
      /a/b.txt.
      /a/b.txt...
      /a/b.txt%20
      /GIT~1/config
      /ENV~1
      # hidden files
      /.env
      /%2eenv
      /.git/config
      /%2egit/config
      /a/.htpasswd
      /.git
      /.git/
      # empty segments
      //a/b.txt
      /a//b.txt
      //
      /a/b.txt//
      ///etc/passwd
      //etc/passwd
      /%2Fetc%2Fpasswd
      /file:///etc/passwd
      # files that are no directories
      /a/b.txt/
      /a/b.txt/.
      /a/b.txt/c.txt
      """;

  @TempDir
  private Path temporary;

  private FilesTree tree;
  private StaticFiles files;

  @BeforeEach
  void makeFiles() throws IOException {
    tree = new FilesTree(temporary);
    tree.file("index.html", "the index");
    tree.file("a/b.txt", "the file");
    tree.file(".env", FilesTree.SECRET);
    tree.file(".git/config", FilesTree.SECRET);
    tree.file("a/.htpasswd", FilesTree.SECRET);
    tree.file("empty/nothing.txt", "no index here");
    files = StaticFiles.directory(tree.root).fallback("index.html").build();
  }

  private static Stream<String> refused() {
    return REFUSED.lines().filter(line -> !line.startsWith("#"));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void pathsThatNameNoFileOfTheRootDoNotExist(String target) throws Exception {
    StaticFiles mapped = StaticFiles.directory(tree.root)
        .fallback("index.html")
        .escapedPath(exchange -> target)
        .build();
    Response response = FilesTree.get(mapped, "/");
    assertEquals(404, response.status().code(), target);
    assertEquals(0, response.body().length(), target);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/etc/passwd", "/empty/", "/empty", "/none", "/none/", "/public/a/b.txt"})
  void whatIsNotThereDoesNotExist(String target) throws Exception {
    assertEquals(404, FilesTree.get(withoutFallback(), target).status().code());
  }

  private StaticFiles withoutFallback() throws IOException {
    return StaticFiles.directory(tree.root).build();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a/b.txt", "/%61/b%2etxt", "/a/b.txt?../../secret.txt"})
  void theFileItselfIsServed(String target) throws Exception {
    assertEquals("the file", FilesTree.get(files, target).string());
  }

  @Test
  void linksOutOfTheRootAreRefused() throws Exception {
    Files.createSymbolicLink(tree.root.resolve("out.txt"), tree.outside.resolve("secret.txt"));
    Files.createSymbolicLink(tree.root.resolve("out"), tree.outside);
    Files.createSymbolicLink(tree.root.resolve("relative.txt"), Path.of("../secret.txt"));
    Files.createSymbolicLink(tree.root.resolve("chain.txt"), Path.of("out.txt"));
    Files.createSymbolicLink(tree.root.resolve("loop.txt"), Path.of("loop.txt"));
    Files.createSymbolicLink(tree.root.resolve("not"), tree.outside.resolve("public-not"));
    for (String target : List.of(
        "/out.txt",
        "/out/secret.txt",
        "/relative.txt",
        "/chain.txt",
        "/loop.txt",
        "/not/secret.txt")) {
      assertEquals(404, FilesTree.get(files, target).status().code(), target);
    }
  }

  @Test
  void linksWithinTheRootAreFollowed() throws Exception {
    Files.createSymbolicLink(tree.root.resolve("in.txt"), Path.of("a/b.txt"));
    Files.createSymbolicLink(tree.root.resolve("in"), tree.root.resolve("a"));
    assertEquals("the file", FilesTree.get(files, "/in.txt").string());
    assertEquals("the file", FilesTree.get(files, "/in/b.txt").string());
  }

  @Test
  void theRootMayBeALinkThatIsTurnedToAnother() throws Exception {
    Path first = Files.createDirectory(tree.outside.resolve("release-1"));
    Path second = Files.createDirectory(tree.outside.resolve("release-2"));
    Files.writeString(first.resolve("v.txt"), "one");
    Files.writeString(second.resolve("v.txt"), "two");
    Path current = Files.createSymbolicLink(tree.outside.resolve("current"), first);
    StaticFiles site = StaticFiles.directory(current).build();
    assertEquals("one", FilesTree.get(site, "/v.txt").string());
    Files.delete(current);
    Files.createSymbolicLink(current, second);
    assertEquals("two", FilesTree.get(site, "/v.txt").string());
  }

  @Test
  void pipesAreNotOpened() throws Exception {
    Process made = new ProcessBuilder("mkfifo", tree.root.resolve("pipe").toString()).start();
    assumeTrue(made.waitFor() == 0, "this system makes no pipes");
    assertEquals(404, FilesTree.get(withoutFallback(), "/pipe").status().code());
  }

  @Test
  void namesThatAreTooLongForTheSystemDoNotExist() throws Exception {
    assertEquals(
        404, FilesTree.get(files, "/" + "x".repeat(5000) + ".txt").status().code());
    assertEquals(
        404, FilesTree.get(files, "/" + "x/".repeat(5000) + "y.txt").status().code());
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "BREW"})
  void onlyGetAndHeadAreAllowed(String method) throws Exception {
    for (String target : List.of("/a/b.txt", "/none.txt")) {
      Response response = FilesTree.answer(files, Method.of(method), target);
      assertEquals(405, response.status().code());
      assertEquals("GET, HEAD", response.headers().first("Allow"));
    }
  }

  @Test
  void hiddenNamesThatAreAllowedAreServed() throws Exception {
    tree.file(".well-known/security.txt", "contact");
    tree.file(".well-known/.hidden", FilesTree.SECRET);
    StaticFiles some = StaticFiles.directory(tree.root).hidden(".well-known").build();
    assertEquals("contact", FilesTree.get(some, "/.well-known/security.txt").string());
    assertEquals(404, FilesTree.get(some, "/.well-known/.hidden").status().code());
    assertEquals(404, FilesTree.get(some, "/.env").status().code());
  }

  /** A redirect from a path such as //host/folder must not lead to that host. */
  @Test
  void redirectsStayOnThisHost() throws Exception {
    tree.file("docs/index.html", "docs");
    StaticFiles mapped =
        StaticFiles.directory(tree.root).escapedPath(exchange -> "docs").build();
    for (String target : List.of("//evil.example/docs", "/evil.example//docs", "/docs")) {
      Response response = FilesTree.get(mapped, target);
      assertEquals(301, response.status().code());
      assertEquals("./docs/", response.headers().first("Location"));
    }
  }

  @Test
  void pathsAreDecodedOnce() {
    assertEquals(
        new FilePath(List.of("%2e%2e", "x"), false), FilePath.parse("/%252e%252e/x", Set.of()));
    assertNull(FilePath.parse("/%2e%2e/x", Set.of()));
    assertNull(FilePath.parse("/..", Set.of("..")));
  }
}
