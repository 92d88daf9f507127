package heddle.jersey.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.HttpClient;
import heddle.http.Body;
import heddle.http.Request;
import heddle.server.HttpServer;
import heddle.testkit.mock.TestIdentity;
import heddle.transport.tls.TlsOptions;
import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.SeBootstrap;
import jakarta.ws.rs.core.Application;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.glassfish.jersey.server.ServerProperties;
import org.glassfish.jersey.server.spi.WebServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Applications that {@link SeBootstrap} starts on Heddle's server. */
@Timeout(60)
final class HeddleServerTest {
  private static SeBootstrap.Configuration.Builder onHeddle() {
    return SeBootstrap.Configuration.builder()
        .host("127.0.0.1")
        .port(SeBootstrap.Configuration.FREE_PORT)
        .property(ServerProperties.WEBSERVER_CLASS, HeddleServer.class);
  }

  private static <T> T get(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get();
  }

  /** An application that is made by Jersey. */
  public static final class LoomApplication extends Application {
    @Override
    public Set<Class<?>> getClasses() {
      return Set.of(Loom.class);
    }
  }

  @Test
  void applicationsRunBelowTheRootPathUntilTheyAreStopped() throws Exception {
    SeBootstrap.Instance instance =
        get(SeBootstrap.start(Loom.application(), onHeddle().rootPath("api").build()));
    try (HttpClient client = HttpClient.create()) {
      String root = "http://127.0.0.1:" + instance.configuration().port();
      assertEquals(root + "/api/", instance.configuration().baseUri().toString() + "/");
      assertEquals("Hello!", client.get(root + "/api/hello").string());
      assertEquals(404, client.get(root + "/hello").status().code());
      assertEquals(
          instance.configuration().port(), instance.unwrap(HttpServer.class).port());
      get(instance.stop());
      assertThrows(IOException.class, () -> client.get(root + "/api/hello"));
    }
  }

  @Test
  void applicationsCanBeClasses() throws Exception {
    SeBootstrap.Instance instance =
        get(SeBootstrap.start(LoomApplication.class, onHeddle().build()));
    try (HttpClient client = HttpClient.create()) {
      String url = "http://127.0.0.1:" + instance.configuration().port() + "/hello";
      assertEquals("Hello!", client.get(url).string());
    } finally {
      get(instance.stop());
    }
  }

  @Test
  void aBuilderHasFurtherSettings() throws Exception {
    SeBootstrap.Configuration configuration = onHeddle()
        .property(HeddleServer.BUILDER, HttpServer.builder().maxBodyBytes(10))
        .build();
    SeBootstrap.Instance instance = get(SeBootstrap.start(Loom.application(), configuration));
    try (HttpClient client = HttpClient.create()) {
      String url = "http://127.0.0.1:" + instance.configuration().port() + "/length";
      Request request = Request.post(url, Body.of(new byte[11]));
      assertEquals(413, client.send(request).status().code());
    } finally {
      get(instance.stop());
    }
  }

  @Test
  void anotherValueThanABuilderIsRefused() {
    SeBootstrap.Configuration configuration =
        onHeddle().property(HeddleServer.BUILDER, "fast").build();
    Exception e = assertThrows(
        ExecutionException.class, () -> get(SeBootstrap.start(Loom.application(), configuration)));
    assertInstanceOf(IllegalArgumentException.class, e.getCause());
    assertTrue(e.getMessage().contains("must be an HttpServer.Builder"), e.getMessage());
  }

  @Test
  void portsInUseAreReported() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      SeBootstrap.Configuration configuration =
          onHeddle().port(taken.getLocalPort()).build();
      Exception e = assertThrows(
          ExecutionException.class,
          () -> get(SeBootstrap.start(Loom.application(), configuration)));
      assertInstanceOf(ProcessingException.class, e.getCause());
    }
  }

  @Test
  void serversCanBeStartedLater() throws Exception {
    SeBootstrap.Configuration configuration =
        onHeddle().property(ServerProperties.WEBSERVER_AUTO_START, false).build();
    HeddleServer server =
        new HeddleProvider().createServer(HeddleServer.class, Loom.application(), configuration);
    assertEquals(0, server.port());
    assertNull(server.unwrap(HttpServer.class));
    get(server.start());
    try (HttpClient client = HttpClient.create()) {
      assertEquals(
          "Hello!", client.get("http://127.0.0.1:" + server.port() + "/hello").string());
      assertThrows(ExecutionException.class, () -> get(server.start()));
    } finally {
      get(server.stop());
      get(server.stop());
    }
  }

  /** A server of another provider. */
  interface Other extends WebServer {}

  @Test
  void otherServersAreLeftToTheirProviders() {
    SeBootstrap.Configuration configuration =
        onHeddle().property(ServerProperties.WEBSERVER_CLASS, Other.class).build();
    HeddleProvider provider = new HeddleProvider();
    assertNull(provider.createServer(WebServer.class, Loom.application(), configuration));
    assertNull(provider.createServer(WebServer.class, LoomApplication.class, configuration));
  }

  @Test
  void httpsUsesTheContextOfTheConfiguration() throws Exception {
    TestIdentity identity = TestIdentity.forNames("localhost");
    SeBootstrap.Configuration configuration = onHeddle()
        .protocol("HTTPS")
        .host("localhost")
        .sslContext(identity.serving())
        .build();
    SeBootstrap.Instance instance = get(SeBootstrap.start(Loom.application(), configuration));
    try (HttpClient client = HttpClient.builder()
        .tls(TlsOptions.builder().context(identity.trusting()).build())
        .build()) {
      String root = "https://localhost:" + instance.configuration().port();
      assertEquals("true null null false", client.get(root + "/security").string());
      assertEquals(root + "/ " + root + "/base", client.get(root + "/base").string());
    } finally {
      get(instance.stop());
    }
  }
}
