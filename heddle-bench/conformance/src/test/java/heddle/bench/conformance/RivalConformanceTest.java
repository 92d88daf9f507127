package heddle.bench.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.driver.Profile;
import heddle.bench.driver.Protocol;
import heddle.bench.driver.ServerConfig;
import heddle.bench.driver.ServerDriver;
import heddle.bench.driver.ServerDriver.Running;
import heddle.bench.routes.ExperimentRoutes;
import heddle.bench.routes.HandlerRoutes;
import heddle.bench.server.RequestThreads;
import heddle.bench.server.RivalServers;
import heddle.bench.server.ServerSpec;
import heddle.bench.server.ServerSpec.Program;
import heddle.client.HttpClient;
import heddle.http.Body;
import heddle.http.HttpVersion;
import heddle.http.Request;
import heddle.http.Response;
import heddle.load.schedule.Strand;
import heddle.server.spi.Handler;
import heddle.testkit.mock.TestIdentity;
import heddle.transport.tls.TlsOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What an experiment takes for granted of a server, for each that is built. It takes a minute, so
 * it runs on request.
 */
@EnabledIfSystemProperty(
    named = "heddle.rivals",
    matches = "true",
    disabledReason = "runs with -Dheddle.rivals=true, see CONTRIBUTING.md")
@Execution(ExecutionMode.SAME_THREAD)
class RivalConformanceTest {

  private static final Path HOME = Path.of("..", "..");
  private static final int LARGE = 200_000;

  private static TestIdentity identity;

  private final ClassLoader usual = Thread.currentThread().getContextClassLoader();

  @BeforeAll
  static void makeIdentity() throws Exception {
    identity = TestIdentity.forNames("localhost", "127.0.0.1");
  }

  @AfterEach
  void findServicesAsUsual() {
    Thread.currentThread().setContextClassLoader(usual);
  }

  /** All servers, in cleartext and over TLS. */
  static Stream<Arguments> servers() {
    return RivalServers.NAMES.stream()
        .flatMap(name -> Stream.of(Arguments.of(name, false), Arguments.of(name, true)));
  }

  /** Of all but Netty, which answers on its loops. */
  static Stream<Arguments> threads() {
    List<Arguments> all = new ArrayList<>();
    for (String name : RivalServers.NAMES) {
      if (name.equals("netty")) {
        continue;
      }
      for (String threads : List.of("virtual", "thread", "pool:3")) {
        if (isAllowed(program(name), Protocol.HTTP_1_1, false, threads)) {
          all.add(Arguments.of(name, threads));
        }
      }
    }
    return all.stream();
  }

  private static Program program(String name) {
    return Program.valueOf(name.toUpperCase(Locale.ROOT));
  }

  private static boolean isAllowed(
      Program program, Protocol protocol, boolean tls, String threads) {
    try {
      return new ServerSpec(program, protocol, tls, threads, Profile.TUNED, 1).program() == program;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Over all protocols that {@link ServerSpec} allows. */
  @ParameterizedTest
  @MethodSource("servers")
  void answersWithTheRoutes(String name, boolean tls) throws Exception {
    ServerDriver driver = RivalServers.find(HOME, name);
    assertEquals(name, driver.name());
    assertNotEquals("unknown", driver.version());
    try (ExecutorService handlers = RequestThreads.of(Strand.VIRTUAL);
        Running server = start(driver, Strand.VIRTUAL, handlers, tls, new ExperimentRoutes())) {
      String base = (tls ? "https" : "http") + "://127.0.0.1:" + server.port();
      answersOver(HttpVersion.HTTP_1_1, base, 0, "?more=yes");
      if (isAllowed(program(name), Protocol.HTTP_2, tls, ServerSpec.VIRTUAL)) {
        // Over HTTP/2, robaho's server takes a query for a part of the path.
        answersOver(HttpVersion.HTTP_2, base, 1, name.equals("robaho") ? "" : "?more=yes");
      }
    }
  }

  private static void answersOver(HttpVersion version, String base, int turn, String query)
      throws Exception {
    HttpClient.Builder settings = HttpClient.builder().version(version);
    if (base.startsWith("https")) {
      settings.tls(TlsOptions.builder().trust(List.of(identity.certificate())).build());
    }
    try (HttpClient client = settings.build()) {
      try (Response hello = client.send(Request.get(base + "/hello"))) {
        assertEquals(200, hello.status().code());
        assertEquals(version, hello.version());
        assertEquals("Hello!", hello.string());
      }
      assertEquals("Ping_" + turn, text(client, Request.get(base + "/ping/1")));
      assertEquals("Hello!", text(client, Request.get(base + "/delay/1" + query)));
      String large = text(client, Request.get(base + "/bytes/" + LARGE));
      assertEquals("abcdefghijklmnopqrstuvwxyz".repeat(1 + LARGE / 26).substring(0, LARGE), large);
      byte[] content = large.getBytes(StandardCharsets.US_ASCII);
      try (Response echo = client.send(Request.post(base + "/echo", Body.of(content)))) {
        assertArrayEquals(content, echo.bytes());
      }
      assertEquals("", text(client, Request.post(base + "/sink", Body.of(content))));
      try (Response counters = client.send(Request.post(base + "/counters", Body.of("")))) {
        assertTrue(counters.string().contains("\"requests\":6,"));
      }
      try (Response missing = client.send(Request.get(base + "/nowhere"))) {
        assertEquals(404, missing.status().code());
      }
      // So that the next look counts from here.
      text(client, Request.post(base + "/counters", Body.of("")));
    }
  }

  @ParameterizedTest
  @MethodSource("threads")
  void runsRequestsOnTheThreadsOfTheConfig(String name, String threads) throws Exception {
    Strand strand = Strand.parse(threads);
    Queue<Thread> seen = new ConcurrentLinkedQueue<>();
    Handler handler = _ -> {
      seen.add(Thread.currentThread());
      return Response.ok("yes");
    };
    try (ExecutorService handlers = RequestThreads.of(strand);
        HttpClient client = HttpClient.create();
        Running server = start(RivalServers.find(HOME, name), strand, handlers, false, handler)) {
      for (int i = 0; i < 8; i++) {
        assertEquals(
            "yes", text(client, Request.get("http://127.0.0.1:" + server.port() + "/" + i)));
      }
    }
    boolean isVirtual = strand.equals(Strand.VIRTUAL);
    assertTrue(seen.stream().allMatch(each -> each.isVirtual() == isVirtual), seen::toString);
  }

  private static Running start(
      ServerDriver driver, Strand strand, ExecutorService handlers, boolean tls, Handler handler)
      throws Exception {
    int pool = strand instanceof Strand.Pool(int size) ? size : 0;
    return driver.start(new ServerConfig(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        tls ? identity.keyStore(ServerConfig.PASSWORD) : null,
        handlers,
        pool,
        Profile.TUNED,
        new HandlerRoutes(handler)));
  }

  private static String text(HttpClient client, Request request) throws Exception {
    try (Response response = client.send(request)) {
      assertEquals(200, response.status().code());
      return response.string();
    }
  }
}
