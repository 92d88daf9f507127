package heddle.client.upgrade;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.ClientWorld;
import heddle.client.DuplexCall;
import heddle.client.settings.RetryPolicy;
import heddle.client.settings.Timeouts;
import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Settings;
import heddle.http.Body;
import heddle.http.HttpException;
import heddle.http.HttpVersion;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Sent;
import heddle.http.Status;
import heddle.http.duplex.UpgradeContent;
import heddle.http.failure.ConnectionLostException;
import heddle.http.failure.DeadlineExceededException;
import heddle.testkit.Http2Head;
import heddle.testkit.Http2Peer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls after which client and server speak another protocol (RFC 9110 §7.8). */
@Timeout(60)
class SwitchingTest {
  private static final String SWITCHING =
      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n";

  @AutoClose
  private ClientWorld world = new ClientWorld(client -> client);

  private void replaceWorld(ClientWorld other) {
    world.close();
    world = other;
  }

  private static Request offer(String url) throws IOException {
    return Request.builder(url)
        .header("Connection", "Upgrade")
        .header("Upgrade", "echo")
        .build();
  }

  private static void write(DuplexCall call, String text) throws IOException {
    call.output().write(text.getBytes(US_ASCII));
  }

  private static String read(InputStream in, int count) throws IOException {
    return new String(in.readNBytes(count), US_ASCII);
  }

  @Test
  void bytesGoBothWaysOnceTheServerHasSwitched() throws Exception {
    world.serve(c -> {
      String head = c.expectHead();
      assertTrue(head.startsWith("GET / HTTP/1.1\r\n"), head);
      assertTrue(head.contains("\r\nUpgrade: echo\r\n"), head);
      assertTrue(!head.contains("Transfer-Encoding") && !head.contains("Content-Length"), head);
      c.send(SWITCHING + "hello");
      c.expect("how are you?");
      c.send("well");
      c.expect("bye");
      c.expectEnd();
    });
    world.visit(peer -> {
      try (DuplexCall call = world.client.open(offer(peer.url("/")));
          Response response = call.response()) {
        assertEquals(Status.SWITCHING_PROTOCOLS, response.status());
        assertEquals("echo", response.headers().first("Upgrade"));
        InputStream in = response.body().stream();
        assertEquals("hello", read(in, 5));
        write(call, "how are you?");
        assertEquals("well", read(in, 4));
        assertEquals(1, world.inUse());
        write(call, "bye");
        call.output().close();
        assertEquals(-1, in.read());
      }
      world.assertNothingIsOpen();
    });
  }

  @Test
  void fieldsOf101SayNothingAboutTheOtherProtocol() throws Exception {
    world.serve(c -> {
      c.expectHead();
      c.send(
          SWITCHING.stripTrailing() + "\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\n");
      c.send("hello");
      c.expectEnd();
    });
    world.visit(peer -> {
      try (DuplexCall call = world.client.open(offer(peer.url("/")));
          Response response = call.response()) {
        assertEquals("2", response.headers().first("Content-Length"));
        assertEquals(Body.UNKNOWN, response.body().length());
        assertNull(response.body().mediaType());
        assertEquals("hello", read(response.body().stream(), 5));
      }
      world.assertNothingIsOpen();
    });
  }

  @Test
  void whatTheServerSendsIsHeldBackWhileItIsNotRead() throws Exception {
    byte[] sent = new byte[3_000_000];
    new Random(5).nextBytes(sent);
    AtomicInteger accepted = new AtomicInteger();
    world.serve(c -> {
      c.expectHead();
      c.send(SWITCHING);
      for (int i = 0; i < sent.length; i += 30_000) {
        c.send(Arrays.copyOfRange(sent, i, i + 30_000));
        accepted.addAndGet(30_000);
      }
    });
    world.visit(peer -> {
      try (DuplexCall call = world.client.open(offer(peer.url("/")));
          Response response = call.response()) {
        world.network.sleep(Duration.ofMinutes(10));
        assertTrue(accepted.get() < 1_500_000, () -> accepted + " bytes were accepted");
        assertArrayEquals(sent, response.body().stream().readAllBytes());
      }
    });
  }

