package heddle.adapters.okhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.HttpClient;
import heddle.testkit.RawConnection;
import heddle.testkit.ScriptedPeer;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Response;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When a connection is used again after a body that was not read, and what interrupts leave. */
@Timeout(60)
class ConnectionUseTest {
  private static final ScriptedPeer.Script ANSWER = connection -> {
    connection.expectHead();
    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    connection.drain();
  };

  /** Closes the body of a first response early, makes a second call, and returns the events. */
  private static List<String> closeEarly(
      Stack stack, boolean readsFirst, ScriptedPeer.Script... scripts) throws Exception {
    Diary diary = new Diary();
    try (TcpNetwork network = TcpNetwork.create();
        ScriptedPeer peer = ScriptedPeer.inOrder(network, scripts);
        Stack.Running running = stack.over(new OkHttpClient.Builder().eventListener(diary))) {
      HttpUrl url = HttpUrl.get(peer.url("/"));
      try (Response response = running.get(url)) {
        assertTrue(!readsFirst || response.body().source().readByte() == 'x');
      }
      try (Response response = running.get(url)) {
        assertEquals("ok", response.body().string());
      }
      // How much one read takes of much content differs.
      return diary.entries.stream()
          .map(each -> each.replaceFirst("^responseBodyEnd \\d{4,}$", "responseBodyEnd"))
          .toList();
    }
  }

  private static void assertSameAsStock(boolean readsFirst, ScriptedPeer.Script... scripts)
      throws Exception {
    List<String> stock = closeEarly(Stack.STOCK, readsFirst, scripts);
    for (Stack stack : EnumSet.of(Stack.FACTORY, Stack.INTERCEPTOR)) {
      assertEquals(stock, closeEarly(stack, readsFirst, scripts), stack.name());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "Content-Length: 3, xyz, false",
    "Content-Length: 3, xyz, true",
    "Transfer-Encoding: chunked, '3\r\nxyz\r\n0\r\n\r\n', false",
    "Transfer-Encoding: chunked, '3\r\nxyz\r\n0\r\n\r\n', true"
  })
  void anUnreadBodyThatHasArrivedLeavesItsConnection(
      String field, String content, boolean readsFirst) throws Exception {
    assertSameAsStock(readsFirst, connection -> {
      connection.expectHead();
      connection.send("HTTP/1.1 200 OK\r\n" + field + "\r\n\r\n" + content);
      ANSWER.run(connection);
    });
  }

