package heddle.bench.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.driver.Answer;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.Profile;
import heddle.bench.driver.Protocol;
import heddle.bench.driver.Trust;
import heddle.bench.driver.Wire;
import heddle.testkit.mock.TestIdentity;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a race takes for granted of a client, for each that is built. Two clients at a time, because
 * one that cannot close its idle connections waits for seconds until they end.
 */
@Execution(ExecutionMode.CONCURRENT)
class DriverConformanceTest {

  private static final Path DRIVERS = Path.of("..", "drivers");
  private static final int MIB = 1 << 20;
  private static final int WINDOW = 64 << 10;
  private static final int EACH = 4;

  /** More than several clients take by default. */
  private static final int MANY = 7;

  /** Clients in neither set support HTTP/1.1 only. */
  private static final Set<String> HTTP2 = Set.of(
      "heddle",
      "heddle-discard",
      "heddle-async",
      "heddle-kotlin",
      "okhttp",
      "okhttp-async",
      "okhttp-over-heddle",
      "retrofit",
      "retrofit-over-heddle",
      "apache-async",
      "apache-async-over-heddle",
      "jersey-over-heddle",
      "jetty",
      "jetty-async",
      "netty",
      "helidon",
      "reactor-netty",
      "vertx",
      "async-http-client",
      "armeria");

  private static final Set<String> HTTP2_OVER_TLS_ALONE =
      Set.of("jdk", "jdk-async", "jdk-over-heddle");

  /** Its connector loses the end of an answer that is cut off. */
  private static final String WAITS_FOR_EVER = "jersey-jdk";

  /** Over HttpURLConnection idle connections cannot be closed; they end within 10 s. */
  private static final Set<String> CLOSES_NOTHING = Set.of("urlconnection", "jersey");

  /** The system property that chooses the threads on which heddle-async reads answers. */
  private static final String READERS = "heddle.bench.readers";

  private static final Queue<CountedServer> CLOSED_LATE = new ConcurrentLinkedQueue<>();

  @TempDir
  private static Path folder;

  private static TlsOptions secured;
  private static Trust trust;

  @BeforeAll
  static void makeIdentity() throws Exception {
    TestIdentity identity = TestIdentity.forNames("localhost", "127.0.0.1");
    secured = identity.server();
    trust = new Trust.Pem(Files.writeString(folder.resolve("server.pem"), identity.pem()));
  }

  /** Every client, or those of the property {@code heddle.clients}. */
  static List<String> clients() throws IOException {
    String chosen = System.getProperty("heddle.clients");
    return chosen == null ? all() : List.of(chosen.split(",", -1));
  }

