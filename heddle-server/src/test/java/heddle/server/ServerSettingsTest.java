package heddle.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Frame;
import heddle.http.Response;
import heddle.server.spi.Handler;
import heddle.testkit.Http2Peer;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What users choose of a server's connections is what clients meet. */
@Timeout(60)
class ServerSettingsTest {
  private static final Handler LENGTH =
      request -> Response.ok(Integer.toString(request.body().bytes().length));

  @Test
  void http2SettingsAreAnnounced() throws Exception {
    Http2World.play(
        LENGTH,
        builder -> builder
            .http2MaxStreams(500)
            .http2StreamWindow(100_000, 200_000)
            .http2ConnectionWindow(3_000_000)
            .http2MaxFrameBytes(40_000)
            .http2HeaderTableBytes(8_000),
        (world, client) -> {
          client.handshake();
          assertEquals(500, client.settings().maxConcurrentStreams());
          assertEquals(100_000, client.settings().initialWindowSize());
          assertEquals(40_000, client.settings().maxFrameSize());
          assertEquals(8_000, client.settings().headerTableSize());
          assertEquals(3_000_000 - 65_535, client.expectWindowUpdate(0));
        });
  }

  @ParameterizedTest
  @CsvSource({"40000, 40000, 200", "40000, 40001, RST", "16384, 16384, 200"})
  void aFrameMayBeAsLongAsIsAllowed(int allowed, int length, String outcome) throws Exception {
    Http2World.play(LENGTH, b -> b.http2MaxFrameBytes(allowed), (world, client) -> {
      client.handshake();
      client.sendRequest(1, "POST", "/", false);
      client.sendFrame(Frame.Data.TYPE, Frame.END_STREAM, 1, new byte[length]);
      if (outcome.equals("200")) {
        client.expectResponse(1, 200);
        assertEquals(Integer.toString(length), new String(client.expectContent(1), ISO_8859_1));
      } else {
        client.expectRst(1, ErrorCode.FRAME_SIZE_ERROR);
      }
    });
  }

  @Test
  void aStreamBeyondTheChosenNumberIsRefused() throws Exception {
    CountDownLatch mayEnd = new CountDownLatch(1);
    Handler handler = Http2World.answeringAfter(mayEnd, "");
    Http2World.play(handler, builder -> builder.http2MaxStreams(2), (world, client) -> {
      client.handshake();
      client.sendGet(1, "/");
      client.sendGet(3, "/");
      client.sendGet(5, "/");
      client.expectRst(5, ErrorCode.REFUSED_STREAM);
      mayEnd.countDown();
    });
  }

  @Test
  void contentBeyondTheChosenConnectionWindowIsAnError() throws Exception {
    CountDownLatch mayEnd = new CountDownLatch(1);
    Handler handler = Http2World.answeringAfter(mayEnd, "");
    Http2World.play(
        handler,
        builder -> builder.http2StreamWindow(200_000, 200_000).http2ConnectionWindow(70_000),
        (world, client) -> {
          client.handshake();
          // The first 256 KiB that no handler has read are credited as they come.
          sendWithoutCredit(client, 1, 196_608);
          sendWithoutCredit(client, 3, 196_608);
          client.expectGoAway(ErrorCode.FLOW_CONTROL_ERROR);
          mayEnd.countDown();
        });
  }

  private static void sendWithoutCredit(Http2Peer client, int stream, int bytes)
      throws IOException {
    client.sendRequest(stream, "POST", "/", false);
    for (int sent = 0; sent < bytes; sent += 16_384) {
      client.sendData(stream, false, "x".repeat(16_384));
    }
  }

  @ParameterizedTest
  @CsvSource({"65536, true", "200000, false"})
  void unreadContentIsDiscardedUpToTheChosenLength(int bytes, boolean closes) throws Exception {
    Http2World.play(
        request -> Response.ok("unread"),
        builder -> builder.maxDiscardBytes(bytes),
        (world, client) -> {
          RawPeer peer = RawPeer.connect(world.server, world.network);
          peer.send("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 100000\r\n\r\n");
          RawPeer.Answer answer = peer.answer();
          assertEquals(closes, answer.hasLine("Connection: close"), answer.head());
          if (!closes) {
            peer.send("x".repeat(100_000)).get("/");
            assertEquals("unread", peer.answer().body());
          }
          peer.close();
        });
  }

  @Test
  void aClientThatDoesNotCloseIsCutAfterTheChosenTime() throws Exception {
    Http2World.play(
        request -> Response.ok("last"),
        builder -> builder.lingerTimeout(Duration.ofSeconds(4)),
        (world, client) -> {
          client.handshake();
          RawPeer peer = RawPeer.connect(world.server, world.network);
          peer.send("GET / HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n");
          assertEquals("last", peer.answer().body());
          long start = world.now();
          world.await("it is cut", () -> world.server.connections() == 1);
          world.assertPassed(start, 4);
          peer.close();
        });
  }

  static Stream<Arguments> settingsOutOfRange() {
    return Stream.of(
        outOfRange(b -> b.http2MaxStreams(0), "http2MaxStreams must be at least 1, not 0"),
        outOfRange(b -> b.http2StreamWindow(0, 1), "http2StreamWindow must be 1 to 1, but was 0"),
        outOfRange(b -> b.http2StreamWindow(3, 2), "http2StreamWindow must be 1 to 2, but was 3"),
        outOfRange(
            b -> b.http2StreamWindow(1, 1 << 30),
            "the most that http2StreamWindow grows to must be 1 to 1073741823, but was 1073741824"),
        outOfRange(
            b -> b.http2ConnectionWindow(65_534),
            "http2ConnectionWindow must be 65535 to 2147483647, but was 65534"),
        outOfRange(
            b -> b.http2MaxFrameBytes(16_383),
            "http2MaxFrameBytes must be 16384 to 16777215, but was 16383"),
        outOfRange(
            b -> b.http2MaxFrameBytes(1 << 24),
            "http2MaxFrameBytes must be 16384 to 16777215, but was 16777216"),
        outOfRange(
            b -> b.http2HeaderTableBytes(-1),
            "http2HeaderTableBytes must be 0 to 1048576, but was -1"),
        outOfRange(
            b -> b.maxDiscardBytes(-1), "maxDiscardBytes must be 0 to 2147483647, but was -1"),
        outOfRange(
            b -> b.lingerTimeout(Duration.ZERO), "lingerTimeout must be longer than 0, not PT0S"));
  }

  private static Arguments outOfRange(Consumer<HttpServer.Builder> setting, String message) {
    return Arguments.of(setting, message);
  }

  @ParameterizedTest
  @MethodSource("settingsOutOfRange")
  void aSettingOutOfItsRangeIsRefused(Consumer<HttpServer.Builder> setting, String message) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> setting.accept(HttpServer.builder()));
    assertEquals(message, refused.getMessage());
  }
}