  @Test
  void callerMayWriteAfterTheServerHasEnded() throws Exception {
    world.serve(c -> {
      c.expectHead();
      c.send(SWITCHING + "bye");
      c.shutdownOutput();
      c.expect("see you");
      c.expectEnd();
    });
    world.visit(peer -> {
      try (DuplexCall call = world.client.open(offer(peer.url("/")));
          Response response = call.response()) {
        assertEquals("bye", read(response.body().stream(), 3));
        world.network.sleep(Duration.ofSeconds(1));
        write(call, "see you");
      }
      world.assertNothingIsOpen();
    });
  }

  /** As the API of Docker does to attach to a process. */
  @Test
  void contentPrecedesTheOtherProtocol() throws Exception {
    world.serve(c -> {
      String head = c.expectHead();
      assertTrue(head.contains("\r\nContent-Length: 7\r\n"), head);
      c.expect("content");
      c.send(SWITCHING + "hello");
      c.expect("how are you?");
      c.expectEnd();
    });
    world.visit(peer -> {
      UpgradeContent content = new UpgradeContent(Body.of("content"));
      Request request =
          offer(peer.url("/")).toBuilder().method(Method.POST).body(content).build();
      try (Response response = world.client.send(request)) {
        assertEquals(Status.SWITCHING_PROTOCOLS, response.status());
        assertEquals("hello", read(response.body().stream(), 5));
        content.output().write("how are you?".getBytes(US_ASCII));
      }
      world.assertNothingIsOpen();
    });
  }

  @ParameterizedTest
  @ValueSource(strings = {"200 OK", "426 Upgrade Required", "403 Forbidden"})
  void anotherAnswerIsAnOrdinaryResponse(String status) throws Exception {
    world.serve(c -> {
      c.expectHead();
      c.send("HTTP/1.1 " + status + "\r\nContent-Length: 2\r\n\r\nno");
      c.expectHead();
      c.send(SWITCHING + "again");
    });
    world.visit(peer -> {
      try (DuplexCall call = world.client.open(offer(peer.url("/")))) {
        assertEquals(status.substring(0, 3), "" + call.response().status().code());
        assertEquals("no", call.response().string());
        IOException failure = assertThrows(IOException.class, () -> write(call, "hello"));
        assertTrue(failure.getMessage().contains("has not switched"), failure::toString);
      }
      try (DuplexCall call = world.client.open(offer(peer.url("/")));
          Response response = call.response()) {
        assertEquals("again", response.string());
      }
    });
  }

  @Test
  void limitsOfTheCallHoldUntilTheServerHasSwitched() throws Exception {
    Timeouts timeouts = Timeouts.builder().call(Duration.ofSeconds(5)).build();
    replaceWorld(new ClientWorld(client -> client.timeouts(timeouts)));
    world.serve(ClientWorld::waitForTheEnd, c -> {
      c.expectHead();
      c.send(SWITCHING);
      c.expect("still there");
      c.sleep(Duration.ofHours(1));
      c.send("yes");
    });
    world.visit(peer -> {
      try (DuplexCall late = world.client.open(offer(peer.url("/")))) {
        assertThrows(DeadlineExceededException.class, late::response);
      }
      try (DuplexCall call = world.client.open(offer(peer.url("/")));
          Response response = call.response()) {
        world.network.sleep(Duration.ofMinutes(30));
        write(call, "still there");
        assertEquals("yes", read(response.body().stream(), 3));
      }
    });
  }