  private static List<String> all() throws IOException {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(DRIVERS)) {
      for (Path entry : entries) {
        if (Files.exists(entry.resolve("pom.xml"))) {
          names.add(entry.getFileName().toString());
        }
      }
    }
    names.sort(Comparator.comparing((String name) -> !CLOSES_NOTHING.contains(name))
        .thenComparing(Comparator.naturalOrder()));
    return names;
  }

  @Test
  void everyClientStandsInTheTableOfTheDocument() throws IOException {
    List<String> rows = Files.readString(Path.of("..", "README.md"))
        .lines()
        .filter(line -> line.startsWith("| ") && line.split("\\|", -1).length == 7)
        .map(line -> line.split("\\|", -1)[1].strip())
        .filter(name -> !name.equals("client"))
        .toList();
    assertEquals(Set.copyOf(all()), Set.copyOf(rows));
  }

  @ParameterizedTest
  @MethodSource("clients")
  @ResourceLock(value = Resources.SYSTEM_PROPERTIES, mode = ResourceAccessMode.READ)
  void clientDoesWhatARaceTakesForGranted(String name) throws Exception {
    tryOut(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"own", "1", "2", "cached", "virtual"})
  @ResourceLock(Resources.SYSTEM_PROPERTIES)
  void heddleDoesTheSameWithAnyReaders(String readers) throws Exception {
    System.setProperty(READERS, readers);
    try {
      tryOut("heddle-async");
    } finally {
      System.clearProperty(READERS);
    }
  }

  private static Path folderOf(String name) {
    return DRIVERS.resolve(name).resolve("target").resolve("driver");
  }

  private static void tryOut(String name) throws Exception {
    CountedServer plain = new CountedServer(null);
    CountedServer secure = new CountedServer(secured);
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    try (Isolated isolated = new Isolated(name, folderOf(name))) {
      Thread.currentThread().setContextClassLoader(isolated.loader());
      tryOut(name, isolated, plain, secure);
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
    if (CLOSES_NOTHING.contains(name)) {
      CLOSED_LATE.addAll(List.of(plain, secure));
    } else {
      awaitNoConnection(plain);
      awaitNoConnection(secure);
    }
  }

  @AfterAll
  static void connectionsThatCannotBeClosedEnd() {
    CLOSED_LATE.forEach(DriverConformanceTest::awaitNoConnection);
  }

  private static void tryOut(
      String name, Isolated isolated, CountedServer plain, CountedServer secure) throws Exception {
    assertNotEquals("unknown", isolated.driver().version());
    for (CountedServer server : List.of(plain, secure)) {
      for (Wire each : List.of(Wire.http1(MANY), Wire.http2(2, MANY))) {
        Wire wire = each.withTrust(trust);
        if (accepts(isolated, name, server, wire)) {
          answersAndKeepsItsLimits(name, isolated, server, wire);
        }
      }
    }
    for (Wire wire : List.of(Wire.http1(2), Wire.http2(1, 2))) {
      if (accepts(isolated, name, plain, wire)) {
        worksAsItComes(isolated, plain, wire);
        tellsFailures(name, isolated, plain, wire);
      }
    }
    closesConnectionsAfterTheirRequests(isolated, plain);
  }

  /** Holds what drivers refuse to what is known of their clients. */
  private static boolean accepts(Isolated isolated, String name, CountedServer server, Wire wire) {
    DriverConfig config = config(server, wire, Profile.TUNED);
    String refusal = isolated.driver().refusal(config);
    boolean expected = wire.protocol() == Protocol.HTTP_1_1
        || HTTP2.contains(name)
        || (HTTP2_OVER_TLS_ALONE.contains(name) && config.isTls());
    assertEquals(expected, refusal == null, () -> "refusal of " + config + ": " + refusal);
    return expected;
  }

  private static void answersAndKeepsItsLimits(
      String name, Isolated isolated, CountedServer server, Wire wire) throws Exception {
    int before = server.accepted();
    try (Client client = start(isolated, server, wire, Profile.TUNED)) {
      URI hello = server.uri("/hello");
      assertEquals(new Answer(200, 6), client.exchange(new DriverRequest(hello, 0, 6)));
      URI large = server.uri("/bytes/" + MIB);
      assertEquals(new Answer(200, MIB), client.exchange(new DriverRequest(large, 0, MIB)));
      URI sink = server.uri("/sink");
      assertEquals(new Answer(200, 0), client.exchange(new DriverRequest(sink, 9, 0)));
      // The bytes of JSON around the text.
      DriverRequest json = new DriverRequest(server.uri("/json"), 111, 100, DriverRequest.JSON);
      assertEquals(new Answer(200, 100), client.exchange(json));
      URI echo = server.uri("/echo");
      int sent = uploads(name, wire);
      assertEquals(new Answer(200, sent), client.exchange(new DriverRequest(echo, sent, sent)));
      DriverRequest together = new DriverRequest(server.uri("/together"), 0, 6);
      int all = wire.exchanges();
      // A client that opens connections with requests of the load would wait here for later ones.
      server.group(all);
      List<Answer> answers = client.load(together, all, EACH);
      server.ungroup();
      assertEquals(wire.exchanges() * EACH, answers.size());
      assertEquals(Set.of(new Answer(200, 6)), Set.copyOf(answers));
      assertTrue(server.accepted() > before, () -> "no connection with " + wire);
      // Some clients replace a connection now and then.
      awaitConnections(server, wire.connections());
    }
  }

  /** If the driver can: connections with three requests each. */
  private static void closesConnectionsAfterTheirRequests(Isolated isolated, CountedServer server)
      throws Exception {
    if (!isolated.driver().canLimitRequests()) {
      return;
    }
    int before = server.accepted();
    Wire wire = new Wire(Protocol.HTTP_1_1, 2, 1, 3, trust);
    try (Client client = start(isolated, server, wire, Profile.TUNED)) {
      DriverRequest hello = new DriverRequest(server.uri("/hello"), 0, 6);
      List<Answer> answers = client.load(hello, 2, 12);
      assertEquals(Set.of(new Answer(200, 6)), Set.copyOf(answers));
      assertEquals(answers.size() / 3, server.accepted() - before);
    }
  }

  /** Helidon 4.5.0 fails beyond the first window: it counts each WINDOW_UPDATE twice. */
  private static int uploads(String name, Wire wire) {
    return name.equals("helidon") && wire.protocol() == Protocol.HTTP_2 ? WINDOW / 2 : 4 * WINDOW;
  }

  private static void worksAsItComes(Isolated isolated, CountedServer server, Wire wire)
      throws Exception {
    try (Client client = start(isolated, server, wire, Profile.DEFAULTS)) {
      DriverRequest hello = new DriverRequest(server.uri("/hello"), 0, 6);
      List<Answer> answers = client.load(hello, wire.exchanges(), 2);
      assertEquals(Set.of(new Answer(200, 6)), Set.copyOf(answers));
    }
  }

  private static void tellsFailures(String name, Isolated isolated, CountedServer server, Wire wire)
      throws Exception {
    try (Client client = start(isolated, server, wire, Profile.TUNED)) {
      assertFailure(client, new DriverRequest(server.uri("/broken"), 0, 2));
      if (!name.equals(WAITS_FOR_EVER)) {
        assertFailure(client, unknown(name, wire, server.uri("/cut/1000")));
        assertFailure(client, new DriverRequest(server.uri("/cut/" + MIB), 0, MIB));
        assertFailure(client, unknown(name, wire, server.uri("/cut-chunks/1000")));
      }
      // None of that has spoilt the client.
      DriverRequest hello = new DriverRequest(server.uri("/hello"), 0, 6);
      assertEquals(new Answer(200, 6), client.exchange(hello));
    }
  }

  /**
   * A request whose response has no known length, so that only the client can detect a truncated
   * one. Helidon 4.5 misses a reset stream, and Ktor 3.6 missing chunks: there the length is known.
   */
  private static DriverRequest unknown(String name, Wire wire, URI uri) {
    boolean misses =
        switch (name) {
          case "helidon" -> wire.protocol() == Protocol.HTTP_2;
          case "ktor" -> uri.getPath().startsWith("/cut-chunks/");
          default -> false;
        };
    return misses ? new DriverRequest(uri, 0, 1000) : DriverRequest.get(uri);
  }

  /** What a load counts as one: an exception, a status, or a wrong length. Never silence. */
  private static void assertFailure(Client client, DriverRequest request) {
    Answer answer;
    try {
      answer = client.exchange(request);
    } catch (TimeoutException e) {
      throw new AssertionError("no end of " + request, e);
    } catch (Exception e) {
      return;
    }
    assertFalse(
        answer.isSuccess()
            && (request.expectedLength() < 0 || answer.bodyBytes() == request.expectedLength()),
        () -> answer + " to " + request);
  }

  private static Client start(Isolated isolated, CountedServer server, Wire wire, Profile profile)
      throws Exception {
    return new Client(isolated.driver(), config(server, wire, profile));
  }

  private static DriverConfig config(CountedServer server, Wire wire, Profile profile) {
    return new DriverConfig(server.uri("/"), wire, profile);
  }

  /** And closes the server. */
  private static void awaitNoConnection(CountedServer server) {
    awaitConnections(server, 0);
    server.close();
  }

  private static void awaitConnections(CountedServer server, int most) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Client.PATIENCE_SECONDS);
    while (server.open() > most) {
      assertTrue(
          System.nanoTime() < end, () -> server.open() + " connections, not at most " + most);
      LockSupport.parkNanos(1_000_000);
    }
  }
}
