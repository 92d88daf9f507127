package heddle.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.settings.PoolLimits;
import heddle.http.Body;
import heddle.http.HttpException;
import heddle.http.Method;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Sent;
import heddle.http.Status;
import heddle.http.failure.ConnectionLostException;
import heddle.testkit.RawConnection;
import heddle.testkit.ScriptedPeer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a connection serves the next call, and what happens when it turns out to be dead. */
@Timeout(60)
class ReuseTest {
  @Test
  void failureOfARepeatedCallSaysThatTheFirstAttemptMayHaveBeenProcessed() throws Exception {
    try (ClientWorld world = new ClientWorld()) {
      world.serve(c -> {
        c.expectHead();
        c.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
        // The request comes, and the connection ends without an answer.
        c.expectHead();
      });
      world.visit(peer -> {
        assertEquals("", world.get(peer).string());
        world.network.refuse(peer.address());
        HttpException failure = assertThrows(HttpException.class, () -> world.get(peer));
        assertEquals(Phase.CONNECT, failure.at().phase(), failure.toString());
        assertEquals(Sent.UNKNOWN, failure.at().sent(), failure.toString());
      });
    }
  }

  private static final String SIX = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nHello!";

  @AutoClose
  private ClientWorld world = new ClientWorld();

  private static void answer(RawConnection c) throws IOException {
    c.expectMessage();
    c.send(SIX);
  }

  private static final ScriptedPeer.Script ONE_CALL = c -> {
    answer(c);
    c.expectEnd();
  };

  private void getHello(ScriptedPeer peer) throws IOException {
    assertEquals("Hello!", world.get(peer).string());
  }

