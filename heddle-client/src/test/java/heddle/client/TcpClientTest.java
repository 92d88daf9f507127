package heddle.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.settings.PoolLimits;
import heddle.client.spi.PoolSnapshot;
import heddle.http.Body;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.failure.ConnectFailedException;
import heddle.http.syntax.Host;
import heddle.testkit.RawConnection;
import heddle.testkit.ScriptedPeer;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The client over real sockets. */
@Timeout(60)
class TcpClientTest {
  private static final String SIX = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nHello!";

  @AutoClose
  private final TcpNetwork servers = TcpNetwork.create();

  private static byte[] noise(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  private static void answerAll(RawConnection c) throws IOException {
    while (c.hasMore()) {
      String request = c.expectMessage();
      int end = request.indexOf("\r\n\r\n") + 4;
      byte[] content = request.substring(end).getBytes(ISO_8859_1);
      c.send("HTTP/1.1 200 OK\r\nContent-Length: " + content.length + "\r\n\r\n");
      c.send(content);
    }
  }

  private static void until(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      Thread.onSpinWait();
    }
  }

  /** The loopback network is a large one; the server listens on one of its addresses only. */
  @Test
  void addressesThatRefuseArePassedOver() throws Exception {
    List<InetAddress> addresses =
        List.of(Host.address("127.0.0.3"), Host.address("127.0.0.2"), Host.address("127.0.0.1"));
    try (ScriptedPeer peer = ScriptedPeer.each(servers, TcpClientTest::answerAll);
        HttpClient client =
            HttpClient.builder().resolver((host, deadline) -> addresses).build()) {
      String url = "http://a.test:" + peer.port() + "/";
      for (int i = 0; i < 100; i++) {
        try (Response response = client.send(Request.post(url, Body.of(noise(i))))) {
          assertArrayEquals(noise(i), response.bytes());
        }
      }
      assertEquals(1, client.pool().open());
    }
  }

  @Test
  void megabyteGoesUpAndDown() throws Exception {
    byte[] content = noise(1 << 20);
    try (ScriptedPeer peer = ScriptedPeer.each(servers, TcpClientTest::answerAll);
        HttpClient client = HttpClient.create();
        Response response = client.send(Request.post(peer.url("/"), Body.of(content)))) {
      assertArrayEquals(content, response.bytes());
    }
  }

  @Test
  void fileGoesUpAndDown(@TempDir Path folder) throws Exception {
    byte[] content = noise(300_000);
    Path from = Files.write(folder.resolve("from"), content);
    Path to = folder.resolve("to");
    try (ScriptedPeer peer = ScriptedPeer.each(servers, TcpClientTest::answerAll);
        HttpClient client = HttpClient.create()) {
      try (Response response = client.send(Request.post(peer.url("/"), Body.of(from)))) {
        assertEquals(content.length, response.body().transferTo(to));
      }
      assertArrayEquals(content, Files.readAllBytes(to));
      assertEquals(1, client.pool().routes().getFirst().idle());
    }
  }

  @Test
  void muchContentThatIsReadBitByBitLosesNothing() throws Exception {
    byte[] content = noise(20_000_000);
    try (ScriptedPeer peer = ScriptedPeer.each(servers, c -> {
          c.expectHead();
          c.send("HTTP/1.1 200 OK\r\nContent-Length: " + content.length + "\r\n\r\n");
          c.send(content);
          c.hasMore();
        });
        HttpClient client = HttpClient.create();
        Response response = client.send(Request.get(peer.url("/")));
        InputStream in = response.body().stream()) {
      byte[] read = new byte[content.length];
      int size = 0;
      while (size < read.length) {
        size += in.readNBytes(read, size, Math.min(1_000_000, read.length - size));
      }
      assertArrayEquals(content, read);
      assertEquals(-1, in.read());
    }
  }

