package heddle.connection.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.hpack.HpackOutput;
import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Frame;
import heddle.connection.ConnectionListener;
import heddle.connection.OneExchange;
import heddle.http.Body;
import heddle.http.Limits;
import heddle.http.MalformedUrlException;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Sent;
import heddle.http.failure.ConnectionLostException;
import heddle.http.failure.RequestNotProcessedException;
import heddle.testkit.Http2Peer;
import heddle.testkit.ManualChannel;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that goes while the client writes to it, and what it has sent before. */
@Timeout(60)
class BrokenWriteTest {
  private static final ConnectionListener DEAF = new ConnectionListener() {
    @Override
    public void closed() {}

    @Override
    public void capacityChanged() {}
  };

  private final CountDownLatch broken = new CountDownLatch(1);
  private final ManualChannel channel = new ManualChannel(buffers -> {
    broken.countDown();
    throw new IOException("broken pipe");
  });
  private final Http2Connection connection =
      Http2Connection.start(channel, Limits.DEFAULTS, Duration.ofSeconds(10), DEAF);

  private final OneExchange exchange;

  BrokenWriteTest() throws MalformedUrlException {
    exchange = new OneExchange(Request.post("http://server/", Body.of(new byte[20_000])));
  }

  private FutureTask<Response> call() throws Exception {
    FutureTask<Response> call =
        new FutureTask<>(() -> connection.send(exchange.request(), exchange));
    Thread.ofVirtual().start(call);
    broken.await();
    while (connection.isOpen()) {
      Thread.onSpinWait();
    }
    return call;
  }

  private static byte[] bytes(Frame... frames) {
    HpackOutput out = new HpackOutput(256);
    for (Frame frame : frames) {
      frame.encode(out);
    }
    return Arrays.copyOf(out.array(), out.length());
  }

  private Throwable failure(FutureTask<Response> call) throws InterruptedException {
    try {
      call.get();
    } catch (ExecutionException e) {
      return e.getCause();
    }
    throw new AssertionError("it has not failed");
  }

  @Test
  void anAnswerThatCameBeforeIsStillRead() throws Exception {
    FutureTask<Response> call = call();
    channel.bring(
        bytes(new Frame.Settings(false, List.of()), Http2Peer.headers(1, true, ":status: 413")));
    assertEquals(413, call.get().status().code());
    channel.end();
    assertFalse(channel.isOpen());
  }

  @Test
  void aGoAwayThatCameBeforeSaysThatNothingWasProcessed() throws Exception {
    FutureTask<Response> call = call();
    channel.bring(
        bytes(new Frame.Settings(false, List.of()), new Frame.GoAway(0, ErrorCode.NO_ERROR, "")));
    assertInstanceOf(RequestNotProcessedException.class, failure(call));
  }

  @Test
  void nobodySaysThatTheRequestWasSentAndNoOtherIsTaken() throws Exception {
    FutureTask<Response> call = call();
    assertFalse(connection.isOpen());
    channel.end();
    assertInstanceOf(ConnectionLostException.class, failure(call));
    assertNotEquals(Sent.YES, exchange.sent());
  }

  @Test
  void aServerThatSaysNothingMoreIsLeftSoon() throws Exception {
    FutureTask<Response> call = call();
    assertTrue(channel.isOpen());
    channel.loop().advance(Duration.ofSeconds(2));
    assertFalse(channel.isOpen());
    assertInstanceOf(ConnectionLostException.class, failure(call));
  }
}
