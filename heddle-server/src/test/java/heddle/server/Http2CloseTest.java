package heddle.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.http2.frame.ErrorCode;
import heddle.http.Response;
import heddle.server.spi.Handler;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** How connections end. */
class Http2CloseTest {
  @Test
  void closingLetsRunningRequestsFinishAndTakesThoseUnderWay() throws Exception {
    CountDownLatch mayEnd = new CountDownLatch(1);
    Handler handler = request -> {
      if (request.path().equals("/slow")) {
        mayEnd.await();
      }
      return Response.ok(request.path());
    };
    Http2World.play(handler, (world, client) -> {
      client.answersPings(false).handshake();
      client.sendGet(1, "/slow");
      world.await("the request runs", () -> world.server.active() == 1);
      Thread closer = world.network.threadFactory().newThread(world.server::close);
      closer.start();
      assertEquals(Integer.MAX_VALUE, client.expectGoAway(ErrorCode.NO_ERROR).lastStreamId());
      long ping = client.expectPing().data();
      client.sendGet(3, "/under-way");
      client.expectResponse(3, 200);
      assertEquals("/under-way", new String(client.expectContent(3), ISO_8859_1));
      client.sendPingAck(ping);
      assertEquals(3, client.expectGoAway(ErrorCode.NO_ERROR).lastStreamId());
      client.sendGet(5, "/too-late");
      mayEnd.countDown();
      client.expectResponse(1, 200);
      assertEquals("/slow", new String(client.expectContent(1), ISO_8859_1));
      client.expectEnd();
      client.close();
      closer.join();
      assertEquals(0, world.server.connections());
    });
  }

  @Test
  void whatDoesNotEndInTimeIsCutAndItsThreadInterrupted() throws Exception {
    UntilInterrupted handler = new UntilInterrupted();
    Http2World.play(handler, (world, client) -> {
      client.handshake();
      client.sendGet(1, "/");
      handler.awaitRunning();
      assertEquals(1, world.server.active());
      Thread closer = world.network.threadFactory().newThread(world.server::close);
      closer.start();
      long start = world.now();
      client.expectClosed();
      world.assertPassed(start, 10);
      closer.join();
      assertTrue(handler.isInterrupted());
      assertEquals(0, world.server.active());
      assertEquals(0, world.server.connections());
    });
  }

  @Test
  void aClientThatIsGoneTakesItsHandlersWithIt() throws Exception {
    UntilInterrupted handler = new UntilInterrupted();
    Http2World.play(handler.thenAnswering(Response.ok("late")), (world, client) -> {
      client.handshake();
      client.sendGet(1, "/");
      handler.awaitRunning();
      assertEquals(1, world.server.active());
      world.network.connections().getFirst().reset();
      handler.awaitInterrupt();
      world.await("all is gone", () -> world.server.active() + world.server.connections() == 0);
    });
  }

  @Test
  void aClientThatEndsItsOutputStillGetsItsAnswer() throws Exception {
    CountDownLatch mayEnd = new CountDownLatch(1);
    Handler handler = Http2World.answeringAfter(mayEnd, "late");
    Http2World.play(handler, (world, client) -> {
      client.handshake();
      client.sendGet(1, "/");
      client.connection().channel().shutdownOutput();
      world.await("the request runs", () -> world.server.active() == 1);
      mayEnd.countDown();
      client.expectResponse(1, 200);
      assertTrue(client.expectData(1).endStream());
      client.expectEnd();
    });
  }

  @Test
  void aClientThatSaysGoodByeIsLetGo() throws Exception {
    Http2World.play(request -> Response.ok(""), (world, client) -> {
      client.handshake();
      client.sendGet(1, "/");
      client.expectResponse(1, 200);
      client.sendGoAway(0, ErrorCode.NO_ERROR);
      client.expectEnd();
    });
  }
}
