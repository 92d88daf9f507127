package heddle.jersey.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.HttpClient;
import heddle.http.Body;
import heddle.http.HttpVersion;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.server.HttpServer;
import heddle.server.spi.Exchange;
import heddle.server.spi.ExchangeHandler;
import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HEAD;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.ConnectionCallback;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.UnaryOperator;
import org.glassfish.jersey.server.ContainerFactory;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.spi.AbstractContainerLifecycleListener;
import org.glassfish.jersey.server.spi.Container;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What Heddle's server does with resources that other containers do not, or do differently. */
@Timeout(60)
final class JerseyHandlerTest {
  private static Host.Running serve(
      JerseyHandler handler, UnaryOperator<HttpServer.Builder> settings) throws IOException {
    HttpServer server =
        settings.apply(HttpServer.builder().exchangeHandler(handler)).start();
    return new Host.Running(server.port(), HttpClient.create(), () -> {
      server.close();
      handler.close();
    });
  }

  private static Host.Running serve(JerseyHandler handler) throws IOException {
    return serve(handler, UnaryOperator.identity());
  }

  private static Response get(Host.Running running, String path) throws IOException {
    return running.client().get(running.url(path));
  }

  /** The whole answer to a request that clients would not send. */
  private static String raw(Host.Running running, String line) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", running.port())) {
      socket
          .getOutputStream()
          .write((line + " HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n")
              .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GRIZZLY")
  void contentThatFailsMidwayIsCut(Host host) throws Exception {
    try (Host.Running running = host.start(Loom.application());
        Response response = get(running, "/broken")) {
      assertEquals(200, response.status().code());
      assertThrows(IOException.class, response::bytes);
      assertEquals("Hello!", get(running, "/hello").string());
    }
  }

  /** Resources of this test. */
  @Path("/")
  public static final class Resources {
    static final BlockingQueue<AsyncResponse> SUSPENDED = new LinkedBlockingQueue<>();

    @Context
    private Exchange exchange;

    @GET
    @Path("early")
    public StreamingOutput early() {
      return out -> {
        out.write(new byte[10_000]); // more than Jersey collects, less than the server does
        throw new IOException("the shuttle is stuck");
      };
    }

    @GET
    @Path("unsendable")
    public jakarta.ws.rs.core.Response unsendable() {
      return jakarta.ws.rs.core.Response.ok("x").header("X-Price", "3 \u20ac").build();
    }

    @HEAD
    @Path("size")
    public jakarta.ws.rs.core.Response size() {
      return jakarta.ws.rs.core.Response.ok().header("Content-Length", 1234).build();
    }

    @GET
    @Path("peer")
    public String peer(@Context Exchange parameter) {
      return exchange.version() + " " + exchange.clientCertificates() + " "
          + ((InetSocketAddress) exchange.remoteAddress()).getPort() + " "
          + (exchange.connectionId() == parameter.connectionId());
    }

    @GET
    @Path("later")
    public void later(@Suspended AsyncResponse response) {
      SUSPENDED.add(response);
    }
  }

  /** A resource that lives as long as the application. */
  @Path("single")
  @Singleton
  public static final class Single {
    @Context
    private Exchange exchange;

    @GET
    public String get() {
      return exchange.request().query();
    }
  }

  @Test
  void contentThatFailsBeforeAnythingWasSentIsAnswered500() throws Exception {
    try (Host.Running running = serve(JerseyHandler.of(new ResourceConfig(Resources.class)));
        Response response = get(running, "/early")) {
      assertEquals(500, response.status().code());
      assertEquals(0, response.bytes().length);
    }
  }

  @Test
  void fieldsThatCannotBeSentAreAnswered500() throws Exception {
    try (Host.Running running = serve(JerseyHandler.of(new ResourceConfig(Resources.class)));
        Response response = get(running, "/unsendable")) {
      assertEquals(500, response.status().code());
      assertNull(response.headers().first("X-Price"));
    }
  }

  @Test
  void headMayKnowALengthWithoutContent() throws Exception {
    try (Host.Running running = serve(JerseyHandler.of(new ResourceConfig(Resources.class)));
        Response response = running.client().send(Request.head(running.url("/size")))) {
      assertEquals("1234", response.headers().first("Content-Length"));
    }
  }

  @ParameterizedTest
  @CsvSource({"HTTP_1_1", "HTTP_2"})
  void resourcesSeeTheirExchange(HttpVersion version) throws Exception {
    try (Host.Running running = serve(JerseyHandler.of(new ResourceConfig(Resources.class)));
        HttpClient client = HttpClient.builder().version(version).build()) {
      String[] seen = client.get(running.url("/peer")).string().split(" ");
      assertEquals(version.toString(), seen[0]);
      assertEquals("[]", seen[1]);
      assertTrue(Integer.parseInt(seen[2]) > 0);
      assertEquals("true", seen[3]);
    }
  }

  @Test
  void singletonsSeeTheExchangeOfEachRequest() throws Exception {
    try (Host.Running running = serve(JerseyHandler.of(new ResourceConfig(Single.class)))) {
      assertEquals("a", get(running, "/single?a").string());
      assertEquals("b", get(running, "/single?b").string());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/api", "/api/"})
  void resourcesCanBeBelowAPath(String contextPath) throws Exception {
    try (Host.Running running = serve(JerseyHandler.of(Loom.application(), contextPath))) {
      assertEquals("Hello!", get(running, "/api/hello").string());
      assertEquals(
          running.url("/api/") + " " + running.url("/api/base?q"),
          get(running, "/api/base?q").string());
      assertEquals(
          "/api/ /api/uris/a%2Fb a/b {}", get(running, "/api/uris/a%2Fb").string());
      for (String other : new String[] {"/hello", "/apihello", "/api2/hello", "/", "/api"}) {
        assertEquals(404, get(running, other).status().code(), other);
      }
    }
  }

  /** A resource at the root. */
  @Path("/")
  public static final class Root {
    @GET
    public String get() {
      return "root";
    }
  }

  @Test
  void theContextPathItselfIsTheRoot() throws Exception {
    ResourceConfig application = new ResourceConfig(Root.class);
    try (Host.Running running = serve(JerseyHandler.of(application, "/api"))) {
      assertEquals("root", get(running, "/api").string());
      assertEquals("root", get(running, "/api/").string());
      assertEquals("root", get(running, "/api?q").string());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "api", "/api?q", "/api#f", "/a b"})
  void contextPathsMustBePaths(String contextPath) {
    assertThrows(
        IllegalArgumentException.class, () -> JerseyHandler.of(Loom.application(), contextPath));
  }

  @Test
  void charactersThatShouldBeEscapedAreAccepted() throws Exception {
    try (Host.Running running = serve(JerseyHandler.of(Loom.application()))) {
      String answer = raw(running, "GET /uris/a|b?q={x|y}");
      assertTrue(answer.endsWith(" a|b {q=[{x|y}]}"), answer);
    }
  }

  @ParameterizedTest
  @CsvSource({"OPTIONS *,204", "CONNECT t:80,501"})
  void requestsWithoutAPathAreAnswered(String line, String status) throws Exception {
    try (Host.Running running = serve(JerseyHandler.of(Loom.application()))) {
      String answer = raw(running, line);
      assertTrue(answer.startsWith("HTTP/1.1 " + status), answer);
    }
  }

  @Test
  void contentThatIsTooLongIsAnswered413() throws Exception {
    JerseyHandler handler = JerseyHandler.of(Loom.application());
    try (Host.Running running = serve(handler, builder -> builder.maxBodyBytes(10));
        Response response =
            running.client().send(Request.post(running.url("/length"), Body.of(new byte[11])))) {
      assertEquals(413, response.status().code());
    }
  }

  @Test
  void handlerTimeoutsEndSuspendedResponses() throws Exception {
    JerseyHandler handler = JerseyHandler.of(new ResourceConfig(Resources.class));
    Duration timeout = Duration.ofMillis(50);
    try (Host.Running running = serve(handler, builder -> builder.handlerTimeout(timeout));
        Response response = get(running, "/later")) {
      assertEquals(503, response.status().code());
      Resources.SUSPENDED.take();
    }
  }

  @Test
  void applicationsLearnThatAClientHasLeft() throws Exception {
    JerseyHandler handler = JerseyHandler.of(new ResourceConfig(Resources.class));
    try (HttpServer server = HttpServer.builder().exchangeHandler(handler).start()) {
      try (Socket socket = new Socket("127.0.0.1", server.port())) {
        socket
            .getOutputStream()
            .write("GET /later HTTP/1.1\r\nHost: t\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        AsyncResponse suspended = Resources.SUSPENDED.take();
        CompletableFuture<AsyncResponse> left = new CompletableFuture<>();
        suspended.register((ConnectionCallback) left::complete);
        assertEquals(1, server.active());
        socket.setSoLinger(true, 0); // resets
        socket.close();
        while (server.active() > 0) {
          Thread.yield();
        }
        assertFalse(left.isDone());
        suspended.resume(new byte[Loom.LARGE]);
        assertSame(suspended, left.get());
      }
    } finally {
      handler.close();
    }
  }

  @Test
  void applicationsAreStartedAndEnded() {
    StringBuilder events = new StringBuilder();
    ResourceConfig application = Loom.application()
        .register(new AbstractContainerLifecycleListener() {
          @Override
          public void onStartup(Container container) {
            events.append("started ");
          }

          @Override
          public void onShutdown(Container container) {
            events.append("ended");
          }
        });
    JerseyHandler handler = JerseyHandler.of(application);
    assertEquals("started ", events.toString());
    assertThrows(UnsupportedOperationException.class, handler::reload);
    handler.close();
    assertEquals("started ended", events.toString());
  }

  @Test
  void jerseysFactoryMakesHandlers() throws Exception {
    ExchangeHandler handler =
        ContainerFactory.createContainer(ExchangeHandler.class, Loom.application());
    try (Host.Running running = serve((JerseyHandler) handler)) {
      assertEquals("Hello!", get(running, "/hello").string());
    }
    ContainerFactory.createContainer(JerseyHandler.class, Loom.application()).close();
    assertNull(new HeddleProvider().createContainer(String.class, Loom.application()));
  }

  @Test
  void methodsOfAnyNameReachResources() throws Exception {
    try (Host.Running running = serve(JerseyHandler.of(Loom.application()));
        Response response = running
            .client()
            .send(Request.builder(running.url("/hello"))
                .method(Method.of("WEAVE"))
                .build())) {
      assertEquals(405, response.status().code());
    }
  }
}
