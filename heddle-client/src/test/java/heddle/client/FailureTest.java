package heddle.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.settings.PoolLimits;
import heddle.client.settings.Timeouts;
import heddle.http.Body;
import heddle.http.HttpException;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Sent;
import heddle.http.failure.ConnectFailedException;
import heddle.http.failure.ConnectionLostException;
import heddle.http.failure.MalformedMessageException;
import heddle.http.failure.MessageTooLargeException;
import heddle.http.failure.UnresolvedHostException;
import heddle.http.syntax.Host;
import heddle.testkit.ScriptedPeer;
import heddle.testkit.SimNetwork;
import heddle.transport.names.Resolver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each way in which a call can fail: its exception, its point, and that nothing is left behind. */
@Timeout(60)
class FailureTest {
  private static final String OK = "HTTP/1.1 200 OK\r\n";
  private static final String OVER_100_BYTES = "012345678901234567890123456789012345678901234567"
      + "890123456789012345678901234567890123456789012345678901234567890123456789";
  private static final String SIX = OK + "Content-Length: 6\r\n\r\nHello!";

  @AutoClose
  private ClientWorld world = new ClientWorld();

  private void resolveWith(Resolver resolver) {
    world.close();
    world = new ClientWorld(SimNetwork.builder(), Timeouts.DEFAULTS, PoolLimits.DEFAULTS, resolver);
  }

  private static ScriptedPeer.Script sending(String text) {
    return c -> c.send(text);
  }

  /** Sends and lets the client close; it may do so before it has read everything. */
  private static ScriptedPeer.Script sendingAndStaying(String text) {
    return c -> {
      c.send(text);
      c.hasMore();
    };
  }

  // ---- before there is a connection

  @Test
  void unknownHostIsNamed() throws Exception {
    UnknownHostException unknown = new UnknownHostException("no address is known for nowhere.test");
    resolveWith((host, deadline) -> {
      throw unknown;
    });
    world.network.run(() -> {
      HttpException failure = world.assertFails(
          UnresolvedHostException.class,
          Phase.RESOLVE,
          Sent.NO,
          world.failureOf("http://nowhere.test/"));
      ClientWorld.assertSays(failure, "nowhere.test");
      assertEquals(unknown, failure.getCause().getCause());
    });
  }

  @Test
  void brokenNameServiceIsNoLostConnection() throws Exception {
    resolveWith((host, deadline) -> {
      throw new IOException("the name service is on strike");
    });
    world.network.run(() -> {
      HttpException failure = world.assertFails(
          UnresolvedHostException.class, Phase.RESOLVE, Sent.NO, world.failureOf("http://a.test/"));
      ClientWorld.assertSays(failure, "on strike");
    });
  }

  @Test
  void refusedConnectionIsNamedWithItsAddress() throws Exception {
    world.network.run(() -> {
      HttpException failure = world.assertFails(
          ConnectFailedException.class,
          Phase.CONNECT,
          Sent.NO,
          world.failureOf("http://a.test:81/"));
      ClientWorld.assertSays(failure, "127.0.0.1:81");
      ClientWorld.assertSays(failure, "refused");
      assertInstanceOf(ConnectException.class, failure.getCause().getCause());
    });
  }

  @Test
  void addressesAreTriedInTurn() throws Exception {
    InetAddress dead = Host.address("192.0.2.1");
    resolveWith((host, deadline) -> List.of(dead, InetAddress.getLoopbackAddress()));
    world.visit(peer -> assertEquals("Hello!", world.get(peer).string()), c -> {
      c.expectHead();
      c.send(SIX);
      c.expectEnd();
    });
  }

  @Test
  void silentAddressLeavesTimeForTheNext() throws Exception {
    InetAddress dead = Host.address("192.0.2.1");
    resolveWith((host, deadline) -> List.of(dead, InetAddress.getLoopbackAddress()));
    world.serve(c -> {
      c.expectHead();
      c.send(SIX);
      c.expectEnd();
    });
    world.visit(peer -> {
      world.network.blackHole(new InetSocketAddress(dead, peer.port()));
      assertEquals("Hello!", world.get(peer).string());
      assertEquals(Duration.ofMillis(250), world.now());
    });
  }

