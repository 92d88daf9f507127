package heddle.adapters.jdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.tools.attach.VirtualMachine;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Proxy;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** JVMs of their own run {@link AgentProgram}, whose class path holds nothing of Heddle. */
@Timeout(60)
class AgentTest {
  private static final String OURS = HeddleHttpClient.class.getName();
  private static final String STOCK = "jdk.internal.net.http.HttpClientFacade";

  /** Even Heddle's client has the JDK's. */
  private static final String WEB_SOCKET = "jdk.internal.net.http.websocket.BuilderImpl";

  @TempDir
  private Path folder;

  @AutoClose
  private MockServer server;

  @BeforeEach
  void start() throws IOException {
    server = MockServer.start();
    server.answer("/hello", MockResponse.ok("Hello!"));
  }

  // ---- jars

  private static Path classesOf(Class<?> type) throws Exception {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  /** As the build makes it, but that it names jars and folders of the build. */
  private Path agent() throws Exception {
    Manifest manifest;
    try (InputStream in = Files.newInputStream(Path.of("src/main/agent/MANIFEST.MF"))) {
      manifest = new Manifest(in);
    }
    Path classes = classesOf(HeddleAgent.class);
    Path own = classesOf(AgentTest.class);
    String others = Arrays.stream(
            System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .filter(each -> !each.isEmpty())
        .map(Path::of)
        .filter(each -> !each.equals(classes) && !each.equals(own))
        .map(each -> each.toUri().toString())
        .collect(Collectors.joining(" "));
    manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, others);
    try (Stream<Path> files = Files.walk(classes)) {
      return jar(
          "agent.jar", manifest, classes, files.filter(Files::isRegularFile).toList());
    }
  }

  private Path laterAgent() throws Exception {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.putValue("Premain-Class", LaterAgent.class.getName());
    attributes.putValue("Can-Retransform-Classes", "true");
    Path classes = classesOf(LaterAgent.class);
    Path file = classes.resolve(LaterAgent.class.getName().replace('.', '/') + ".class");
    return jar("later.jar", manifest, classes, List.of(file));
  }

  private Path jar(String name, Manifest manifest, Path root, List<Path> files) throws IOException {
    Path jar = folder.resolve(name);
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out, manifest)) {
      for (Path each : files) {
        entries.putNextEntry(new JarEntry(root.relativize(each).toString().replace('\\', '/')));
        Files.copy(each, entries);
      }
    }
    return jar;
  }

  // ---- programs

  private Process program(List<String> options, String... more) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", classesOf(AgentProgram.class).toString()));
    command.addAll(List.of(AgentProgram.class.getName(), server.url("/hello")));
    command.addAll(List.of(more));
    return new ProcessBuilder(command)
        .redirectError(folder.resolve("errors").toFile())
        .start();
  }

  private String rest(Process program) throws Exception {
    try (BufferedReader reader = program.inputReader()) {
      String printed = reader.lines().collect(Collectors.joining("\n"));
      assertTrue(program.waitFor(30, TimeUnit.SECONDS));
      String errors = Files.readString(folder.resolve("errors"));
      assertEquals(0, program.exitValue(), () -> printed + "\n" + errors);
      return printed;
    } finally {
      program.destroyForcibly();
    }
  }

  private static String printed(String first, String client) {
    return Stream.of("newHttpClient", "newBuilder", "reference", "reflection", "elsewhere")
        .map(how -> how + " " + client)
        .collect(Collectors.joining(
            "\n",
            first.isEmpty() ? "" : "first " + first + "\n",
            "\nannotated true\nwebSocket " + WEB_SOCKET + "\nanswer Hello!"));
  }

  @Test
  void withoutTheAgentClientsAreTheJdks() throws Exception {
    assertEquals(printed(STOCK, STOCK), rest(program(List.of())));
  }

  @Test
  void withTheAgentAllCallersGetHeddlesClients() throws Exception {
    assertEquals(printed(OURS, OURS), rest(program(List.of("-javaagent:" + agent()))));
  }

  @Test
  void theyStayHeddlesWhenAnotherAgentChangesTheClassAgain() throws Exception {
    List<String> agents = List.of("-javaagent:" + agent(), "-javaagent:" + laterAgent());
    assertEquals(printed(OURS, OURS), rest(program(agents)));
  }

  @Test
  void theAgentCanComeLater() throws Exception {
    Process program = program(List.of("-XX:+EnableDynamicAgentLoading"), "wait");
    assertEquals("first " + STOCK, program.inputReader().readLine());
    VirtualMachine machine = VirtualMachine.attach(Long.toString(program.pid()));
    try {
      machine.loadAgent(agent().toString());
    } finally {
      machine.detach();
    }
    program.outputWriter().append("go on\n").flush();
    assertEquals(printed("", OURS), rest(program));
  }

  // ---- failures

  /** A JVM that reports the result of its task. */
  private static Instrumentation doingNothing(List<Object> asked) {
    return (Instrumentation) Proxy.newProxyInstance(
        AgentTest.class.getClassLoader(),
        new Class<?>[] {Instrumentation.class},
        (proxy, method, arguments) -> {
          asked.add(method.getName());
          return null;
        });
  }

  @Test
  void anAgentThatChangesNothingFailsTheStart() {
    List<Object> asked = new ArrayList<>();
    IllegalStateException thrown = assertThrows(
        IllegalStateException.class, () -> HeddleAgent.premain(null, doingNothing(asked)));
    assertEquals(List.of("redefineModule", "addTransformer", "retransformClasses"), asked);
    assertTrue(thrown.getMessage().contains("JDK 25"), thrown.getMessage());
    assertEquals(STOCK, HttpClient.newHttpClient().getClass().getName());
  }
}
