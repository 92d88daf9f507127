package heddle.web.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.http.Response;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of the class path: in a directory, and in a JAR file with and without its directories. */
class ResourcesTest {
  private static final String[] NAMES = {
    "web/index.html", "web/js/app.js", "web/docs/index.html", "web/.secret", "app/Main.class"
  };

  @TempDir
  private Path temporary;

  private enum Kind {
    DIRECTORY,
    JAR,
    JAR_WITH_DIRECTORIES
  }

  private URLClassLoader loader(Kind kind) throws IOException {
    Path place = temporary.resolve("classes" + (kind == Kind.DIRECTORY ? "" : ".jar"));
    if (kind == Kind.DIRECTORY) {
      for (String name : NAMES) {
        Files.createDirectories(place.resolve(name).getParent());
        Files.writeString(place.resolve(name), "content of " + name);
      }
    } else {
      try (OutputStream out = Files.newOutputStream(place);
          JarOutputStream jar = new JarOutputStream(out)) {
        if (kind == Kind.JAR_WITH_DIRECTORIES) {
          for (String folder : new String[] {"web/", "web/js/", "web/docs/", "app/"}) {
            jar.putNextEntry(new JarEntry(folder));
          }
        }
        for (String name : NAMES) {
          jar.putNextEntry(new JarEntry(name));
          jar.write(("content of " + name).getBytes(StandardCharsets.UTF_8));
        }
      }
    }
    return new URLClassLoader(new URL[] {place.toUri().toURL()}, null);
  }

  @ParameterizedTest
  @EnumSource
  void resourcesAreServedAsFilesAre(Kind kind) throws Exception {
    try (URLClassLoader loader = loader(kind)) {
      StaticFiles files = StaticFiles.resources(loader, "web").build();
      Response script = FilesTree.get(files, "/js/app.js");
      assertEquals("text/javascript; charset=utf-8", script.headers().first("Content-Type"));
      assertEquals("content of web/js/app.js", script.string());
      assertEquals("content of web/index.html", FilesTree.get(files, "/").string());
      assertEquals(
          "content of web/docs/index.html", FilesTree.get(files, "/docs/").string());
      assertEquals("./docs/", FilesTree.get(files, "/docs").headers().first("Location"));
      Response part = FilesTree.get(files, "/js/app.js", "Range", "bytes=8-9");
      assertEquals(206, part.status().code());
      assertEquals("of", part.string());
      String tag = script.headers().first("ETag");
      assertNotNull(tag);
      Response again = FilesTree.get(files, "/js/app.js", "If-None-Match", tag);
      assertEquals(304, again.status().code());
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatIsNoFileOfTheFolderDoesNotExist(Kind kind) throws Exception {
    try (URLClassLoader loader = loader(kind)) {
      StaticFiles files = StaticFiles.resources(loader, "/web/").build();
      for (String target : new String[] {
        "/js", "/js/", "/none.js", "/../app/Main.class", "/%2e%2e/app/Main.class",
        "/..%2fapp/Main.class", "/.secret", "/js/app.js/", "//app/Main.class", "/web/index.html"
      }) {
        assertEquals(404, FilesTree.get(files, target).status().code(), target);
      }
    }
  }

  @Test
  void functionMayFindTheResources() throws Exception {
    StaticFiles files = StaticFiles.resources(
            name -> ResourcesTest.class.getResource("/" + name), "heddle/web/files")
        .build();
    Response response = FilesTree.get(files, "/ResourcesTest.class");
    assertEquals(200, response.status().code());
    assertEquals(response.body().length(), response.bytes().length);
  }

  /** Those of the JDK are neither files nor in a JAR file. */
  @Test
  void resourcesOfOtherKindsAreServedWithoutValidators() throws Exception {
    URL url = Object.class.getResource("Object.class");
    assertNotNull(url);
    StaticFiles files = StaticFiles.resources(
            name -> name.equals("web/Object.class") ? url : null, "web")
        .build();
    Response response = FilesTree.get(files, "/Object.class");
    assertEquals(200, response.status().code());
    byte[] content = response.bytes();
    Response part = FilesTree.get(files, "/Object.class", "Range", "bytes=-4");
    assertEquals(4, part.bytes().length);
    try (var in = url.openStream()) {
      assertEquals(in.readAllBytes().length, content.length);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/", "..", "a/../b", ".hidden", "a//b"})
  void folderMustBeAPlainPath(String folder) {
    assertThrows(
        IllegalArgumentException.class,
        () -> StaticFiles.resources(ResourcesTest.class.getClassLoader(), folder));
  }
}