  @ParameterizedTest
  @CsvSource({
    "Content-Length: 1000, xyz, false",
    "Content-Length: 1000, xyz, true",
    "Transfer-Encoding: chunked, '3\r\nxyz\r\n', false",
    "Transfer-Encoding: chunked, '3\r\nxyz\r\n', true"
  })
  void anUnreadBodyThatIsLateCostsItsConnection(String field, String content, boolean readsFirst)
      throws Exception {
    ScriptedPeer.Script late = connection -> {
      connection.expectHead();
      connection.send("HTTP/1.1 200 OK\r\n" + field + "\r\n\r\n" + content);
      connection.expectEnd();
    };
    assertSameAsStock(readsFirst, late, ANSWER);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anUnreadBodyWithoutLengthCostsItsConnection(boolean readsFirst) throws Exception {
    ScriptedPeer.Script unframed = connection -> {
      connection.expectHead();
      connection.send("HTTP/1.1 200 OK\r\n\r\nxyz");
      connection.expectEnd();
    };
    assertSameAsStock(readsFirst, unframed, ANSWER);
  }

  /** More than arrives within the time for which the rest is read. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anUnreadBodyWithoutEndCostsItsConnection(boolean readsFirst) throws Exception {
    ScriptedPeer.Script endless = connection -> {
      connection.expectHead();
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n");
      sendUntilClosed(connection);
    };
    assertSameAsStock(readsFirst, endless, ANSWER);
  }

  /** Over HTTP/2, the rest of a body costs only its stream. */
  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void anUnreadBodyLeavesTheConnectionOfHttp2(Stack stack) throws Exception {
    List<Protocol> http2 = List.of(Protocol.H2_PRIOR_KNOWLEDGE);
    Diary diary = new Diary();
    try (MockWebServer server = new MockWebServer();
        Stack.Running running =
            stack.over(new OkHttpClient.Builder().protocols(http2).eventListener(diary))) {
      server.setProtocols(http2);
      server.start();
      server.enqueue(new MockResponse.Builder().body("x".repeat(10_000_000)).build());
      server.enqueue(new MockResponse.Builder().body("ok").build());
      try (Response response = running.get(server.url("/"))) {
        assertEquals('x', response.body().source().readByte());
      }
      try (Response response = running.get(server.url("/"))) {
        assertEquals("ok", response.body().string());
      }
    }
    assertEquals(
        1,
        diary.entries.stream().filter(each -> each.startsWith("connectEnd")).count(),
        diary.entries::toString);
  }

  private static void sendUntilClosed(RawConnection connection) {
    try {
      while (true) {
        connection.send("x".repeat(8192));
      }
    } catch (IOException e) {
      return; // The reader has closed its end.
    }
  }

  /** Opens connections to a server until the system's backlog is full. */
  private static List<Socket> fill(ServerSocket server) throws IOException {
    List<Socket> opened = new ArrayList<>();
    while (opened.size() < 100) {
      Socket socket = new Socket();
      opened.add(socket);
      try {
        socket.connect(server.getLocalSocketAddress(), 300);
      } catch (SocketTimeoutException e) {
        return opened;
      }
    }
    throw new AssertionError("the system takes any number of connections");
  }

  /** Interrupts a call's thread when it waits after an event; returns what the call throws. */
  private static Throwable interrupted(
      Stack.Running running, HttpUrl url, Diary diary, String after) throws Exception {
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    Thread caller = Thread.ofPlatform().start(() -> {
      try (Response response = running.get(url)) {
        thrown.completeExceptionally(new AssertionError("there is a response: " + response));
      } catch (Throwable e) {
        thrown.complete(e);
      } finally {
        interrupted.complete(Thread.currentThread().isInterrupted());
      }
    });
    diary.awaitFirst(after);
    while (caller.getState() != Thread.State.WAITING
        && caller.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    caller.interrupt();
    Throwable failure = thrown.get();
    caller.join();
    // OkHttp itself throws the exception that has cleared the flag, which it does not declare.
    assertEquals(!(failure instanceof InterruptedException), interrupted.get());
    return failure;
  }

  @ParameterizedTest
  @EnumSource
  void anInterruptWhileConnectingLeavesNoConnection(Stack stack) throws Exception {
    Diary diary = new Diary();
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Stack.Running running = stack.over(new OkHttpClient.Builder().eventListener(diary))) {
      List<Socket> fillers = fill(server);
      HttpUrl url = HttpUrl.get("http://127.0.0.1:" + server.getLocalPort());
      Throwable failure = interrupted(running, url, diary, "connectStart");
      Class<?> expected =
          stack == Stack.STOCK ? InterruptedException.class : InterruptedIOException.class;
      assertInstanceOf(expected, failure);
      for (Socket each : fillers) {
        each.close();
      }
      // Those that had connected, and then the one of the next call.
      CompletableFuture<String> next = CompletableFuture.supplyAsync(() -> {
        try (Response response = running.get(url)) {
          return response.body().string();
        } catch (IOException e) {
          throw new AssertionError(e);
        }
      });
      int sent = 0;
      while (sent == 0) {
        try (Socket accepted = server.accept()) {
          if (accepted.getInputStream().read() >= 0) {
            sent++;
            accepted
                .getOutputStream()
                .write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
                    .getBytes(StandardCharsets.US_ASCII));
            assertEquals("ok", next.get());
          }
        }
      }
    }
  }

  @Test
  void anInterruptWhileConnectingEndsTheAttempt() throws Exception {
    Diary diary = new Diary();
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        HttpClient heddle = HttpClient.builder().plain().build();
        HeddleCallFactory calls =
            HeddleCallFactory.of(new OkHttpClient.Builder().eventListener(diary).build(), heddle)) {
      List<Socket> fillers = fill(server);
      Stack.Running running = new Stack.Running(calls.client(), calls::close);
      HttpUrl url = HttpUrl.get("http://127.0.0.1:" + server.getLocalPort());
      assertInstanceOf(
          InterruptedIOException.class, interrupted(running, url, diary, "connectStart"));
      while (heddle.pool().open() > 0) {
        Thread.onSpinWait();
      }
      assertTrue(heddle.pool().routes().stream()
          .allMatch(route -> route.inFlight() == 0 && route.pending() == 0));
      for (Socket each : fillers) {
        each.close();
      }
    }
  }

  /** Over Heddle alone: an interrupt does not end a handshake of a socket of the JDK. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "STOCK")
  void anInterruptInTheHandshakeClosesTheConnection(Stack stack) throws Exception {
    Diary diary = new Diary();
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Stack.Running running = stack.over(new OkHttpClient.Builder().eventListener(diary))) {
      HttpUrl url = HttpUrl.get("https://127.0.0.1:" + silent.getLocalPort());
      CompletableFuture<Throwable> failure = CompletableFuture.supplyAsync(() -> {
        try {
          return interrupted(running, url, diary, "secureConnectStart");
        } catch (Exception e) {
          throw new AssertionError(e);
        }
      });
      try (Socket accepted = silent.accept()) {
        accepted.getInputStream().readAllBytes(); // Until the client closes the connection.
      }
      assertInstanceOf(InterruptedIOException.class, failure.get());
    }
  }
}
