package heddle.codec.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.Role;
import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Http2Exception;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Status;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client and a server that speak to each other. */
class TwoSessionsTest {
  private static final Headers FIELDS =
      Headers.of("Accept", "text/plain", "User-Agent", "test", "Connection", "close");

  private final Http2Session client = new Http2Session(Role.CLIENT, Http2Limits.CLIENT);
  private final Http2Session server = new Http2Session(Role.SERVER, Http2Limits.SERVER);
  private final List<Http2Event> atClient = new ArrayList<>();
  private final List<Http2Event> atServer = new ArrayList<>();
  private final ByteArrayOutputStream content = new ByteArrayOutputStream();
  private long now;

  @BeforeEach
  void greet() {
    exchange();
    atClient.clear();
    atServer.clear();
  }

  /** Moves bytes until both sides are quiet. */
  private void exchange() {
    for (int round = 0; round < 10_000; round++) {
      boolean asked = move(client, server, atServer);
      boolean answered = move(server, client, atClient);
      if (!asked && !answered) {
        return;
      }
    }
    throw new AssertionError("the sessions do not come to rest");
  }

  private boolean move(Http2Session from, Http2Session to, List<Http2Event> events) {
    ByteBuffer[] out = from.takeOutput();
    if (out == null) {
      return false;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (ByteBuffer each : out) {
      byte[] copy = new byte[each.remaining()];
      each.get(copy);
      bytes.writeBytes(copy);
    }
    from.recycle(out);
    now += 1_000_000;
    ByteBuffer in = ByteBuffer.wrap(bytes.toByteArray());
    try {
      for (Http2Event event; (event = to.next(in, now)) != null; ) {
        record(to, event, events);
      }
    } catch (Http2Exception e) {
      throw new AssertionError(e.getMessage(), e);
    }
    to.settle();
    return true;
  }

  private void record(Http2Session to, Http2Event event, List<Http2Event> events) {
    events.add(event);
    if (event instanceof Http2Event.Data data) {
      byte[] copy = new byte[data.bytes().remaining()];
      data.bytes().get(copy);
      content.writeBytes(copy);
      to.consumed(data.stream(), data.flowControlled());
      to.connectionConsumed(data.flowControlled());
    }
  }

  private Http2Stream get() {
    return client.request(Method.GET, "http", "a:80", "/x?y", FIELDS, true, "mine");
  }

  @Test
  void aRequestIsAnswered() {
    Http2Stream stream = get();
    exchange();
    var request = assertInstanceOf(Http2Event.RequestHead.class, atServer.getFirst());
    assertEquals(Method.GET, request.method());
    assertEquals("http", request.scheme());
    assertEquals("a:80", request.authority());
    assertEquals("/x?y", request.target());
    assertEquals(Headers.of("Accept", "text/plain", "User-Agent", "test"), request.headers());
    assertTrue(request.endStream());

    Headers fields = Headers.of("Content-Length", "5", "Content-Type", "text/plain");
    assertTrue(server.response(request.stream(), Status.OK, fields, false));
    ByteBuffer hello = ByteBuffer.wrap("hello".getBytes(StandardCharsets.US_ASCII));
    assertEquals(5, server.data(request.stream(), hello, true));
    exchange();
    var response = assertInstanceOf(Http2Event.ResponseHead.class, atClient.getFirst());
    assertSame(stream, response.stream());
    assertEquals("mine", response.stream().attachment());
    assertEquals(Status.OK, response.status());
    assertEquals(fields, response.headers());
    assertFalse(response.endStream());
    assertTrue(assertInstanceOf(Http2Event.Data.class, atClient.get(1)).endStream());
    assertEquals("hello", content.toString(StandardCharsets.US_ASCII));
    assertEquals(0, client.openStreams());
    assertEquals(0, server.openStreams());
    assertTrue(client.streams().isEmpty());
    assertTrue(server.streams().isEmpty());
  }

  @Test
  void aLargeBodyPassesAllWindows() {
    byte[] body = new byte[3_000_000];
    for (int i = 0; i < body.length; i++) {
      body[i] = (byte) (i * 31);
    }
    Http2Stream stream =
        client.request(Method.POST, "http", "a", "/", Headers.empty(), false, null);
    ByteBuffer payload = ByteBuffer.wrap(body);
    int rounds = 0;
    while (payload.hasRemaining() && ++rounds < 10_000) {
      client.data(stream, payload, true);
      exchange();
    }
    assertArrays(body, content.toByteArray());
    assertEquals(StreamState.HALF_CLOSED_LOCAL, stream.state());
  }

  private static void assertArrays(byte[] expected, byte[] actual) {
    assertTrue(
        Arrays.equals(expected, actual),
        () -> "differ at "
            + Arrays.mismatch(expected, actual) + ", lengths " + expected.length + ", "
            + actual.length);
  }

  @Test
  void repeatedHeadsShareTheirFields() {
    List<Headers> requests = new ArrayList<>();
    List<Headers> responses = new ArrayList<>();
    Headers answer = Headers.of("Server", "test", "Content-Length", "0");
    for (int i = 0; i < 5; i++) {
      get();
      exchange();
      var request = assertInstanceOf(Http2Event.RequestHead.class, atServer.removeLast());
      requests.add(request.headers());
      server.response(request.stream(), Status.OK, answer, true);
      exchange();
      responses.add(
          assertInstanceOf(Http2Event.ResponseHead.class, atClient.removeLast()).headers());
    }
    // The first block inserts into the table; from then on entries are the same instances.
    assertSame(requests.get(1), requests.get(4));
    assertSame(responses.get(1), responses.get(4));
  }

  @Test
  void aResetReachesThePeerAndNobodyIsLeft() {
    Http2Stream stream = client.request(Method.POST, "http", "a", "/", FIELDS, false, null);
    exchange();
    client.reset(stream, ErrorCode.CANCEL);
    exchange();
    var reset = assertInstanceOf(Http2Event.Reset.class, atServer.getLast());
    assertEquals(ErrorCode.CANCEL, reset.code());
    assertFalse(server.response(reset.stream(), Status.OK, Headers.empty(), true));
    assertEquals(0, client.openStreams());
    assertEquals(0, server.openStreams());
  }

  @Test
  void drainingLetsWhatRunsFinish() {
    get();
    exchange();
    server.drain();
    exchange();
    var request = assertInstanceOf(Http2Event.RequestHead.class, atServer.getFirst());
    assertNotNull(request.stream());
    assertTrue(client.isClosing());
    assertFalse(client.canOpenStream());
    assertFalse(server.isDrained());
    server.response(request.stream(), Status.OK, Headers.empty(), true);
    exchange();
    assertTrue(server.isDrained());
    assertInstanceOf(Http2Event.ResponseHead.class, atClient.getLast());
  }
}
