package heddle.adapters.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.tools.attach.VirtualMachine;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.loader.launch.JarLauncher;

/** JVMs run {@link AgentProgram} with a copy of the agent's jar, alone in its folder. */
@Timeout(60)
class AgentTest {
  private static final String OURS = "heddle.adapters.jdk.HeddleHttpClient";
  private static final String STOCK = "jdk.internal.net.http.HttpClientFacade";
  private static final String URLS = "heddle.adapters.urlconnection.HttpConnection";
  private static final String STOCK_URLS = "sun.net.www.protocol.http.HttpURLConnection";
  private static final String OTHERS = "; OkHttp and Apache HttpClient are not replaced (add"
      + " heddle-okhttp, heddle-apache5 or heddle-apache4 to the program)";
  private static final String BOTH =
      "heddle-agent: java.net.http and HttpURLConnection use Heddle" + OTHERS;

  private static final String WEB_SOCKET = "heddle.adapters.jdk.JdkWebSocketBuilder";
  private static final String STOCK_WEB_SOCKET = "jdk.internal.net.http.websocket.BuilderImpl";

  @TempDir
  private Path folder;

  private Path agent;

  @AutoClose
  private MockServer server;

  @BeforeEach
  void start() throws IOException {
    server = MockServer.start();
    server.answer("/hello", MockResponse.ok("Hello!"));
    agent = folder.resolve("renamed agent.jar");
    Files.copy(Path.of(System.getProperty("heddle.agent.jar")), agent);
  }

  // ---- programs

