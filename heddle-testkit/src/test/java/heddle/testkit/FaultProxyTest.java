package heddle.testkit;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Faults between a client and a server over real sockets. */
@Timeout(60)
class FaultProxyTest {
  private static final byte[] GET =
      "GET / HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n".getBytes(US_ASCII);

  @FunctionalInterface
  private interface Talk {
    void by(FaultProxy proxy, Socket client) throws Exception;
  }

  private static void talk(Talk talk, Consumer<FaultyConnection> faults) throws Exception {
    try (MockServer server = MockServer.start();
        FaultProxy proxy = FaultProxy.before(server.address())) {
      server.answer("/", MockResponse.ok("hello"));
      proxy.onConnection(faults);
      try (Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
        client.setSoTimeout(20_000);
        client.getOutputStream().write(GET);
        talk.by(proxy, client);
      }
    }
  }

  private static String rest(Socket client) throws IOException {
    return new String(client.getInputStream().readAllBytes(), US_ASCII);
  }

  @Test
  void withoutFaultsEverythingArrivesAndTheConnectionEnds() throws Exception {
    talk(
        (proxy, client) -> {
          String response = rest(client);
          assertTrue(response.endsWith("hello"), response);
          FaultyConnection connection = proxy.connections().getFirst();
          assertEquals(GET.length, connection.delivered(Direction.TO_SERVER));
          assertEquals(response.length(), connection.delivered(Direction.TO_CLIENT));
        },
        connection -> {});
  }

  @Test
  void aByteIsCountedBeforeItIsReceived() throws Exception {
    try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        FaultProxy proxy = FaultProxy.before(listening.getLocalSocketAddress());
        Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
        Socket server = listening.accept()) {
      for (int count = 1; count <= 2_000; count++) {
        server.getOutputStream().write('x');
        assertEquals('x', client.getInputStream().read());
        assertEquals(count, proxy.connections().getFirst().delivered(Direction.TO_CLIENT));
      }
    }
  }

  @Test
  void aCutEndsTheDirectionAtItsByte() throws Exception {
    talk(
        (proxy, client) -> assertEquals("HTTP/1.1 ", rest(client)),
        connection -> connection.cutAfterBytes(Direction.TO_CLIENT, 9, Cut.END));
  }

  @Test
  void aResetIsSeenByTheClient() throws Exception {
    talk(
        (proxy, client) -> {
          assertThrows(IOException.class, () -> rest(client));
          assertFalse(proxy.connections().getFirst().isOpen());
        },
        connection -> connection.cutAfterBytes(Direction.TO_SERVER, 10, Cut.RESET));
  }

  @ParameterizedTest
  @EnumSource
  void aByteThatHasBeenPassedOnIsCutAtOnce(Cut how) throws Exception {
    try (MockServer server = MockServer.start();
        FaultProxy proxy = FaultProxy.before(server.address())) {
      server.answer("/", MockResponse.ok("hello"));
      try (Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
        client.setSoTimeout(20_000);
        client.getOutputStream().write("GET / HTTP/1.1\r\nHost: t\r\n\r\n".getBytes(US_ASCII));
        StringBuilder response = new StringBuilder();
        while (!response.toString().endsWith("hello")) {
          response.append((char) client.getInputStream().read());
        }
        FaultyConnection connection = proxy.connections().getFirst();
        connection.cutAfterBytes(Direction.TO_CLIENT, 5, how);
        if (how == Cut.END) {
          assertEquals(-1, client.getInputStream().read());
          assertTrue(connection.isOpen());
        } else {
          assertThrows(SocketException.class, () -> client.getInputStream().read());
          assertFalse(connection.isOpen());
        }
      }
    }
  }

  @Test
  void anActionThatFailsClosesTheConnection() throws Exception {
    CompletableFuture<FaultyConnection> made = new CompletableFuture<>();
    talk(
        (proxy, client) -> {
          FaultyConnection connection = made.get();
          while (connection.isOpen()) {
            Thread.onSpinWait();
          }
        },
        connection -> {
          made.complete(connection);
          throw new IllegalStateException("an action that fails");
        });
  }

  @Test
  void aStallHoldsBackUntilItIsLifted() throws Exception {
    talk(
        (proxy, client) -> {
          InputStream in = client.getInputStream();
          assertEquals("HTTP/1.1 200", new String(in.readNBytes(12), US_ASCII));
          assertEquals(0, in.available());
          FaultyConnection connection = proxy.connections().getFirst();
          assertEquals(12, connection.delivered(Direction.TO_CLIENT));
          connection.unstall(Direction.TO_CLIENT);
          assertTrue(rest(client).endsWith("hello"));
        },
        connection -> connection.stallAfterBytes(Direction.TO_CLIENT, 12, null));
  }

  @Test
  void aStallWithATimeEndsByItself() throws Exception {
    long begun = System.nanoTime();
    talk(
        (proxy, client) -> {
          assertTrue(rest(client).endsWith("hello"));
          assertTrue(System.nanoTime() - begun >= 50_000_000);
        },
        connection -> connection.stallAfterBytes(Direction.TO_CLIENT, 1, Duration.ofMillis(50)));
  }

  @Test
  void aTrickleArrivesWhole() throws Exception {
    talk(
        (proxy, client) -> assertTrue(rest(client).endsWith("hello")),
        connection -> connection.trickle(Direction.TO_CLIENT, 1, Duration.ofNanos(1_000)));
  }

  @Test
  void aServerThatIsGoneClosesTheClientsConnection() throws Exception {
    MockServer server = MockServer.start();
    try (FaultProxy proxy = FaultProxy.before(server.address())) {
      server.close();
      try (Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
        client.setSoTimeout(20_000);
        assertEquals(-1, client.getInputStream().read());
      }
    }
  }

  @Test
  void closingClosesItsConnections() throws Exception {
    CompletableFuture<FaultyConnection> made = new CompletableFuture<>();
    try (MockServer server = MockServer.start();
        FaultProxy proxy = FaultProxy.before(server.address())) {
      proxy.onConnection(made::complete);
      try (Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
        client.setSoTimeout(20_000);
        assertTrue(made.get().isOpen());
        proxy.close();
        assertEquals(-1, client.getInputStream().read());
        assertFalse(made.get().isOpen());
      }
    }
  }

  @Test
  void badArgumentsAreRefused() throws Exception {
    CompletableFuture<FaultyConnection> made = new CompletableFuture<>();
    talk(
        (proxy, client) -> {
          FaultyConnection connection = made.get();
          assertThrows(
              IllegalArgumentException.class,
              () -> connection.cutAfterBytes(Direction.TO_CLIENT, -1, Cut.END));
          assertThrows(
              IllegalArgumentException.class,
              () -> connection.trickle(Direction.TO_CLIENT, 0, Duration.ZERO));
          assertTrue(rest(client).endsWith("hello"));
        },
        made::complete);
  }
}
