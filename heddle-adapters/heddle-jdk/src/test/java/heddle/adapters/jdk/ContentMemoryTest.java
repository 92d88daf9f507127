package heddle.adapters.jdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import heddle.testkit.ScriptedPeer;
import heddle.testkit.mock.Callers;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.TestIdentity;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Content that is collected in memory, which is used again and never by two at a time. */
@Timeout(60)
class ContentMemoryTest {
  private static final int KIB = 1024;

  private static HttpRequest.Builder to(String url) {
    return HttpRequest.newBuilder(URI.create(url));
  }

  private static String send(HttpClient client, HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), BodyHandlers.ofString()).body();
  }

  private static BodyPublisher filled(int length, char with) {
    byte[] content = new byte[length];
    Arrays.fill(content, (byte) with);
    return BodyPublishers.ofByteArray(content);
  }

  private static MockResponse digest(byte[] content) {
    return MockResponse.ok(Arrays.hashCode(content) + "");
  }

  private static MockServer digesting() throws IOException {
    MockServer server = MockServer.start();
    server.handler(request -> digest(request.body()));
    return server;
  }

  private static void sendFromMany(HttpClient client, String url, Version version)
      throws Exception {
    // Encryption takes the time that this test has.
    int calls = version == Version.HTTP_2 ? 10 : 25;
    Callers.atOnce(8, random -> {
      for (int i = 0; i < calls; i++) {
        byte[] content = new byte[random.nextInt(1, 300 * KIB)];
        random.nextBytes(content);
        assertEquals(
            Arrays.hashCode(content) + "",
            send(client, to(url).version(version).POST(BodyPublishers.ofByteArray(content))));
      }
    });
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void contentOfManyCallersIsNotMixedUp(Stack stack) throws Exception {
    try (MockServer server = digesting();
        HttpClient client = stack.client()) {
      sendFromMany(client, server.url("/"), Version.HTTP_1_1);
    }
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void contentOfManyCallersIsNotMixedUpOnOneConnection(Stack stack) throws Exception {
    TestIdentity identity = TestIdentity.forNames("localhost", "127.0.0.1");
    try (MockServer server = MockServer.builder()
            .tls(identity.server())
            .handler(request -> digest(request.body()))
            .start();
        HttpClient client = stack
            .builder()
            .proxy(HttpClient.Builder.NO_PROXY)
            .sslContext(identity.trusting())
            .build()) {
      sendFromMany(client, server.url("/"), Version.HTTP_2);
    }
  }

  /** The memory of what was written serves other calls, until the first has to be sent again. */
  @Test
  void contentThatIsSentOnceMoreIsNotThatOfAnotherCall() throws Exception {
    int length = 40 * KIB;
    AtomicInteger connections = new AtomicInteger();
    List<byte[]> came = new CopyOnWriteArrayList<>();
    try (MockServer another = digesting();
        HttpClient client = Stack.HEDDLE.client()) {
      ScriptedPeer.Script script = connection -> {
        boolean first = connections.getAndIncrement() == 0;
        if (first) {
          connection.expectHead();
          connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");
        }
        connection.expectHead();
        came.add(connection.expectBytes(length));
        if (first) {
          for (int i = 0; i < 10; i++) {
            send(client, to(another.url("/")).POST(filled(length, 'o')));
          }
          connection.close();
        } else {
          connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nheard");
          connection.hasMore();
        }
      };
      try (ScriptedPeer peer = ScriptedPeer.each(TcpNetwork.shared(), script)) {
        assertEquals("hi", send(client, to(peer.url("/"))));
        assertEquals("heard", send(client, to(peer.url("/")).PUT(filled(length, 'm'))));
      }
    }
    byte[] mine = new byte[length];
    Arrays.fill(mine, (byte) 'm');
    assertEquals(2, came.size());
    came.forEach(each -> assertTrue(Arrays.equals(mine, each)));
  }

  @Test
  void theMemoryOfOneCallServesTheNext() throws Exception {
    BodyPublisher content = filled(60 * KIB, 'x');
    try (MockServer server = digesting();
        HttpClient client = Stack.HEDDLE.client()) {
      long each = 0;
      for (int i = 0; i < 60; i++) {
        long before = allocated();
        send(client, to(server.url("/")).version(Version.HTTP_1_1).POST(content));
        each += i < 20 ? 0 : (allocated() - before) / 40;
      }
      // The JDK's publisher copies what it publishes.
      assertTrue(each < 90 * KIB, each + " bytes were allocated for each call");
    }
  }

  /** What this thread has allocated, in bytes. */
  private static long allocated() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
  }
}