  @Test
  void serverThatAcceptsNothingFailsTheWriter() throws Exception {
    world.serve(c -> {
      c.expectHead();
      c.send(SWITCHING);
      c.pauseReading();
      c.sleep(Duration.ofMinutes(5));
      c.resumeReading();
      c.drain();
    });
    world.visit(peer -> {
      try (DuplexCall call = world.client.open(offer(peer.url("/")))) {
        call.response();
        OutputStream out = call.output();
        Duration began = world.now();
        byte[] piece = new byte[100_000];
        assertThrows(IOException.class, () -> {
          while (true) {
            out.write(piece);
          }
        });
        assertEquals(30, world.now().minus(began).toSeconds());
        assertThrows(IOException.class, () -> out.write(1));
      }
      world.assertNothingIsOpen();
    });
  }

  @Test
  void cancellingClosesTheConnection() throws Exception {
    world.serve(c -> {
      c.expectHead();
      c.send(SWITCHING);
      c.expectEnd();
    });
    world.visit(peer -> {
      DuplexCall call = world.client.open(offer(peer.url("/")));
      Response response = call.response();
      var reading = world.start(() -> {
        response.body().stream().read();
        return response;
      });
      world.network.sleep(Duration.ofSeconds(1));
      call.cancel();
      world.untilOver(reading.outcome());
      assertTrue(reading.outcome().isCompletedExceptionally());
      IOException failure = assertThrows(IOException.class, () -> write(call, "more"));
      assertTrue(failure.getMessage().contains("closed"), failure::toString);
      world.assertNothingIsOpen();
    });
  }

  @Test
  void lostConnectionFailsTheReader() throws Exception {
    world.serve(c -> {
      c.expectHead();
      c.send(SWITCHING + "begun");
      c.expect("go");
      c.reset();
    });
    world.visit(peer -> {
      try (DuplexCall call = world.client.open(offer(peer.url("/")));
          Response response = call.response()) {
        InputStream in = response.body().stream();
        assertEquals("begun", read(in, 5));
        write(call, "go");
        assertThrows(IOException.class, in::read);
      }
      world.assertNothingIsOpen();
    });
  }

  // ---- over HTTP/2 (RFC 8441)

  private static String data(Http2Peer h2, int stream) throws IOException {
    return US_ASCII.decode(h2.expectData(stream).data()).toString();
  }

  @Test
  void streamOfHttp2IsTheOtherProtocols() throws Exception {
    Timeouts timeouts = Timeouts.builder().call(Duration.ofSeconds(5)).build();
    replaceWorld(new ClientWorld(client -> client.version(HttpVersion.HTTP_2).timeouts(timeouts)));
    world.serve(Http2Peer.server(h2 -> {
      h2.connection().sleep(Duration.ofSeconds(2)); // The client does not know yet what is allowed.
      h2.handshake(Settings.ENABLE_CONNECT_PROTOCOL, 1);
      Http2Head head = h2.expectHeaders();
      assertEquals("CONNECT", head.value(":method"));
      assertEquals("echo", head.value(":protocol"));
      assertEquals("/", head.value(":path"));
      assertEquals("http", head.value(":scheme"));
      assertNull(head.value("upgrade"));
      assertNull(head.value("connection"));
      assertFalse(head.endStream());
      h2.sendHeaders(head.streamId(), false, ":status: 200");
      h2.sendData(head.streamId(), false, "hello");
      assertEquals("how are you?", data(h2, head.streamId()));
      h2.connection().sleep(Duration.ofSeconds(10)); // longer than the call had time
      h2.sendData(head.streamId(), false, "well");
      assertTrue(h2.expectData(head.streamId()).endStream());
      h2.sendData(head.streamId(), true, "");
      h2.sendResponse(h2.expectHeaders().streamId(), 200, "another");
    }));
    world.visit(peer -> {
      try (DuplexCall call = world.client.open(offer(peer.url("/")));
          Response response = call.response()) {
        assertEquals(Status.OK, response.status());
        InputStream in = response.body().stream();
        assertEquals("hello", read(in, 5));
        write(call, "how are you?");
        assertEquals("well", read(in, 4));
        call.output().close();
        assertEquals(-1, in.read());
        assertThrows(IOException.class, () -> write(call, "more"));
      }
      assertEquals("another", world.get(peer).string());
    });
  }

