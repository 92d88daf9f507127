package heddle.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.client.HttpClient;
import heddle.http.StatusException;
import heddle.testkit.mock.MockFault;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The guide's code for a preview API, with which no module is compiled, compiles and runs. */
@Timeout(60)
final class PreviewExampleTest {
  private static final String SOURCE =
      "examples/src/preview/java/heddle/examples/guide/Together.java";

  @TempDir
  private Path classes;

  private Path compiled() {
    Path source =
        Repository.files(file -> Repository.relative(file).equals(SOURCE)).getFirst();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    var errors = new ByteArrayOutputStream();
    String release = Integer.toString(Runtime.version().feature());
    int failed = compiler.run(
        null,
        null,
        errors,
        "--enable-preview",
        "--release",
        release,
        "-proc:none",
        "-d",
        classes.toString(),
        source.toString());
    assertEquals(0, failed, errors::toString);
    return classes;
  }

  @Test
  void oneFailureEndsTheOtherCallInAScope() throws Exception {
    try (MockServer server = MockServer.start();
        HttpClient client = HttpClient.builder().baseUrl(server.url("/")).build();
        var loader = new URLClassLoader(new URL[] {compiled().toUri().toURL()})) {
      Method page = loader
          .loadClass("heddle.examples.guide.Together")
          .getDeclaredMethod("page", HttpClient.class);
      page.setAccessible(true);
      server.answer("/user", MockResponse.ok("Ann: "));
      server.answer("/orders", MockResponse.ok("2"));
      assertEquals("Ann: 2", page.invoke(null, client));

      server.answer("/user", MockResponse.ok("").with(MockFault.blackHole()));
      server.answer("/orders", MockResponse.of(500));
      Throwable failure = assertThrows(
              InvocationTargetException.class, () -> page.invoke(null, client))
          .getCause();
      assertInstanceOf(StatusException.class, failure.getCause(), failure::toString);
      assertEquals(0, client.pool().routes().getFirst().inFlight());
    }
  }
}
