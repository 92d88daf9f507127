package heddle.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Body;
import heddle.http.HttpVersion;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.failure.ClientClosedException;
import heddle.http.failure.ConnectionLostException;
import heddle.testkit.Http2Peer;
import heddle.testkit.ScriptedPeer;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests whose body comes from a stream that has nothing to say and waits for ever. */
@Timeout(60)
class SilentUploadTest {
  /** Waits until it is interrupted. */
  private static final class Silent extends InputStream {
    volatile boolean closed;

    @Override
    public int read() throws IOException {
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        throw new InterruptedIOException("interrupted");
      }
      return -1;
    }

    @Override
    public int read(byte[] target, int offset, int count) throws IOException {
      return read();
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private final Silent silent = new Silent();

  private ClientWorld.Running start(ClientWorld world, ScriptedPeer peer) throws IOException {
    Request post = Request.post(peer.url("/"), Body.of(silent));
    ClientWorld.Running call = world.startUnderWay(post);
    world.network.sleep(Duration.ofSeconds(1));
    assertFalse(call.outcome().isDone());
    return call;
  }

  private static ClientWorld world(HttpVersion version) {
    return new ClientWorld(client -> client.version(version));
  }

  private void assertNothingIsLeft(ClientWorld world, ClientWorld.Running call) throws Exception {
    assertFalse(call.interrupted().get(), "an interrupt is left behind");
    world.until(() -> silent.closed);
    world.client.close();
    world.assertNothingIsOpen();
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void closingTheClientEndsTheReadingOfTheBody(HttpVersion version) throws Exception {
    try (ClientWorld world = world(version)) {
      world.serve(c -> {
        c.drain();
      });
      world.visit(peer -> {
        ClientWorld.Running call = start(world, peer);
        world.client.close();
        assertTrue(world.now().toSeconds() <= 6, "closed after " + world.now());
        world.untilOver(call.outcome());
        assertInstanceOf(ClientClosedException.class, call.outcome().exceptionNow());
        assertTrue(world.now().toSeconds() <= 6, "ended after " + world.now());
        assertNothingIsLeft(world, call);
      });
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void aLostConnectionEndsTheReadingOfTheBody(HttpVersion version) throws Exception {
    try (ClientWorld world = world(version)) {
      world.serve(c -> {
        c.sleep(Duration.ofSeconds(3));
        c.reset();
      });
      world.visit(peer -> {
        ClientWorld.Running call = start(world, peer);
        world.untilOver(call.outcome());
        assertTrue(world.now().toSeconds() < 4, "ended after " + world.now());
        assertInstanceOf(ConnectionLostException.class, call.outcome().exceptionNow());
        assertNothingIsLeft(world, call);
      });
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void anAnswerThatDoesNotWaitForTheBodyEndsItsReading(HttpVersion version) throws Exception {
    ScriptedPeer.Script script = version == HttpVersion.HTTP_2
        ? Http2Peer.server(h2 -> {
          h2.handshake();
          int stream = h2.expectHeaders().streamId();
          h2.connection().sleep(Duration.ofSeconds(3));
          h2.sendResponse(stream, 200, "enough");
          h2.connection().drain();
        })
        : c -> {
          c.expectHead();
          c.sleep(Duration.ofSeconds(3));
          c.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nenough");
          c.drain();
        };
    try (ClientWorld world = world(version)) {
      world.serve(script);
      world.visit(peer -> {
        ClientWorld.Running call = start(world, peer);
        Response response = world.assertAnswered(call, "enough");
        assertEquals(200, response.status().code());
        assertTrue(world.now().toSeconds() <= 5, "answered after " + world.now());
        assertNothingIsLeft(world, call);
      });
    }
  }
}
