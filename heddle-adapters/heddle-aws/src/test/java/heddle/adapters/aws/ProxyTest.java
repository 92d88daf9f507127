package heddle.adapters.aws;

import static heddle.adapters.aws.ScriptedVisit.visit;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.spi.Proxy;
import heddle.testkit.ScriptedPeer;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;

/** Calls through proxies, those of the system among them. */
@Timeout(60)
@Isolated("it sets system properties")
class ProxyTest {
  private static final String HOST_PROPERTY = "http.proxyHost";
  private static final String PORT_PROPERTY = "http.proxyPort";

  private final AtomicReference<String> head = new AtomicReference<>("");

  private static SdkHttpRequest request(String scheme) {
    return SdkHttpRequest.builder()
        .method(SdkHttpMethod.GET)
        .protocol(scheme)
        .host("bucket.test")
        .encodedPath("/a//b%7e")
        .build();
  }

  private static Proxy at(int port) {
    return Proxy.http("127.0.0.1", port);
  }

  private ScriptedPeer.Script answering(String status) {
    return c -> {
      head.set(c.expectHead());
      c.send("HTTP/1.1 " + status + "\r\nContent-Length: 2\r\n\r\nok");
      c.drain();
    };
  }

  @Test
  void pathReachesTheProxyByteForByteInTheAbsoluteForm() throws Exception {
    visit(answering("200 OK"), port -> {
      try (SdkHttpClient client =
          HeddleHttpClient.builder().proxies(origin -> List.of(at(port))).build()) {
        HttpExecuteResponse response = Blocking.call(client, request("http"));
        assertArrayEquals("ok".getBytes(UTF_8), Blocking.content(response));
      }
    });
    assertTrue(head.get().startsWith("GET http://bucket.test/a//b%7e HTTP/1.1\r\n"), head::get);
    assertFalse(head.get().contains("Proxy-Authorization"), head::get);
  }

  @Test
  void proxyThatRequestsCredentialsGetsItsOwn() throws Exception {
    visit(
        c -> {
          c.expectHead();
          c.send("HTTP/1.1 407 Who?\r\nProxy-Authenticate: Basic realm=\"r\"\r\n"
              + "Content-Length: 0\r\n\r\n");
          head.set(c.expectHead());
          c.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
          c.drain();
        },
        port -> {
          Proxy proxy = at(port).withCredentials("user", "secret");
          try (SdkAsyncHttpClient client =
              HeddleAsyncHttpClient.builder().proxies(origin -> List.of(proxy)).build()) {
            Async call = new Async();
            call.execute(client, request("http")).get(30, TimeUnit.SECONDS);
            assertEquals(200, call.head.get().statusCode());
          }
        });
    assertTrue(head.get().contains("Proxy-Authorization: Basic dXNlcjpzZWNyZXQ="), head::get);
  }

  @Test
  void tunnelThatIsRefusedFailsTheCallAndNamesTheProxy() throws Exception {
    visit(answering("403 Forbidden"), port -> {
      try (SdkHttpClient client =
          HeddleHttpClient.builder().proxies(origin -> List.of(at(port))).build()) {
        IOException failure =
            assertThrows(IOException.class, () -> Blocking.call(client, request("https")));
        assertTrue(
            String.valueOf(failure.getMessage()).contains("127.0.0.1:" + port),
            () -> failure.toString());
      }
    });
    assertTrue(head.get().startsWith("CONNECT bucket.test:443 HTTP/1.1\r\n"), head::get);
  }

  @Test
  void proxyOfTheSystemIsTakenUnlessAnotherIsGiven() throws Exception {
    visit(
        answering("200 OK"),
        port -> withSystemProxy(String.valueOf(port), () -> {
          try (SdkHttpClient client = HeddleHttpClient.create()) {
            assertEquals(
                200, Blocking.call(client, request("http")).httpResponse().statusCode());
          }
          try (SdkHttpClient client =
              HeddleHttpClient.builder().proxies(origin -> List.of()).build()) {
            assertThrows(IOException.class, () -> Blocking.call(client, request("http")));
          }
        }));
    assertTrue(head.get().startsWith("GET http://bucket.test/"), head::get);
  }

  @Test
  void malformedProxyOfTheSystemIsRefusedByName() throws Exception {
    withSystemProxy("many", () -> {
      IllegalArgumentException refusal =
          assertThrows(IllegalArgumentException.class, () -> HeddleAsyncHttpClient.create());
      assertTrue(String.valueOf(refusal.getMessage()).contains(PORT_PROPERTY), refusal::toString);
    });
  }

  /** What is done while the system has a proxy. */
  @FunctionalInterface
  private interface Meanwhile {
    void run() throws Exception;
  }

  private static void withSystemProxy(String port, Meanwhile meanwhile) throws Exception {
    System.setProperty(HOST_PROPERTY, "127.0.0.1");
    System.setProperty(PORT_PROPERTY, port);
    try {
      meanwhile.run();
    } finally {
      System.clearProperty(HOST_PROPERTY);
      System.clearProperty(PORT_PROPERTY);
    }
  }
}