  @Test
  void blackHoleFailsAtTheConnectTimeout() throws Exception {
    world.network.blackHole(new InetSocketAddress(InetAddress.getLoopbackAddress(), 81));
    world.network.run(() -> {
      HttpException failure = world.assertFails(
          ConnectFailedException.class,
          Phase.CONNECT,
          Sent.NO,
          world.failureOf("http://a.test:81/"));
      assertEquals(Duration.ofSeconds(5), failure.at().elapsed());
      ClientWorld.assertSays(failure, "Timeouts.connect");
    });
  }

  // ---- broken off

  @Test
  void closeBeforeAnyByteIsNamed() throws Exception {
    HttpException failure = world.assertFails(
        ConnectionLostException.class, Phase.AWAIT_HEAD, Sent.YES, world.failureOf(c -> {}));
    ClientWorld.assertSays(failure, "before any byte of the response's head");
  }

  @Test
  void closeInTheHeadSaysHowMuchCame() throws Exception {
    HttpException failure = world.assertFails(
        ConnectionLostException.class,
        Phase.AWAIT_HEAD,
        Sent.YES,
        world.failureOf(sending("HTTP/1.1 200 OK\r\nCont")));
    ClientWorld.assertSays(failure, "in a head of which 21 bytes had come, in its header section");
  }

  @Test
  void closeInTheFirstLineSaysSo() throws Exception {
    HttpException failure = world.assertFails(
        ConnectionLostException.class,
        Phase.AWAIT_HEAD,
        Sent.YES,
        world.failureOf(sending("HTTP/1.1 20")));
    ClientWorld.assertSays(failure, "in a head of which 11 bytes had come, in its status line");
  }

  @Test
  void closeInTheContentSaysHowMuchOfHowMuchCame() throws Exception {
    HttpException failure = world.assertFails(
        ConnectionLostException.class,
        Phase.READ_BODY,
        Sent.YES,
        world.failureOf(sending(OK + "Content-Length: 6\r\n\r\nHell")));
    ClientWorld.assertSays(failure, "after 4 of 6 bytes");
  }

  @Test
  void closeBetweenChunksSaysHowMuchCame() throws Exception {
    HttpException failure = world.assertFails(
        ConnectionLostException.class,
        Phase.READ_BODY,
        Sent.YES,
        world.failureOf(sending(OK + "Transfer-Encoding: chunked\r\n\r\n4\r\nHell\r\n")));
    ClientWorld.assertSays(failure, "after 4 bytes of chunked content");
  }

  @Test
  void resetBeforeAnyByteIsNamed() throws Exception {
    HttpException failure = world.assertFails(
        ConnectionLostException.class, Phase.AWAIT_HEAD, Sent.YES, world.failureOf(c -> c.reset()));
    ClientWorld.assertSays(failure, "Connection reset");
    ClientWorld.assertSays(failure, "before any byte of the response's head");
  }

  @Test
  void resetInTheContentSaysHowMuchOfHowMuchCame() throws Exception {
    HttpException failure = world.assertFails(
        ConnectionLostException.class, Phase.READ_BODY, Sent.YES, world.failureOf(c -> {
          c.send(OK + "Content-Length: 6\r\n\r\nHell");
          c.sleep(Duration.ofMillis(1));
          c.reset();
        }));
    ClientWorld.assertSays(failure, "Connection reset");
    ClientWorld.assertSays(failure, "after 4 of 6 bytes");
  }

