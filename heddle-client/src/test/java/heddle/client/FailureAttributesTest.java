package heddle.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.settings.PoolLimits;
import heddle.client.settings.Timeouts;
import heddle.http.HttpException;
import heddle.http.failure.ConnectionLostException;
import heddle.http.failure.ConnectionLostException.Progress;
import heddle.http.failure.ConnectionLostException.Side;
import heddle.http.failure.DeadlineExceededException;
import heddle.http.failure.MalformedMessageException;
import heddle.http.failure.MalformedMessageException.Kind;
import heddle.testkit.Http2Peer;
import heddle.testkit.SimNetwork;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the failures of calls say to programs, so that these need not read messages. */
@Timeout(60)
class FailureAttributesTest {
  private static final String LENGTH = "HTTP/1.1 200 OK|Content-Length: 6||";
  private static final String CHUNKED = "HTTP/1.1 200 OK|Transfer-Encoding: chunked||";

  @AutoClose
  private ClientWorld world = new ClientWorld();

  private static String lines(String said) {
    return said.replace("|", "\r\n");
  }

  @ParameterizedTest
  @CsvSource({
    "'', NOTHING",
    "HTTP/1.1 100 Continue||, NOTHING",
    "HTTP/1.1 2, HEAD",
    "HTTP/1.1 200 OK|Cont, HEAD",
    LENGTH + "Hell, SIZED_CONTENT",
    CHUNKED + "4|Hell|, CHUNKS",
    CHUNKED + "0|X: 1|, CHUNKS",
  })
  void closedConnectionSaysHowFarTheResponseHadCome(String said, Progress progress)
      throws Exception {
    assertLost(progress, Side.PEER, world.failureOf(c -> c.send(lines(said))));
  }

  @ParameterizedTest
  @CsvSource({
    "'', NOTHING",
    "HTTP/1.1 200 OK|Cont, HEAD",
    LENGTH + "Hell, SIZED_CONTENT",
    CHUNKED + "4|Hell|, CHUNKS",
    "HTTP/1.1 200 OK||Hell, CONTENT",
  })
  void resetConnectionSaysHowFarTheResponseHadCome(String said, Progress progress)
      throws Exception {
    assertLost(progress, Side.UNKNOWN, world.failureOf(c -> {
      c.send(lines(said));
      c.sleep(Duration.ofMillis(1));
      c.reset();
    }));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void http2SaysWhetherTheResponseHadBegun(boolean begun) throws Exception {
    try (ClientWorld shared = ClientWorld.http2()) {
      shared.serve(Http2Peer.server(h2 -> {
        h2.handshake();
        int stream = h2.expectHeaders().streamId();
        // Has everything read: a connection closed with unread bytes is reset instead.
        h2.expectQuiet();
        if (begun) {
          h2.sendHeaders(stream, false, ":status: 200");
        }
      }));
      shared.visit(peer -> assertLost(
          begun ? Progress.CONTENT : Progress.NOTHING, Side.PEER, shared.failureOf(peer.url("/"))));
    }
  }

  private static void assertLost(Progress progress, Side closedBy, HttpException failure) {
    ConnectionLostException lost = assertInstanceOf(ConnectionLostException.class, failure);
    assertEquals(progress, lost.progress(), lost::toString);
    assertEquals(closedBy, lost.closedBy(), lost::toString);
  }

  @ParameterizedTest
  @CsvSource({
    "HTTP/1.1 20 OK||, START_LINE",
    "HTTP/1.1 200 OK|Bad Name: x||, BAD_FIELD",
    "HTTP/1.1 200 OK|Content-Length: -6||, FRAMING",
    CHUNKED + "zz|, FRAMING",
    "HTTP/1.1 101 Switching Protocols|Upgrade: x||, OTHER",
  })
  void malformedResponsesSayWhatIsMalformed(String said, Kind kind) throws Exception {
    assertMalformed(kind, world.failureOf(c -> {
      c.send(lines(said));
      c.hasMore();
    }));
  }

  @ParameterizedTest
  @CsvSource({
    ":status: 200|:other: 1, UNKNOWN_PSEUDO_FIELD",
    ":status: 200|:path: /, MISPLACED_PSEUDO_FIELD",
    ":status: 200|:status: 200, MISPLACED_PSEUDO_FIELD",
    ":status: 200|a: 1|:path: /, MISPLACED_PSEUDO_FIELD",
    "a: 1, MISSING_STATUS",
    ":status: 20, START_LINE",
    ":status: 200|connection: close, PROHIBITED_FIELD",
    ":status: 200|Upper-Case: no, BAD_FIELD",
    ":status: 200|content-length: 5, FRAMING",
  })
  void malformedResponsesOverHttp2SayWhatIsMalformed(String fields, Kind kind) throws Exception {
    try (ClientWorld shared = ClientWorld.http2()) {
      shared.serve(Http2Peer.server(h2 -> {
        h2.handshake();
        h2.sendHeaders(h2.expectHeaders().streamId(), true, fields.split("[|]", -1));
        h2.connection().hasMore();
      }));
      shared.visit(peer -> {
        HttpException failure = shared.failureOf(peer.url("/"));
        assertMalformed(kind, failure);
        assertTrue(((MalformedMessageException) failure).isOfHttp2());
      });
    }
  }

  private static void assertMalformed(Kind kind, HttpException failure) {
    MalformedMessageException malformed =
        assertInstanceOf(MalformedMessageException.class, failure);
    assertEquals(kind, malformed.kind(), malformed::toString);
  }

  @Test
  void problemNamesNoSettingOfHeddle() throws Exception {
    Timeouts timeouts = Timeouts.builder().silence(Duration.ofSeconds(4)).build();
    world.close();
    world = new ClientWorld(SimNetwork.builder(), timeouts, PoolLimits.DEFAULTS);
    DeadlineExceededException failure =
        assertInstanceOf(DeadlineExceededException.class, world.failureOf(c -> c.hasMore()));
    assertEquals("the server sent nothing for 4000 ms", failure.problem());
    ClientWorld.assertSays(failure, "4000 ms; raise Timeouts.silence: GET ");
  }
}