  private static Path classesOf(Class<?> type) throws Exception {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private Path laterAgent() throws Exception {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.putValue("Premain-Class", LaterAgent.class.getName());
    attributes.putValue("Can-Retransform-Classes", "true");
    String file = LaterAgent.class.getName().replace('.', '/') + ".class";
    Path jar = folder.resolve("later.jar");
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out, manifest)) {
      entries.putNextEntry(new JarEntry(file));
      Files.copy(classesOf(LaterAgent.class).resolve(file), entries);
    }
    return jar;
  }

  private Process started(String tool, List<String> arguments) throws IOException {
    return started(tool, arguments, "");
  }

  /**
   * @param options of JAVA_TOOL_OPTIONS
   */
  private Process started(String tool, List<String> arguments, String options) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", tool).toString());
    command.addAll(arguments);
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(folder.resolve("errors").toFile());
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    if (!options.isEmpty()) {
      builder.environment().put("JAVA_TOOL_OPTIONS", options);
    }
    return builder.start();
  }

  private static byte[] library() throws Exception {
    String file = NestedProgram.class.getName().replace('.', '/') + ".class";
    ByteArrayOutputStream nested = new ByteArrayOutputStream();
    try (JarOutputStream entries = new JarOutputStream(nested)) {
      entries.putNextEntry(new JarEntry(file));
      Files.copy(classesOf(NestedProgram.class).resolve(file), entries);
    }
    return nested.toByteArray();
  }

  /** A jar as Spring Boot makes it: its loader, and the program in a nested jar. */
  private Path fatJar() throws Exception {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.put(Attributes.Name.MAIN_CLASS, JarLauncher.class.getName());
    attributes.putValue("Start-Class", NestedProgram.class.getName());
    attributes.putValue("Spring-Boot-Classes", "BOOT-INF/classes/");
    attributes.putValue("Spring-Boot-Lib", "BOOT-INF/lib/");
    Path jar = folder.resolve("fat.jar");
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out, manifest);
        JarFile loader = new JarFile(classesOf(JarLauncher.class).toFile())) {
      for (JarEntry each : Collections.list(loader.entries())) {
        if (each.getName().endsWith(".class") && !each.getName().startsWith("META-INF")) {
          entries.putNextEntry(new JarEntry(each.getName()));
          loader.getInputStream(each).transferTo(entries);
        }
      }
      for (String each : List.of("BOOT-INF/", "BOOT-INF/classes/", "BOOT-INF/lib/")) {
        entries.putNextEntry(new JarEntry(each));
      }
      byte[] nested = library();
      JarEntry stored = new JarEntry("BOOT-INF/lib/library.jar");
      stored.setMethod(JarEntry.STORED);
      stored.setSize(nested.length);
      CRC32 crc = new CRC32();
      crc.update(nested);
      stored.setCrc(crc.getValue());
      entries.putNextEntry(stored);
      entries.write(nested);
    }
    return jar;
  }

  private Process program(List<String> options, String... more) throws Exception {
    List<String> command = new ArrayList<>(options);
    command.addAll(List.of("-cp", classesOf(AgentProgram.class).toString()));
    command.addAll(List.of(AgentProgram.class.getName(), server.url("/hello")));
    command.addAll(List.of(more));
    return started("java", command);
  }

  private String errors() throws IOException {
    return Files.readString(folder.resolve("errors")).strip();
  }

  private String rest(Process program) throws Exception {
    try (BufferedReader reader = program.inputReader()) {
      String printed = reader.lines().collect(Collectors.joining("\n"));
      assertTrue(program.waitFor(30, TimeUnit.SECONDS));
      String errors = errors();
      assertEquals(0, program.exitValue(), () -> printed + "\n" + errors);
      return printed;
    } finally {
      program.destroyForcibly();
    }
  }

  private String withAgent(String arguments) throws Exception {
    return rest(program(List.of("-javaagent:" + agent + arguments)));
  }

  private static String printed(String first, String client, String urls) {
    String webSocket = client.equals(OURS) ? WEB_SOCKET : STOCK_WEB_SOCKET;
    return Stream.of("newHttpClient", "newBuilder", "reference", "reflection", "elsewhere")
        .map(how -> how + " " + client)
        .collect(Collectors.joining(
            "\n",
            first.isEmpty() ? "" : "first " + first + "\n",
            "\nannotated true\nwebSocket " + webSocket + "\nrefused 200\nurl " + urls
                + "\nanswer Hello!\nanswer Hello!"));
  }

  @Test
  void withoutTheAgentClientsAreTheJdks() throws Exception {
    assertEquals(printed(STOCK, STOCK, STOCK_URLS), rest(program(List.of())));
  }

  @Test
  void withTheAgentAllCallersGetHeddlesClients() throws Exception {
    assertEquals(printed(OURS, OURS, URLS), withAgent(""));
    assertEquals(BOTH, errors());
  }

  @Test
  void argumentsSwitchReplacementsOff() throws Exception {
    assertEquals(printed(STOCK, STOCK, URLS), withAgent("=-jdk"));
    assertEquals("heddle-agent: HttpURLConnection uses Heddle" + OTHERS, errors());
    assertEquals(printed(OURS, OURS, STOCK_URLS), withAgent("=jdk,quiet"));
    assertEquals("", errors());
  }

  @Test
  void unknownArgumentsAreNamed() throws Exception {
    assertEquals(printed(OURS, OURS, URLS), withAgent("=okhttp"));
    assertEquals(
        BOTH + "; unknown arguments: okhttp (known are jdk, urlconnection and quiet)", errors());
  }

  @Test
  void clientsStayHeddlesWhenAnotherAgentChangesTheClassAgain() throws Exception {
    List<String> agents = List.of("-javaagent:" + agent, "-javaagent:" + laterAgent());
    assertEquals(printed(OURS, OURS, URLS), rest(program(agents)));
  }

  @Test
  void theAgentCanComeLater() throws Exception {
    Process program = program(List.of("-XX:+EnableDynamicAgentLoading"), "wait");
    assertEquals("first " + STOCK, program.inputReader().readLine());
    VirtualMachine machine = VirtualMachine.attach(Long.toString(program.pid()));
    try {
      machine.loadAgent(agent.toString());
    } finally {
      machine.detach();
    }
    program.outputWriter().append("go on\n").flush();
    assertEquals(printed("", OURS, URLS), rest(program));
  }

  @Test
  void theProgramOfASpringBootJarGetsHeddlesClients() throws Exception {
    String jar = fatJar().toString();
    List<String> command = List.of("-javaagent:" + agent, "-jar", jar, server.url("/hello"));
    assertEquals(
        "loader LaunchedClassLoader\nclient " + OURS + "\nanswer Hello!\nurl " + URLS
            + "\nanswer Hello!",
        rest(started("java", command)));
    assertEquals(BOTH, errors());
  }

  /** Making classes while the first request waits takes longer than all else. */
  @Test
  void heddlesLambdasAreClassesOfTheJar() throws Exception {
    Path loaded = folder.resolve("loaded.log");
    rest(program(List.of("-javaagent:" + agent, "-Xlog:class+load:file=" + loaded)));
    List<String> names = Files.readAllLines(loaded);
    assertTrue(names.stream().anyMatch(each -> each.contains("heddle.client.HttpClient ")));
    assertEquals(
        List.of(),
        names.stream()
            .filter(each -> each.contains(" heddle.")
                && each.contains("$$Lambda/")
                && !each.contains(AgentProgram.class.getName()))
            .toList());
  }

  @Test
  void aProgramWithoutWebSocketsLoadsNoneOfTheirClasses() throws Exception {
    Path loaded = folder.resolve("loaded.log");
    List<String> options = List.of("-javaagent:" + agent, "-Xlog:class+load:file=" + loaded);
    rest(started(
        "java",
        Stream.concat(
                options.stream(), Stream.of("-jar", fatJar().toString(), server.url("/hello")))
            .toList()));
    List<String> names = Files.readAllLines(loaded);
    assertTrue(names.stream().anyMatch(each -> each.contains("heddle.adapters.jdk.JdkCall ")));
    assertEquals(
        List.of(),
        names.stream()
            .filter(each -> each.contains(" heddle.websocket.")
                || each.contains(" heddle.adapters.jdk.Opening ")
                || each.contains(" heddle.adapters.jdk.JdkWebSocket"))
            .toList());
  }

  /** Each JVM with the agent in its environment would pay for them, whatever it runs. */
  @Test
  void theStartOfTheAgentMakesNoClasses() throws Exception {
    Path loaded = folder.resolve("loaded.log");
    rest(program(List.of("-javaagent:" + agent, "-Xlog:class+load:file=" + loaded), "version"));
    List<String> made = Files.readAllLines(loaded).stream()
        .dropWhile(each -> !each.contains(" heddle.adapters.agent.HeddleAgent "))
        .takeWhile(each -> !each.contains(" " + AgentProgram.class.getName() + " "))
        .filter(each -> each.contains("LambdaForm$") || each.contains("classfile"))
        .toList();
    assertEquals(List.of(), made);
  }

  @Test
  void otherCodeThanKnownIsNotRewritten() throws Exception {
    byte[] bytes = Files.readAllBytes(classesOf(AgentProgram.class)
        .resolve(AgentProgram.class.getName().replace('.', '/') + ".class"));
    assertThrows(IllegalArgumentException.class, () -> HttpClientRewriting.rewritten(bytes));
  }

  // ---- JVMs that must start

  @ParameterizedTest
  @ValueSource(strings = {"keytool -help", "javac -version", "jar --version", "java -version"})
  void toolsRunWithTheAgentInTheirEnvironment(String command) throws Exception {
    List<String> words = List.of(command.split(" ", -1));
    Path tool = Path.of(System.getProperty("java.home"), "bin", words.getFirst());
    assumeTrue(
        Files.exists(tool) || Files.exists(Path.of(tool + ".exe")),
        () -> "a runtime alone has no " + words.getFirst());
    String options = "-javaagent:" + Files.copy(agent, folder.resolve("agent.jar"));
    String printed = rest(started(words.getFirst(), words.subList(1, words.size()), options));
    assertTrue(errors().contains("heddle-agent: "), () -> printed);
  }

  @Test
  void theEnvironmentReachesPrograms() throws Exception {
    String options = "-javaagent:" + Files.copy(agent, folder.resolve("agent.jar"));
    List<String> command = List.of(
        "-cp",
        classesOf(AgentProgram.class).toString(),
        AgentProgram.class.getName(),
        server.url("/hello"));
    assertEquals(printed(OURS, OURS, URLS), rest(started("java", command, options)));
  }

  @Test
  void toolsWithFewModulesRunAndSaySo() throws Exception {
    String printed = rest(started("keytool", List.of("-J-javaagent:" + agent, "-help")));
    assertTrue((printed + errors()).contains("-genkeypair"), printed);
    assertTrue(errors().contains("no module java.net.http"), errors());
  }

  @Test
  void aJvmWithoutTheModulesRunsAndNamesThem() throws Exception {
    String printed = rest(program(
        List.of("-javaagent:" + agent, "--limit-modules", "java.base,java.instrument"), "version"));
    assertEquals("runs", printed);
    assertTrue(errors().startsWith("heddle-agent: nothing was replaced;"), errors());
    assertTrue(errors().contains("no module java.net.http"), errors());
    assertTrue(errors().contains("no module jdk.jfr"), errors());
  }
}
