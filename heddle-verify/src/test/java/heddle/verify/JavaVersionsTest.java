package heddle.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.Deadlines;
import heddle.client.HttpClient;
import heddle.http.HeaderName;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Published jars run on Java 21, and have versioned classes for Java 25. */
@Timeout(60)
final class JavaVersionsTest {
  private static final int JAVA_21 = 65;

  /** The load generator, the command and what only this build needs are for Java 25. */
  private static final String FOR_JAVA_25 = ".*/heddle-(bench|driver|load|cli|verify).*";

  private static final HeaderName LEFT = HeaderName.of("Millis-Left");

  @Test
  void classFilesOfUsersAreOfJava21() throws IOException {
    var tooNew = new ArrayList<String>();
    int jars = 0;
    for (String each : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      String place = each.replace(File.separatorChar, '/');
      if (place.matches(".*/heddle-[^/]*[.]jar") && !place.matches(FOR_JAVA_25)) {
        jars++;
        try (JarFile jar = new JarFile(each)) {
          for (JarEntry entry : jar.stream().toList()) {
            check(jar, entry, tooNew);
          }
        }
      }
    }
    assertEquals(List.of(), tooNew);
    int found = jars;
    assertTrue(found >= 25, () -> "found only " + found + " jars of Heddle: run the phase verify");
  }

  private static void check(JarFile jar, JarEntry entry, List<String> tooNew) throws IOException {
    try (InputStream in = jar.getInputStream(entry);
        DataInputStream data = new DataInputStream(in)) {
      if (entry.getName().equals("heddle-classes")) {
        checkPacked(data, jar.getName(), tooNew);
      } else if (entry.getName().endsWith(".class")
          && !entry.getName().startsWith("META-INF/versions/25/")) {
        data.skipNBytes(6);
        checkVersion(data.readUnsignedShort(), jar.getName() + " " + entry.getName(), tooNew);
      }
    }
  }

  /** The classes that the agent loads; {@code IsolatedLoader} describes the format. */
  private static void checkPacked(DataInputStream in, String jar, List<String> tooNew)
      throws IOException {
    int classes = in.readInt() / (3 * Integer.BYTES);
    int[] lengths = new int[classes];
    for (int i = 0; i < classes; i++) {
      in.skipNBytes(2 * Integer.BYTES);
      lengths[i] = in.readInt();
    }
    assertTrue(classes > 300, () -> "found only " + classes + " classes in " + jar);
    for (int i = 0; i < classes; i++) {
      in.skipNBytes(6);
      checkVersion(in.readUnsignedShort(), jar + " packed class " + i, tooNew);
      in.skipNBytes(lengths[i] - 8L);
    }
  }

  private static void checkVersion(int version, String where, List<String> tooNew) {
    if (version > JAVA_21) {
      tooNew.add(where + " has version " + version);
    }
  }

  /** What a scoped value of Java 25 does; a value of the thread, as on Java 21, would not. */
  @Test
  void forksInheritDeadlines() throws Exception {
    try (MockServer server = MockServer.start();
        HttpClient client = HttpClient.builder().deadlineHeader(LEFT).build()) {
      server.handler(request -> MockResponse.ok(String.valueOf(request.header(LEFT.toString()))));
      String url = server.url("/");
      int forked = Deadlines.within(Duration.ofSeconds(20), () -> inFork(() -> left(client, url)));
      assertTrue(forked <= 20_000, () -> forked + " ms");
      int after = left(client, url);
      assertTrue(after > 20_000, () -> after + " ms");
    }
  }

  /** How many milliseconds a call has: without a deadline the default until its response, 60 s. */
  private static int left(HttpClient client, String url) throws IOException {
    return Integer.parseInt(client.get(url).string());
  }

  /** By reflection, as the API is a preview, which the JVM of these tests allows. */
  private static <T> T inFork(Callable<T> task) throws Exception {
    Class<?> scopes = Class.forName("java.util.concurrent.StructuredTaskScope");
    try (AutoCloseable scope = (AutoCloseable) scopes.getMethod("open").invoke(null)) {
      Object fork = scopes.getMethod("fork", Callable.class).invoke(scope, task);
      scopes.getMethod("join").invoke(scope);
      @SuppressWarnings("unchecked") // the result of the task
      T result =
          (T) Class.forName(scopes.getName() + "$Subtask").getMethod("get").invoke(fork);
      return result;
    }
  }
}
