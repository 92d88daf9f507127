package heddle.client;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.spi.CallSummary;
import heddle.client.spi.ExchangeListener;
import heddle.codec.http2.frame.ErrorCode;
import heddle.http.HttpVersion;
import heddle.http.Phase;
import heddle.http.Response;
import heddle.http.failure.BodyNotClosedException;
import heddle.testkit.Http2Peer;
import heddle.testkit.ScriptedPeer;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Responses whose unread body is neither closed nor reachable any more. */
@Timeout(60)
class LeakTest {
  private static final String HALF = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nHel";

  @AutoClose
  private final ClientWorld world = new ClientWorld();

  /** In a separate method, whose frame holds no reference once it has returned. */
  private static void leak(ClientWorld world, ScriptedPeer peer) throws IOException {
    assertEquals(200, world.get(peer).status().code());
  }

  private InputStream streamOf(ScriptedPeer peer) throws IOException {
    return world.get(peer).body().stream();
  }

  private void collect() throws IOException {
    System.gc();
    world.network.sleep(Duration.ofMillis(1));
  }

  @Test
  void theConnectionOfABodyThatIsGarbageIsTakenBack() throws Exception {
    world.serve(c -> {
      c.expectHead();
      c.send(HALF);
      c.expectEnd();
    });
    world.visit(peer -> {
      leak(world, peer);
      assertEquals(1, world.inUse());
      while (world.pool().leaked() == 0 || world.inUse() > 0) {
        collect();
      }
      assertEquals(0, world.pool().open());
      assertEquals(1, world.pool().leaked());
    });
  }

  @Test
  void bodyIsNotTakenBackWhileItsStreamIsReachable() throws Exception {
    world.serve(c -> {
      c.expectHead();
      c.send(HALF);
      c.sleep(Duration.ofSeconds(5));
      c.send("lo!");
      c.expectEnd();
    });
    world.visit(peer -> {
      InputStream in = streamOf(peer);
      for (int i = 0; i < 20; i++) {
        collect();
      }
      assertEquals(1, world.inUse());
      assertEquals("Hello!", new String(in.readAllBytes(), US_ASCII));
      assertEquals(0, world.inUse());
      assertEquals(0, world.pool().leaked());
    });
  }

  @Test
  void aBodyThatWasReadOrClosedIsNotReported() throws Exception {
    world.visitMany(
        peer -> {
          try (Response response = world.get(peer)) {
            assertEquals("Hello!", response.string());
          }
          world.get(peer).close();
          for (int i = 0; i < 20; i++) {
            collect();
          }
          assertEquals(0, world.pool().leaked());
          assertTrue(world.pool().open() <= 1);
        },
        c -> {
          while (c.hasMore()) {
            c.expectHead();
            c.send(HALF);
            c.sleep(Duration.ofMillis(1));
            c.send("lo!");
          }
        });
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void theCallOfABodyThatIsGarbageEndsForItsListeners(HttpVersion version) throws Exception {
    List<CallSummary> ended = new CopyOnWriteArrayList<>();
    ExchangeListener listener = new ExchangeListener() {
      @Override
      public void callEnded(CallSummary summary) {
        ended.add(summary);
      }
    };
    try (ClientWorld watched = new ClientWorld(c -> c.listener(listener).version(version))) {
      watched.serve(
          version == HttpVersion.HTTP_2
              ? Http2Peer.server(LeakTest::sendHalf)
              : c -> {
                c.expectHead();
                c.send(HALF);
                c.expectEnd();
              });
      watched.visit(peer -> {
        leak(watched, peer);
        assertEquals(List.of(), ended);
        while (ended.isEmpty()) {
          System.gc();
          watched.network.sleep(Duration.ofMillis(1));
        }
        BodyNotClosedException leak =
            assertInstanceOf(BodyNotClosedException.class, ended.getFirst().failure());
        assertTrue(leak.getMessage().contains("neither read to its end nor closed"));
        assertEquals(Phase.READ_BODY, Objects.requireNonNull(leak.at()).phase());
        assertTrue(Arrays.stream(Objects.requireNonNull(leak.getCause()).getStackTrace())
            .anyMatch(frame -> frame.getMethodName().equals("leak")));
      });
      assertEquals(1, ended.size());
    }
  }

  private static void sendHalf(Http2Peer h2) throws IOException {
    h2.handshake();
    int stream = h2.expectHeaders().streamId();
    h2.sendHeaders(stream, false, ":status: 200");
    h2.sendData(stream, false, "Hel");
    h2.expectRst(stream, ErrorCode.CANCEL);
  }
}
