package heddle.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.http.Body;
import heddle.http.Response;
import heddle.server.spi.Handler;
import heddle.testkit.Cut;
import heddle.testkit.Direction;
import heddle.testkit.SimNetwork;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Connections that break at every byte: whatever the peer does, the server forgets nothing. */
class CutsTest {
  private static final String BODY = "0123456789".repeat(30);

  private static final String REQUESTS = "POST /a HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked"
      + "\r\n\r\n12c\r\n" + BODY + "\r\n0\r\n\r\n"
      + "POST /b HTTP/1.1\r\nHost: t\r\nContent-Length: 300\r\n\r\n" + BODY
      + "GET /c HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n";

  private static final Duration LONG = Duration.ofMinutes(5);

  @Test
  void nothingIsLeftOfAConnectionThatIsCutAtAnyByteOfTheRequests() throws Exception {
    for (int at = 0; at <= REQUESTS.length(); at += 5) {
      for (Cut how : Cut.values()) {
        assertNothingIsLeft(Direction.TO_SERVER, at, how);
      }
    }
  }

  @Test
  void nothingIsLeftOfAConnectionThatIsCutAtAnyByteOfTheResponses() throws Exception {
    for (int at = 0; at <= 1_300; at += 11) {
      for (Cut how : Cut.values()) {
        assertNothingIsLeft(Direction.TO_CLIENT, at, how);
      }
    }
  }

  private static void assertNothingIsLeft(Direction direction, int at, Cut how) throws Exception {
    String where = direction + " " + how + " after " + at + " bytes";
    AtomicInteger made = new AtomicInteger();
    AtomicInteger closed = new AtomicInteger();
    Handler handler = request -> {
      String echo = request.body().string();
      made.incrementAndGet();
      return Response.ok(new CountedBody(echo, closed));
    };
    try (SimNetwork network = SimNetwork.builder().seed(at).virtualTime().build()) {
      network.onConnection(connection -> connection.cutAfterBytes(direction, at, how));
      network.run(() -> {
        try (HttpServer server = HttpServer.builder()
            .network(network)
            .executor(network.executor())
            .handler(handler)
            .start()) {
          talk(server, network);
          network.sleep(LONG);
          assertEquals(0, server.active(), where);
          assertEquals(0, server.connections(), where);
          assertEquals(made.get(), closed.get(), where);
        }
      });
    }
  }

  private static void talk(HttpServer server, SimNetwork network) {
    try (RawPeer peer = RawPeer.connect(server, network)) {
      peer.send(REQUESTS);
      for (String expected : List.of(BODY, BODY, "")) {
        RawPeer.Answer answer = peer.answer();
        if (answer.status() == 400) {
          return; // the server saw the end of its input in the middle of a body
        }
        assertEquals(expected, answer.body());
      }
    } catch (IOException e) {
      // The cut. What the peer got until then was right; what counts is what the server keeps.
      return;
    }
  }

  /** A body that is sent in chunks and counts how often it is closed. */
  private static final class CountedBody extends Body {
    private final byte[] content;
    private final AtomicInteger closed;

    CountedBody(String content, AtomicInteger closed) {
      this.content = content.getBytes(StandardCharsets.US_ASCII);
      this.closed = closed;
    }

    @Override
    public long length() {
      return UNKNOWN;
    }

    @Override
    public boolean isReplayable() {
      return true;
    }

    @Override
    public InputStream stream() {
      return new ByteArrayInputStream(content);
    }

    @Override
    public void close() {
      closed.incrementAndGet();
    }
  }
}