  @Test
  void malformedContentBehindMuchThatCameWithItEndsTheCall() throws Exception {
    HttpException failure =
        world.failureOf(c -> c.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5000\r\n"
            + "x".repeat(0x5000) + "\r\nZZ\r\n"));
    assertInstanceOf(MalformedMessageException.class, failure);
  }

  @Test
  void contentUpToTheCloseThatIsResetIsNoShortAnswer() throws Exception {
    HttpException failure = world.assertFails(
        ConnectionLostException.class, Phase.READ_BODY, Sent.YES, world.failureOf(c -> {
          c.send(OK + "\r\nHell");
          c.sleep(Duration.ofMillis(1));
          c.reset();
        }));
    ClientWorld.assertSays(failure, "Connection reset");
  }

  // ---- not HTTP

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SSH-2.0-OpenSSH_9.6\r\n",
        "<html>hello</html>\r\n\r\n",
        "HTTP/1.1 20 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nBad Name: x\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 6\r\nContent-Length: 7\r\n\r\nHello!",
        "HTTP/1.1 200 OK\r\nContent-Length: -6\r\n\r\nHello!",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nHello!",
        "HTTP/1.1 200 OK\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"
      })
  void headThatIsNotValidIsNamed(String head) throws Exception {
    HttpException failure = world.assertFails(
        MalformedMessageException.class,
        Phase.AWAIT_HEAD,
        Sent.YES,
        world.failureOf(sendingAndStaying(head)));
    ClientWorld.assertSays(failure, "the server's response is not valid HTTP");
  }

  @ParameterizedTest
  @ValueSource(strings = {"zz\r\n", "-1\r\n", "5\r\nHelloX", "ffffffffffffffffff\r\n", " 5\r\n"})
  void chunkThatIsNotValidIsNamed(String chunk) throws Exception {
    HttpException failure = world.assertFails(
        MalformedMessageException.class, Phase.READ_BODY, Sent.YES, world.failureOf(c -> {
          c.send(OK + "Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n");
          c.sleep(Duration.ofMillis(1));
          c.send(chunk);
          c.hasMore();
        }));
    ClientWorld.assertSays(failure, "the server's response is not valid HTTP");
  }

  @Test
  void headWithoutEndFailsAtItsBound() throws Exception {
    HttpException failure = world.assertFails(
        MessageTooLargeException.class, Phase.AWAIT_HEAD, Sent.YES, world.failureOf(c -> {
          c.send(OK);
          try {
            for (int i = 0; i < 1_000; i++) {
              c.send("X-" + i + ": " + "x".repeat(1_000) + "\r\n");
              c.sleep(Duration.ofMillis(1));
            }
            throw new AssertionError("the client took a megabyte of head");
          } catch (IOException e) {
            // The client has had enough.
          }
        }));
    ClientWorld.assertSays(failure, "65536");
  }

  @ParameterizedTest
  @ValueSource(strings = {"X: " + OVER_100_BYTES, "A: 1\r\nB: 2\r\nC: 3"})
  void headBeyondTheLimitsOfTheClientFails(String fields) throws Exception {
    world.close();
    world = new ClientWorld(client -> client.maxResponseHead(100, 2));
    world.assertFails(
        MessageTooLargeException.class,
        Phase.AWAIT_HEAD,
        Sent.YES,
        world.failureOf(sendingAndStaying(OK + fields + "\r\n\r\n")));
  }

  @Test
  void headWithinTheLimitsOfTheClientIsRead() throws Exception {
    world.close();
    world = new ClientWorld(client -> client.maxResponseHead(100, 2));
    world.visit(peer -> assertEquals("Hello!", world.get(peer).string()), c -> {
      c.expectHead();
      c.send(OK + "A: 1\r\nContent-Length: 6\r\n\r\nHello!");
      c.hasMore();
    });
  }

  @Test
  void interimResponsesWithoutEndFailAtTheirBound() throws Exception {
    world.assertFails(
        MessageTooLargeException.class,
        Phase.AWAIT_HEAD,
        Sent.YES,
        world.failureOf(sendingAndStaying("HTTP/1.1 100 Continue\r\n\r\n".repeat(9))));
  }

  @Test
  void aBodyThatCannotBeClosedIsNoConnectionThatWasLost() throws Exception {
    Body body = Body.of(
        new ByteArrayInputStream(new byte[] {'x'}) {
          @Override
          public void close() throws IOException {
            throw new IOException("a body that a test makes fail");
          }
        },
        1);
    world.serve(c -> {
      c.expectHead();
      c.drain();
    });
    world.visit(peer -> {
      HttpException failure = assertThrows(
          HttpException.class, () -> world.client.send(Request.put(peer.url("/"), body)));
      assertFalse(failure instanceof ConnectionLostException, failure.toString());
      assertTrue(failure.getMessage().contains("the request's body"), failure.getMessage());
      assertEquals(0, world.pool().open());
    });
  }

  @Test
  @Timeout(10)
  void aBodyWhoseStreamGivesNothingWhereItMustGiveSomethingIsSent() throws Exception {
    Body body = Body.of(
        new ByteArrayInputStream(new byte[] {'x', 'y'}) {
          @Override
          public int read(byte[] target, int offset, int count) {
            return 0;
          }
        },
        2);
    world.serve(c -> {
      c.expectHead();
      c.expect("xy");
      c.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    });
    world.visit(peer -> assertEquals(
        200, world.client.send(Request.put(peer.url("/"), body)).status().code()));
  }
}
