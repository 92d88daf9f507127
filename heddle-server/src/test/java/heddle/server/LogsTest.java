package heddle.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.http2.frame.ErrorCode;
import heddle.http.Response;
import heddle.server.spi.Handler;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a server logs: its own faults, and no secrets of its users. */
class LogsTest {
  private final Logger logger = Logger.getLogger("heddle");
  private final ConcurrentLinkedQueue<LogRecord> records = new ConcurrentLinkedQueue<>();
  private final java.util.logging.Handler keeping = new java.util.logging.Handler() {
    @Override
    public void publish(LogRecord record) {
      records.add(record);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  };

  @BeforeEach
  void listen() {
    logger.addHandler(keeping);
    logger.setLevel(Level.ALL);
    logger.setUseParentHandlers(false);
  }

  @AfterEach
  void stop() {
    logger.removeHandler(keeping);
    logger.setLevel(null);
    logger.setUseParentHandlers(true);
  }

  private List<String> errors() {
    return records.stream()
        .filter(each -> each.getLevel().intValue() > Level.FINE.intValue())
        .map(LogRecord::getMessage)
        .toList();
  }

  @Test
  void failingHandlerIsLoggedWithThePathAlone() throws Exception {
    Handler failing = request -> {
      throw new IllegalStateException("broken");
    };
    try (HttpServer server = HttpServer.builder().handler(failing).start()) {
      for (String target : List.of("/a/b?token=secret", "http://h/a/b?token=secret")) {
        try (RawPeer peer = RawPeer.connect(server)) {
          peer.send("GET " + target + " HTTP/1.1\r\nHost: h\r\n\r\n");
          assertEquals(500, peer.answer().status());
        }
      }
    }
    assertEquals(2, errors().size());
    for (String line : errors()) {
      assertTrue(line.endsWith("GET /a/b"), line);
    }
  }

  @Test
  void streamOfAFailingHandlerIsLoggedWithThePathAlone() throws Exception {
    Handler failing = request -> {
      throw new IllegalStateException("broken");
    };
    Http2World.play(failing, (world, client) -> {
      client.handshake();
      client.sendGet(1, "/a/b?token=secret");
      client.expectResponse(1, 500);
    });
    assertFalse(errors().isEmpty());
    for (String line : errors()) {
      assertTrue(line.endsWith("GET /a/b"), line);
    }
  }

  /** All that was logged, with the messages of exceptions. */
  private String all() {
    StringBuilder text = new StringBuilder();
    for (LogRecord record : records) {
      text.append(record.getMessage()).append('\n');
      for (Throwable t = record.getThrown(); t != null; t = t.getCause()) {
        text.append(t).append('\n');
      }
    }
    return text.toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://h:x/a?token=secret",
        "http://h:secret/a",
        "http://user:secret@h/a",
        "http://user:sec|ret:secret@h/a",
        "ftp://h/a?token=secret",
        "a?token=secret",
        "/a%?token=secret",
        "/a b?token=secret",
        "/a|b#?token=secret"
      })
  void requestThatIsRefusedIsLoggedWithoutItsSecrets(String target) throws Exception {
    try (HttpServer server =
            HttpServer.builder().handler(request -> Response.ok("")).start();
        RawPeer peer = RawPeer.connect(server)) {
      peer.send("GET " + target + " HTTP/1.1\r\nHost: h\r\n\r\n");
      assertEquals(400, peer.answer().status());
    }
    assertFalse(records.isEmpty());
    assertFalse(all().contains("secret"), all());
    assertEquals(List.of(), errors());
  }

  @Test
  void absoluteFormMayHoldWhatOriginFormMay() throws Exception {
    try (HttpServer server = HttpServer.builder()
            .handler(request -> Response.ok(request.target()))
            .start();
        RawPeer peer = RawPeer.connect(server)) {
      peer.send("GET http://h/a|b?token=s HTTP/1.1\r\nHost: h\r\n\r\n");
      assertEquals("/a|b?token=s", peer.answer().body());
    }
  }

  @Test
  void peerThatBreaksTheProtocolIsLoggedAtDebug() throws Exception {
    Http2World.play(request -> Response.ok(""), (world, client) -> {
      client.handshake();
      client.sendWindowUpdate(0, 0);
      client.expectGoAway(ErrorCode.PROTOCOL_ERROR);
    });
    assertTrue(all().contains("breaks HTTP/2"), all());
    records.clear();
    try (HttpServer server =
            HttpServer.builder().handler(request -> Response.ok("")).start();
        RawPeer peer = RawPeer.connect(server)) {
      peer.send("GET / HTTP/1.1\r\nHost : h\r\n\r\n");
      assertEquals(400, peer.answer().status());
    }
    assertTrue(all().contains("breaks HTTP/1.1"), all());
    assertEquals(List.of(), errors());
  }

  /** Whose words for a content that could not be read do not tell where they come from. */
  private static final Handler HIDING = request -> {
    try {
      return Response.ok(request.body().string());
    } catch (java.io.IOException e) {
      throw new IllegalStateException("bad upload");
    }
  };

  @Test
  void handlerThatHidesWhatThePeerDidIsNoErrorOfTheServer() throws Exception {
    try (HttpServer server = HttpServer.builder().handler(HIDING).start();
        RawPeer peer = RawPeer.connect(server)) {
      peer.send("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nno size\r\n");
      assertEquals(500, peer.answer().status());
    }
    Http2World.play(HIDING, (world, client) -> {
      client.handshake();
      client.sendRequest(1, "POST", "/", false);
      client.sendPing(1);
      client.expectPingAck(1);
      client.sendRst(1, ErrorCode.CANCEL);
      world.await("it has ended", () -> world.server.active() == 0);
    });
    assertEquals(List.of(), errors());
  }

  @Test
  void peerThatBreaksOffIsNoErrorOfTheServer() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    Handler reading = request -> {
      begun.countDown();
      try {
        return Response.ok(request.body().string());
      } catch (java.io.IOException e) {
        throw new UncheckedIOException(e);
      } finally {
        ended.countDown();
      }
    };
    try (HttpServer server = HttpServer.builder().handler(reading).start()) {
      try (RawPeer peer = RawPeer.connect(server)) {
        peer.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\nbegin");
        begun.await();
      }
      ended.await();
    }
    assertEquals(List.of(), errors());
  }

  @Test
  void handlerThatIsInterruptedByAResetIsNoErrorOfTheServer() throws Exception {
    Handler waiting = request -> {
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        throw new IllegalStateException("interrupted", e);
      }
      return Response.ok("never");
    };
    Http2World.play(waiting, (world, client) -> {
      client.handshake();
      client.sendGet(1, "/");
      client.sendPing(1);
      client.expectPingAck(1);
      client.sendRst(1, ErrorCode.CANCEL);
      world.await("it has ended", () -> world.server.active() == 0);
    });
    assertEquals(List.of(), errors());
  }
}
