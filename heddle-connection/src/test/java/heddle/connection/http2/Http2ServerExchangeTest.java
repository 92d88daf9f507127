package heddle.connection.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.hpack.HpackOutput;
import heddle.codec.http2.frame.Frame;
import heddle.connection.MemoryBudget;
import heddle.connection.RecentOrigins;
import heddle.connection.RequestListener;
import heddle.connection.ServerConnection;
import heddle.connection.ServerExchange;
import heddle.connection.ServerLimits;
import heddle.http.Response;
import heddle.http.Status;
import heddle.testkit.Http2Peer;
import heddle.testkit.ManualChannel;
import heddle.transport.DeadlinePassedException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What may come between a request and the end of its answer. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class Http2ServerExchangeTest {
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final ManualChannel channel = new ManualChannel(this::write);
  private ManualChannel.Writes before = buffers -> {};
  private final List<ServerExchange> exchanges = new ArrayList<>();
  private final Http2ServerConnection connection = new Http2ServerConnection(
      channel,
      ServerLimits.DEFAULTS,
      new MemoryBudget(1 << 20),
      new RecentOrigins(),
      new RequestListener() {
        @Override
        public void onRequest(ServerExchange exchange) {
          exchanges.add(exchange);
        }

        @Override
        public void onClosed(ServerConnection closed) {}
      },
      null);

  private void write(ByteBuffer[] buffers) throws IOException {
    before.write(buffers);
    for (ByteBuffer buffer : buffers) {
      byte[] bytes = new byte[buffer.remaining()];
      buffer.duplicate().get(bytes);
      written.writeBytes(bytes);
    }
  }

  private void bring(Frame... frames) {
    HpackOutput out = new HpackOutput(256);
    for (Frame frame : frames) {
      frame.encode(out);
    }
    channel.bring(Arrays.copyOf(out.array(), out.length()));
  }

  private ServerExchange request(String method, boolean whole) {
    channel.loop().execute(connection::start);
    channel.start(connection);
    channel.bring("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(ISO_8859_1));
    bring(
        new Frame.Settings(false, List.of()),
        Http2Peer.headers(
            1, whole, ":method: " + method, ":scheme: http", ":authority: server", ":path: /"));
    ServerExchange exchange = exchanges.getFirst();
    assertTrue(exchange.enter(() -> {}));
    return exchange;
  }

  @Test
  void anInterruptThatComesOfABrokenConnectionIsNotToldAsAnInternalServerError() throws Exception {
    CountDownLatch room = new CountDownLatch(1);
    before = buffers -> {
      if (channel.loop().inLoop()) {
        throw new DeadlinePassedException("no room at once");
      }
      try {
        room.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    };
    ServerExchange exchange = request("GET", true);
    channel.bring(new byte[] {0, 0, 1}); // a third of a frame's header, and no more
    channel.end();
    assertTrue(Thread.currentThread().isInterrupted());
    exchange.respond(Response.of(Status.INTERNAL_SERVER_ERROR));
    exchange.leave();
    room.countDown();
    while (writtenOn(1).isEmpty()) {
      Thread.onSpinWait();
    }
    assertEquals(List.of(RST_STREAM), writtenOn(1));
  }

  @Test
  void contentThatPassesTheBoundBeforeTheWriteOfTheAnswerReturnsIsRefused() throws Exception {
    ServerExchange exchange = request("POST", false);
    before = buffers -> {
      before = others -> {};
      for (int i = 0; i < 5; i++) {
        bring(Http2Peer.data(1, false, "a".repeat(16_000)));
      }
    };
    exchange.respond(Response.ok(""));
    exchange.leave();
    assertEquals(List.of(HEADERS), writtenOn(1));
    channel.loop().runPending();
    assertEquals(List.of(HEADERS, RST_STREAM), writtenOn(1));
  }

  /** The types of the frames that were written on a stream. */
  private List<Integer> writtenOn(int stream) {
    ByteBuffer bytes = ByteBuffer.wrap(written.toByteArray());
    List<Integer> types = new ArrayList<>();
    while (bytes.hasRemaining()) {
      int length = bytes.get() << 16 & 0xff0000 | bytes.getShort() & 0xffff;
      int type = bytes.get();
      bytes.get();
      int id = bytes.getInt();
      if (id == stream) {
        types.add(type);
      }
      bytes.position(bytes.position() + length);
    }
    return types;
  }
}