  @Test
  void serverThatDoesNotKnowExtendedConnectIsNotAsked() throws Exception {
    replaceWorld(ClientWorld.http2());
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      h2.sendResponse(h2.expectHeaders().streamId(), 200, "another");
    }));
    world.visit(peer -> {
      try (DuplexCall call = world.client.open(offer(peer.url("/")))) {
        HttpException failure = assertThrows(HttpException.class, call::response);
        ClientWorld.assertSays(failure, "SETTINGS_ENABLE_CONNECT_PROTOCOL");
        assertEquals(Sent.NO, failure.at().sent());
      }
      assertEquals("another", world.get(peer).string());
    });
  }

  @Test
  void serverThatSendsNoSettingsFailsTheCallAtItsDeadline() throws Exception {
    Timeouts timeouts = Timeouts.builder().call(Duration.ofSeconds(5)).build();
    replaceWorld(new ClientWorld(client -> client.version(HttpVersion.HTTP_2).timeouts(timeouts)));
    assertFailsWithoutSettings(DeadlineExceededException.class, 5);
  }

  @Test
  void serverThatSendsNoSettingsFailsTheCallWhenTheyAreOverdue() throws Exception {
    replaceWorld(
        new ClientWorld(client -> client.version(HttpVersion.HTTP_2).retries(RetryPolicy.never())));
    assertFailsWithoutSettings(ConnectionLostException.class, 10);
  }

  private void assertFailsWithoutSettings(Class<? extends HttpException> type, int seconds)
      throws Exception {
    world.visitMany(
        peer -> {
          Duration began = world.now();
          try (DuplexCall call = world.client.open(offer(peer.url("/")))) {
            HttpException failure = assertThrows(type, call::response);
            assertEquals(Sent.NO, failure.at().sent());
          }
          assertEquals(seconds, world.now().minus(began).toSeconds());
        },
        c -> c.drain());
  }

  @Test
  void serverThatClosesBeforeItsSettingsFailsTheCall() throws Exception {
    replaceWorld(ClientWorld.http2());
    world.visitMany(
        peer -> {
          try (DuplexCall call = world.client.open(offer(peer.url("/")))) {
            assertThrows(HttpException.class, call::response);
          }
          world.assertNothingIsOpen();
        },
        c -> c.sleep(Duration.ofSeconds(1)));
  }

  @Test
  void otherAnswerOverHttp2IsAnOrdinaryResponse() throws Exception {
    replaceWorld(ClientWorld.http2());
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake(Settings.ENABLE_CONNECT_PROTOCOL, 1);
      int stream = h2.expectHeaders().streamId();
      h2.sendResponse(stream, 403, "no");
      h2.expectRst(stream, ErrorCode.CANCEL);
    }));
    world.visit(peer -> {
      try (DuplexCall call = world.client.open(offer(peer.url("/")))) {
        assertEquals("no", call.response().string());
        assertThrows(IOException.class, () -> write(call, "more"));
      }
    });
  }

  @Test
  void windowThatIsNeverOpenedFailsTheWriter() throws Exception {
    replaceWorld(ClientWorld.http2());
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake(Settings.ENABLE_CONNECT_PROTOCOL, 1, Settings.INITIAL_WINDOW_SIZE, 10);
      int stream = h2.expectHeaders().streamId();
      h2.sendHeaders(stream, false, ":status: 200");
      assertEquals("0123456789", data(h2, stream));
      h2.expectRst(stream, ErrorCode.CANCEL);
      h2.sendResponse(h2.expectHeaders().streamId(), 200, "another");
    }));
    world.visit(peer -> {
      try (DuplexCall call = world.client.open(offer(peer.url("/")))) {
        call.response();
        Duration began = world.now();
        assertThrows(IOException.class, () -> write(call, "0123456789abc"));
        assertEquals(30, world.now().minus(began).toSeconds());
      }
      assertEquals("another", world.get(peer).string());
    });
  }
}
