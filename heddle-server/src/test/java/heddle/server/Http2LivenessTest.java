package heddle.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Settings;
import heddle.http.Response;
import heddle.server.spi.Handler;
import heddle.testkit.Http2Peer;
import heddle.testkit.SimNetwork;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Whether a client is there: that it acknowledges SETTINGS, and answers PING. */
class Http2LivenessTest {
  private static final Handler ECHO = request -> Response.ok(request.body().string());

  /** Lets ten seconds pass so many times, each with a sign of the client's life at its end. */
  static void showLife(Http2World world, Http2Peer client, int times) throws IOException {
    for (int i = 0; i < times; i++) {
      world.network.sleep(Duration.ofSeconds(10));
      client.sendPing(i);
      client.expectPingAck(i);
    }
  }

  @Test
  void aClientThatDoesNotAcknowledgeOurSettingsIsGivenUp() throws Exception {
    Http2World.play(ECHO, (world, client) -> {
      long start = world.now();
      client.sendPreface();
      client.sendSettings();
      client.expectSettings();
      client.sendGet(1, "/");
      client.expectResponse(1, 200);
      client.expectGoAway(ErrorCode.SETTINGS_TIMEOUT);
      world.assertPassed(start, 10);
      client.expectEnd();
    });
  }

  @Test
  void aClientThatAcknowledgesOurSettingsLateIsServed() throws Exception {
    Http2World.play(ECHO, (world, client) -> {
      client.sendPreface();
      client.sendSettings();
      client.expectSettings();
      world.network.sleep(Duration.ofSeconds(9));
      client.sendSettingsAck();
      world.network.sleep(Duration.ofSeconds(20));
      client.sendGet(1, "/");
      client.expectResponse(1, 200);
    });
  }

  @Test
  void aSilentClientWithOpenStreamsIsPingedAndDropped() throws Exception {
    CountDownLatch interrupted = new CountDownLatch(1);
    Handler handler = request -> {
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        interrupted.countDown();
      }
      return Response.ok("late");
    };
    Http2World.play(handler, (world, client) -> {
      client.answersPings(false).handshake();
      client.sendGet(1, "/");
      long start = world.now();
      client.expectPing();
      world.assertPassed(start, 15);
      client.expectClosed();
      world.assertPassed(start, 20);
      interrupted.await();
      world.await("it has ended", () -> world.server.active() == 0);
    });
  }

  @Test
  void aSilentClientThatAnswersPingsIsWaitedFor() throws Exception {
    CountDownLatch mayEnd = new CountDownLatch(1);
    Handler handler = Http2World.answeringAfter(mayEnd, "");
    Http2World.play(handler, (world, client) -> {
      client.answersPings(false).handshake();
      client.sendGet(1, "/");
      for (int i = 0; i < 4; i++) {
        long start = world.now();
        client.sendPingAck(client.expectPing().data());
        world.assertPassed(start, 15);
      }
      mayEnd.countDown();
      client.expectResponse(1, 200);
    });
  }

  @Test
  void aClientThatHasEndedItsOutputIsWaitedForAsItCannotAnswerPings() throws Exception {
    CountDownLatch mayEnd = new CountDownLatch(1);
    Handler handler = Http2World.answeringAfter(mayEnd, "late");
    Http2World.play(handler, (world, client) -> {
      client.handshake();
      client.sendGet(1, "/");
      client.connection().channel().shutdownOutput();
      world.network.sleep(Duration.ofSeconds(50));
      mayEnd.countDown();
      client.expectResponse(1, 200);
      assertTrue(client.expectData(1).endStream());
      client.expectEnd();
    });
  }

  @Test
  void aSilentClientWithoutOpenStreamsIsNotPinged() throws Exception {
    Http2World.play(ECHO, (world, client) -> {
      client.answersPings(false).handshake();
      client.sendGet(1, "/");
      client.expectResponse(1, 200);
      world.network.sleep(Duration.ofSeconds(50));
      client.sendGet(3, "/");
      client.expectResponse(3, 200);
    });
  }

  @Test
  void aSilentClientThatHasMuchToReadIsLeftToTheWriteTimeout() throws Exception {
    Handler handler = request -> Response.ok("x".repeat(1 << 20));
    Http2World.play(SimNetwork.builder().sendBuffer(20_000), handler, b -> b, (world, client) -> {
      client.handshake(Settings.INITIAL_WINDOW_SIZE, 1 << 20);
      client.connection().pauseReading();
      client.sendWindowUpdate(0, 1 << 20);
      long start = world.now();
      client.sendGet(1, "/");
      world.network.sleep(Duration.ofSeconds(29));
      assertEquals(1, world.server.active());
      world.await("it is given up", () -> world.server.active() == 0);
      world.assertPassed(start, 30);
    });
  }
}
