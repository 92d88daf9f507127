package heddle.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.settings.RedirectPolicy;
import heddle.client.settings.Timeouts;
import heddle.http.Body;
import heddle.http.HttpException;
import heddle.http.HttpVersion;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.failure.DeadlineExceededException;
import heddle.testkit.Direction;
import heddle.testkit.Http2Peer;
import heddle.testkit.ScriptedPeer;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What holds for the time of calls that take longer than a minute: by default they may, as long as
 * content moves; an explicit deadline covers the whole call.
 */
@Timeout(60)
class LongTransfersTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration PAUSE = Duration.ofSeconds(20);

  /** At one byte after each pause, 5 minutes. */
  private static final int LENGTH = 15;

  private static ClientWorld world(HttpVersion version) {
    return world(version, builder -> builder);
  }

  private static ClientWorld world(
      HttpVersion version, UnaryOperator<HttpClient.Builder> settings) {
    return new ClientWorld(builder -> settings.apply(builder.version(version)));
  }

  /** A server that sends a byte of its content after each pause, and then waits. */
  private static ScriptedPeer.Script trickling(HttpVersion version, int bytes) {
    return untilItGoes(
        version == HttpVersion.HTTP_2
            ? Http2Peer.server(h2 -> {
              h2.handshake();
              int stream = h2.expectHeaders().streamId();
              h2.sendHeaders(stream, false, ":status: 200");
              for (int sent = 1; sent <= bytes; sent++) {
                pause(h2, PAUSE);
                h2.sendContent(stream, sent == LENGTH, new byte[1]);
              }
              h2.expectEnd();
            })
            : c -> {
              c.expectHead();
              c.send("HTTP/1.1 200 OK\r\nContent-Length: " + LENGTH + "\r\n\r\n");
              for (int sent = 0; sent < bytes; sent++) {
                c.sleep(PAUSE);
                c.send(new byte[1]);
              }
              c.hasMore();
            });
  }

  /** Shows with PINGs that the server lives, so that the client sends none. */
  private static void pause(Http2Peer h2, Duration time) throws IOException {
    for (Duration left = time; left.isPositive(); left = left.minusSeconds(5)) {
      h2.connection().sleep(Duration.ofSeconds(5));
      h2.sendPing(1);
      h2.expectPingAck(1);
    }
  }

  private static ScriptedPeer.Script untilItGoes(ScriptedPeer.Script script) {
    return c -> {
      try {
        script.run(c);
      } catch (IOException | AssertionError e) {
        c.close(); // the client has closed the connection or reset the stream
      }
    };
  }

  private static DeadlineExceededException failure(ClientWorld world, Request request) {
    HttpException failure =
        assertThrows(HttpException.class, () -> world.client.send(request).bytes());
    return assertInstanceOf(DeadlineExceededException.class, failure, failure.toString());
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void downloadOfFiveMinutesSucceedsByDefault(HttpVersion version) throws Exception {
    try (ClientWorld world = world(version)) {
      world.serve(trickling(version, LENGTH));
      world.visit(peer -> {
        assertEquals(LENGTH, world.get(peer).bytes().length);
        assertEquals(5, world.now().toMinutes());
      });
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void downloadThatFallsSilentFailsAfterTheSilence(HttpVersion version) throws Exception {
    try (ClientWorld world = world(version)) {
      world.serve(trickling(version, LENGTH - 5));
      world.visit(peer -> {
        DeadlineExceededException failure = failure(world, Request.get(peer.url("/")));
        ClientWorld.assertSays(failure, "Timeouts.silence");
        assertEquals(Duration.ofSeconds(230), failure.at().elapsed());
      });
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void deadlineOfTheRequestCoversTheWholeCall(HttpVersion version) throws Exception {
    try (ClientWorld world = world(version)) {
      world.serve(trickling(version, LENGTH));
      world.visit(peer -> {
        Request request =
            Request.builder(peer.url("/")).deadline(Duration.ofSeconds(90)).build();
        assertCut(Duration.ofSeconds(90), failure(world, request));
      });
    }
  }

  private static void assertCut(Duration elapsed, DeadlineExceededException failure) {
    assertEquals(Phase.READ_BODY, failure.at().phase());
    assertEquals(elapsed, failure.at().elapsed());
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void deadlineOfTheClientCoversTheWholeCall(HttpVersion version) throws Exception {
    Timeouts timeouts = Timeouts.builder().call(Duration.ofSeconds(90)).build();
    try (ClientWorld world = world(version, builder -> builder.timeouts(timeouts))) {
      world.serve(trickling(version, LENGTH));
      world.visit(
          peer -> assertCut(Duration.ofSeconds(90), failure(world, Request.get(peer.url("/")))));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void inheritedDeadlineCoversTheWholeCall(HttpVersion version) throws Exception {
    try (ClientWorld world = world(version)) {
      world.serve(trickling(version, LENGTH));
      world.visit(peer -> assertCut(
          Duration.ofSeconds(90),
          Deadlines.within(
              Duration.ofSeconds(90),
              world.network.clock(),
              () -> failure(world, Request.get(peer.url("/"))))));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void headThatIsLateFailsAfterAMinute(HttpVersion version) throws Exception {
    Timeouts patient = Timeouts.builder().silence(Duration.ofHours(1)).build();
    try (ClientWorld world = world(version, builder -> builder.timeouts(patient))) {
      world.serve(untilItGoes(lateBy(version, Duration.ofSeconds(61))));
      world.visit(peer -> {
        DeadlineExceededException failure = failure(world, Request.get(peer.url("/")));
        assertEquals(Phase.AWAIT_HEAD, failure.at().phase());
        assertEquals(MINUTE, failure.at().elapsed());
      });
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void explicitDeadlineReplacesTheMinute(HttpVersion version) throws Exception {
    Timeouts patient = Timeouts.builder()
        .call(Duration.ofMinutes(3))
        .silence(Duration.ofHours(1))
        .build();
    try (ClientWorld world = world(version, builder -> builder.timeouts(patient))) {
      world.serve(untilItGoes(lateBy(version, Duration.ofMinutes(2))));
      world.visit(peer -> assertEquals("late", world.get(peer).string()));
    }
  }

  @Test
  void limitsOfHeadAndCallHoldTogether() throws Exception {
    Timeouts both = Timeouts.builder()
        .head(Duration.ofSeconds(3))
        .call(Duration.ofSeconds(90))
        .build();
    try (ClientWorld world = world(HttpVersion.HTTP_1_1, builder -> builder.timeouts(both))) {
      world.serve(
          untilItGoes(lateBy(HttpVersion.HTTP_1_1, Duration.ofSeconds(4))),
          trickling(HttpVersion.HTTP_1_1, LENGTH));
      world.visit(peer -> {
        DeadlineExceededException late = failure(world, Request.get(peer.url("/")));
        assertEquals(Phase.AWAIT_HEAD, late.at().phase());
        assertEquals(Duration.ofSeconds(3), late.at().elapsed());
        assertCut(Duration.ofSeconds(90), failure(world, Request.get(peer.url("/"))));
      });
    }
  }

  private static ScriptedPeer.Script lateBy(HttpVersion version, Duration time) {
    return version == HttpVersion.HTTP_2
        ? Http2Peer.server(h2 -> {
          h2.handshake();
          int stream = h2.expectHeaders().streamId();
          pause(h2, time);
          h2.sendResponse(stream, 200, "late");
          h2.expectEnd();
        })
        : c -> {
          c.expectHead();
          c.sleep(time);
          c.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlate");
          c.expectEnd();
        };
  }

  /** The content of a response that leads to another request is not what the caller waits for. */
  @Test
  void redirectWhoseContentTricklesFailsAfterAMinute() throws Exception {
    try (ClientWorld world =
        world(HttpVersion.HTTP_1_1, builder -> builder.redirects(RedirectPolicy.standard()))) {
      world.visitMany(
          peer -> {
            DeadlineExceededException failure = failure(world, Request.get(peer.url("/")));
            assertEquals(MINUTE, failure.at().elapsed());
          },
          untilItGoes(c -> {
            c.expectHead();
            c.send("HTTP/1.1 302 Found\r\nLocation: /other\r\nContent-Length: 1000\r\n\r\n");
            c.sendSlowly("x".repeat(1000), 1, PAUSE);
          }));
    }
  }

  // ---- uploads

  /** Has a byte after each pause. */
  private static final class Trickle extends InputStream {
    private final ClientWorld world;
    private final AtomicInteger left;

    Trickle(ClientWorld world, int length) {
      this.world = world;
      this.left = new AtomicInteger(length);
    }

    @Override
    public int read() throws IOException {
      if (left.getAndDecrement() <= 0) {
        return -1;
      }
      world.network.sleep(PAUSE);
      return 'x';
    }

    @Override
    public int read(byte[] target, int offset, int count) throws IOException {
      int value = read();
      target[offset] = (byte) value;
      return value < 0 ? -1 : 1;
    }
  }

  private static final class Stalled extends InputStream {
    private final ClientWorld world;

    Stalled(ClientWorld world) {
      this.world = world;
    }

    @Override
    public int read() throws IOException {
      world.network.sleep(Duration.ofHours(1));
      return -1;
    }

    @Override
    public int read(byte[] target, int offset, int count) throws IOException {
      return read();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void uploadOfFiveMinutesSucceedsByDefault(HttpVersion version) throws Exception {
    try (ClientWorld world = world(version)) {
      world.serve(untilItGoes(receiving(version, LENGTH)));
      world.visit(peer -> {
        Body body = Body.of(new Trickle(world, LENGTH), LENGTH);
        assertEquals(
            "got it", world.client.send(Request.post(peer.url("/"), body)).string());
        assertEquals(5, world.now().toMinutes());
      });
    }
  }

  private static ScriptedPeer.Script receiving(HttpVersion version, int length) {
    return version == HttpVersion.HTTP_2
        ? Http2Peer.server(h2 -> {
          h2.handshake();
          int stream = h2.expectHeaders().streamId();
          assertEquals(length, h2.expectContent(stream).length);
          h2.sendResponse(stream, 200, "got it");
          h2.expectEnd();
        })
        : c -> {
          c.expectHead();
          c.expectBytes(length);
          c.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\ngot it");
          c.expectEnd();
        };
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void explicitDeadlineCutsAnUpload(HttpVersion version) throws Exception {
    try (ClientWorld world = world(version)) {
      world.serve(untilItGoes(receiving(version, LENGTH)));
      world.visit(peer -> {
        Body body = Body.of(new Trickle(world, LENGTH), LENGTH);
        Request request = Request.post(peer.url("/"), body).toBuilder()
            .deadline(Duration.ofSeconds(90))
            .build();
        DeadlineExceededException failure = failure(world, request);
        assertEquals(Phase.SEND, failure.at().phase());
        assertEquals(Duration.ofSeconds(90), failure.at().elapsed());
      });
    }
  }

  @Test
  void uploadFromMemoryThatTheServerTakesSlowlySucceedsByDefault() throws Exception {
    byte[] content = new byte[6_000_000];
    // Content that the network has taken is on its way for longer than 30 s.
    Timeouts patient = Timeouts.builder().silence(Duration.ofMinutes(10)).build();
    try (ClientWorld world = world(HttpVersion.HTTP_1_1, builder -> builder.timeouts(patient))) {
      world.network.onConnection(
          c -> c.trickle(Direction.TO_SERVER, 20_000, Duration.ofSeconds(1)));
      world.serve(receiving(HttpVersion.HTTP_1_1, content.length));
      world.visit(peer -> {
        Request request = Request.post(peer.url("/"), Body.of(content));
        assertEquals("got it", world.client.send(request).string());
        assertTrue(world.now().toMinutes() >= 5, world.now()::toString);
      });
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void uploadThatStallsFailsAMinuteAfterItsLastPiece(HttpVersion version) throws Exception {
    Timeouts patient = Timeouts.builder().silence(Duration.ofHours(1)).build();
    try (ClientWorld world = world(version, builder -> builder.timeouts(patient))) {
      world.serve(untilItGoes(receiving(version, 1_000)));
      world.visit(peer -> {
        Body stalls = Body.of(new SequenceInputStream(new Trickle(world, 4), new Stalled(world)));
        DeadlineExceededException failure = failure(world, Request.post(peer.url("/"), stalls));
        assertEquals(Phase.SEND, failure.at().phase());
        assertEquals(Duration.ofSeconds(80).plus(MINUTE), failure.at().elapsed());
      });
    }
  }
}