  @Test
  void manyCallersShareAFewConnections() throws Exception {
    PoolLimits limits = PoolLimits.builder().maxPerRoute(8).build();
    try (ScriptedPeer peer = ScriptedPeer.each(servers, TcpClientTest::answerAll);
        HttpClient client = HttpClient.builder().poolLimits(limits).build();
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> mostOpen = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        String name = "caller " + i;
        mostOpen.add(callers.submit(() -> callOften(client, peer, name)));
      }
      for (Future<Integer> most : mostOpen) {
        assertTrue(most.get() <= 8, most.get() + " connections were open");
      }
      PoolSnapshot.RouteSnapshot route = client.pool().routes().getFirst();
      assertEquals(0, route.inUse());
      assertEquals(0, route.pending());
      assertTrue(peer.connections() <= 8, peer.connections() + " connections were made");
    }
  }

  private static int callOften(HttpClient client, ScriptedPeer peer, String name)
      throws IOException {
    int mostOpen = 0;
    for (int n = 0; n < 50; n++) {
      String text = name + ", call " + n;
      Request request = Request.post(peer.url("/"), Body.of(text));
      try (Response response = client.send(request)) {
        assertEquals(text, response.string());
      }
      mostOpen = Math.max(mostOpen, client.pool().open());
    }
    return mostOpen;
  }

  @Test
  void answerIsReturnedThoughTheServerReadsNoMore() throws Exception {
    CompletableFuture<Boolean> over = new CompletableFuture<>();
    try (ScriptedPeer peer = ScriptedPeer.each(servers, c -> {
          c.expectHead();
          c.pauseReading();
          c.send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\n\r\nno");
          over.get();
        });
        HttpClient client = HttpClient.create()) {
      Request request = Request.post(peer.url("/"), Body.of(noise(50_000_000))).toBuilder()
          .deadline(Duration.ofSeconds(40))
          .build();
      try (Response response = client.send(request)) {
        assertEquals("413 no", response.status().code() + " " + response.string());
      }
      assertEquals(0, client.pool().open());
      over.complete(true);
    }
  }

  @Test
  void interruptClosesTheConnection() throws Exception {
    CompletableFuture<Boolean> asked = new CompletableFuture<>();
    CompletableFuture<Boolean> ended = new CompletableFuture<>();
    try (ScriptedPeer peer = ScriptedPeer.each(servers, c -> {
          c.expectHead();
          asked.complete(true);
          c.expectEnd();
          ended.complete(true);
        });
        HttpClient client = HttpClient.create()) {
      Request request = Request.get(peer.url("/"));
      CompletableFuture<Boolean> flag = new CompletableFuture<>();
      Thread caller = Thread.startVirtualThread(() -> {
        assertThrows(InterruptedIOException.class, () -> client.send(request).close());
        flag.complete(Thread.interrupted());
      });
      asked.get();
      caller.interrupt();
      assertTrue(flag.get());
      assertTrue(ended.get());
      assertEquals(0, client.pool().open());
    }
  }

  @Test
  void refusedConnectionIsNamed() throws Exception {
    String url;
    try (ScriptedPeer peer = ScriptedPeer.each(servers, c -> {})) {
      url = peer.url("/");
    }
    try (HttpClient client = HttpClient.create()) {
      ConnectFailedException failure = assertThrows(
          ConnectFailedException.class, () -> client.send(Request.get(url)).close());
      assertTrue(failure.getMessage().contains("refused"), failure.getMessage());
      assertEquals(0, client.pool().open());
    }
  }

  @Test
  void serverThatRestartsFailsNoCall() throws Exception {
    try (HttpClient client = HttpClient.create()) {
      ScriptedPeer first = ScriptedPeer.each(servers, c -> {
        c.expectHead();
        c.send(SIX);
        c.hasMore();
      });
      assertEquals("Hello!", client.send(Request.get(first.url("/"))).string());
      first.close();
      try (ScriptedPeer second =
          ScriptedPeer.each(servers, first.address(), TcpClientTest::answerAll)) {
        assertEquals("", client.send(Request.get(second.url("/"))).string());
      }
    }
  }

  @Test
  void noThreadSurvivesTheLastClient() throws Exception {
    List<Thread> before = loops();
    try (ScriptedPeer peer = ScriptedPeer.each(servers, TcpClientTest::answerAll)) {
      HttpClient one = HttpClient.create();
      HttpClient two = HttpClient.create();
      one.send(Request.get(peer.url("/"))).close();
      two.send(Request.get(peer.url("/"))).close();
      List<Thread> shared = new ArrayList<>(loops());
      shared.removeAll(before);
      assertEquals(1, shared.size(), "clients share one loop, not " + shared);
      one.close();
      one.close();
      assertEquals("", two.send(Request.get(peer.url("/"))).string());
      two.close();
      until(() -> !shared.getFirst().isAlive());
    }
    assertThrows(ExecutionException.class, () -> {
      HttpClient closed = HttpClient.create();
      closed.close();
      closed.sendAsync(Request.get("http://localhost:1/")).get();
    });
    until(() -> before.containsAll(loops()));
  }

  private static List<Thread> loops() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("heddle-loop"))
        .toList();
  }

  @Test
  void clientOfSeveralLoopsClosesThemAll() throws Exception {
    List<Thread> before = loops();
    try (ScriptedPeer peer = ScriptedPeer.each(servers, TcpClientTest::answerAll)) {
      HttpClient client = HttpClient.builder().loops(3).build();
      byte[] content = new byte[100_000];
      Arrays.fill(content, (byte) 7);
      for (int i = 0; i < 5; i++) {
        Request request = Request.post(peer.url("/"), Body.of(content));
        assertArrayEquals(content, client.send(request).bytes());
      }
      assertEquals(before.size() + 3, loops().size());
      client.close();
    }
    until(() -> before.containsAll(loops()));
  }

  @Test
  void localAddressCombinesWithOtherNetworkSettings() throws Exception {
    List<Thread> before = loops();
    InetAddress from = InetAddress.getByName("127.0.0.2");
    CompletableFuture<SocketAddress> seen = new CompletableFuture<>();
    try (ScriptedPeer peer = ScriptedPeer.each(servers, c -> {
          seen.complete(c.channel().remoteAddress());
          answerAll(c);
        });
        HttpClient client =
            HttpClient.builder().localAddress(from).tcpKeepAlive().loops(2).build()) {
      client.send(Request.post(peer.url("/"), Body.of("Hello"))).close();
      assertEquals(from, ((InetSocketAddress) seen.get()).getAddress());
      assertEquals(2, loops().stream().filter(loop -> !before.contains(loop)).count());
    }
  }

  @Test
  void networkIsGivenOrMadeBySettingsNotBoth() {
    HttpClient.Builder both = HttpClient.builder().network(servers).tcpKeepAlive();
    IllegalStateException e = assertThrows(IllegalStateException.class, both::build);
    assertTrue(e.getMessage().contains("tcpKeepAlive"), e.getMessage());
  }
}