  @Test
  void callsInARowShareAConnection() throws Exception {
    world.serve(c -> {
      for (int i = 0; i < 5; i++) {
        answer(c);
      }
      c.expectEnd();
    });
    world.visit(peer -> {
      for (int i = 0; i < 5; i++) {
        getHello(peer);
      }
    });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 6\r\n\r\nHello!",
        "HTTP/1.0 200 OK\r\nContent-Length: 6\r\n\r\nHello!",
        "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nHello!extra",
        "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nHello!HTTP/1.1 200 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nHello!\r\n0\r\n\r\nextra"
      })
  void connectionIsGivenUpAfter(String response) throws Exception {
    ScriptedPeer.Script once = c -> {
      c.expectMessage();
      c.send(response);
      // Bytes that were not read make the close a reset.
      c.drain();
    };
    world.serve(once, once);
    world.visit(peer -> {
      getHello(peer);
      assertEquals(0, world.pool().open());
      getHello(peer);
    });
  }

  @ParameterizedTest
  @ValueSource(ints = {6, 100_000})
  void connectionIsClosedAfterAResponseThatTheClientLeaves(int length) throws Exception {
    world.close();
    world = new ClientWorld(builder -> builder.closeConnectionsAfter(Status::isServerError));
    String content = "x".repeat(length);
    ScriptedPeer.Script failing = c -> {
      for (String status : new String[] {"404 Not Found", "200 OK", "503 Service Unavailable"}) {
        c.expectMessage();
        c.send("HTTP/1.1 " + status + "\r\nContent-Length: " + length + "\r\n\r\n" + content);
      }
      c.expectEnd();
    };
    world.serve(failing, failing);
    world.visit(peer -> {
      for (int i = 0; i < 2; i++) {
        for (int status : new int[] {404, 200, 503}) {
          try (Response response = world.get(peer)) {
            assertEquals(status, response.status().code());
            assertEquals(content, response.string());
          }
          assertEquals(status == 503 ? 0 : 1, world.pool().open());
        }
      }
    });
  }

  @Test
  void requestThatAsksForCloseIsTheLast() throws Exception {
    world.serve(ONE_CALL);
    world.visit(peer -> {
      Request request =
          Request.builder(peer.url("/")).header("Connection", "close").build();
      assertEquals("Hello!", world.client.send(request).string());
      assertEquals(0, world.pool().open());
    });
  }

  @Test
  void http10ConnectionIsKeptWhenTheServerSaysSo() throws Exception {
    world.serve(c -> {
      for (int i = 0; i < 2; i++) {
        c.expectMessage();
        c.send("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 6\r\n\r\nHello!");
      }
      c.expectEnd();
    });
    world.visit(peer -> {
      getHello(peer);
      getHello(peer);
    });
  }

  @Test
  void serverThatSpeaksUnaskedIsDropped() throws Exception {
    world.serve(c -> {
      answer(c);
      c.sleep(Duration.ofSeconds(1));
      c.send("HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n");
      c.expectEnd();
    });
    world.serve(ONE_CALL);
    world.visit(peer -> {
      getHello(peer);
      world.until(() -> world.pool().open() == 0);
      getHello(peer);
    });
  }

  @Test
  void idleConnectionThatTheServerClosedIsNotUsedAgain() throws Exception {
    world.serve(ReuseTest::answer, ONE_CALL);
    world.visit(peer -> {
      getHello(peer);
      world.until(() -> world.pool().open() == 0);
      getHello(peer);
    });
  }

  @Test
  void idleConnectionIsClosedAfterItsTime() throws Exception {
    world.serve(ONE_CALL);
    world.visit(peer -> {
      getHello(peer);
      world.network.sleep(Duration.ofSeconds(54));
      assertEquals(1, world.pool().open());
      world.network.sleep(Duration.ofSeconds(2));
      assertEquals(0, world.pool().open());
    });
  }

  // ---- a connection that dies while it is used again

  /** Takes a second request and leaves without an answer. */
  private static final ScriptedPeer.Script LEAVES_AT_THE_SECOND = c -> {
    answer(c);
    c.expectMessage();
  };

  @ParameterizedTest
  @ValueSource(strings = {"GET", "PUT", "DELETE", "OPTIONS"})
  void idempotentRequestIsRepeatedOnAnotherConnection(String method) throws Exception {
    world.serve(LEAVES_AT_THE_SECOND, ONE_CALL);
    world.visit(peer -> {
      getHello(peer);
      Body body = method.equals("PUT") ? Body.of("x") : Body.empty();
      Request request =
          Request.builder(peer.url("/")).method(Method.of(method)).body(body).build();
      assertEquals("Hello!", world.client.send(request).string());
    });
  }

  @Test
  void requestIsRepeatedWhenTheReusedConnectionIsReset() throws Exception {
    world.serve(c -> {
      answer(c);
      c.expectMessage();
      c.reset();
    });
    world.serve(ONE_CALL);
    world.visit(peer -> {
      getHello(peer);
      getHello(peer);
    });
  }

  @Test
  void postThatWasSentIsNotRepeatedAndSaysSo() throws Exception {
    world.serve(LEAVES_AT_THE_SECOND);
    world.visit(peer -> {
      getHello(peer);
      Request request = Request.post(peer.url("/"), Body.of("x"));
      ConnectionLostException failure = assertThrows(
          ConnectionLostException.class, () -> world.client.send(request).close());
      assertEquals(Sent.YES, failure.at().sent());
      assertTrue(failure.getMessage().endsWith("request sent: yes"), failure.getMessage());
      assertEquals(0, world.pool().open());
    });
  }

  @Test
  void bodyThatCannotBeProducedAgainIsNotRepeated() throws Exception {
    world.serve(LEAVES_AT_THE_SECOND);
    world.visit(peer -> {
      getHello(peer);
      Body once = Body.of(new ByteArrayInputStream(new byte[10]), 10);
      Request request = Request.put(peer.url("/"), once);
      assertThrows(
          ConnectionLostException.class, () -> world.client.send(request).close());
    });
  }

  @Test
  void requestIsNotRepeatedOnAFreshConnection() throws Exception {
    world.serve(c -> c.expectMessage());
    world.visit(peer -> {
      ConnectionLostException failure =
          assertThrows(ConnectionLostException.class, () -> world.get(peer).close());
      assertTrue(
          failure.getMessage().contains("before any byte of the response"), failure.getMessage());
    });
  }

  @Test
  void requestIsRepeatedOnceOnly() throws Exception {
    world.serve(LEAVES_AT_THE_SECOND, c -> c.expectMessage());
    world.visit(peer -> {
      getHello(peer);
      ConnectionLostException failure =
          assertThrows(ConnectionLostException.class, () -> world.get(peer).close());
      assertEquals(1, failure.getSuppressed().length);
      assertEquals(0, world.pool().open());
    });
  }

  @Test
  void answerThatBreaksOffInItsContentIsNotRepeated() throws Exception {
    world.serve(c -> {
      answer(c);
      c.expectMessage();
      c.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nHe");
    });
    world.visit(peer -> {
      getHello(peer);
      Response response = world.get(peer);
      ConnectionLostException failure =
          assertThrows(ConnectionLostException.class, response::string);
      assertTrue(failure.getMessage().contains("after 2 of 6 bytes"), failure.getMessage());
      assertEquals(0, world.pool().open());
    });
  }

  @Test
  void placeOfAnAbandonedConnectionGoesToTheNextInTheQueue() throws Exception {
    world.close();
    world = new ClientWorld(PoolLimits.builder().maxPerRoute(1).build());
    world.serve(c -> {
      c.expectMessage();
      c.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nHe");
      c.expectEnd();
    });
    world.serve(ONE_CALL);
    world.visit(peer -> {
      Response first = world.get(peer);
      ClientWorld.Running second = world.start(Request.get(peer.url("/")));
      world.until(() -> world.pending() == 1);
      first.close();
      assertEquals("Hello!", second.outcome().get().string());
      assertEquals(1, world.pool().open());
    });
  }
}
