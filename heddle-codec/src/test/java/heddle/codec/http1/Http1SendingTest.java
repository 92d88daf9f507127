package heddle.codec.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.ProtocolException;
import heddle.codec.Role;
import heddle.http.Headers;
import heddle.http.Limits;
import heddle.http.Method;
import heddle.http.Status;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class Http1SendingTest {
  private static final Headers NONE = Headers.empty();

  private static Http1Session client() {
    return new Http1Session(Role.CLIENT, Limits.DEFAULTS);
  }

  /** A server that has received a request of no content. */
  private static Http1Session server(String method, String version, String... fields) {
    Http1Session session = new Http1Session(Role.SERVER, Limits.DEFAULTS);
    String target = method.equals("CONNECT") ? "a:1" : "/";
    String head = method + " " + target + " " + version + "\r\nHost: a\r\n";
    receive(session, head + String.join("", fields) + "\r\n");
    return session;
  }

  private static void receive(Http1Session session, String input) {
    ByteBuffer in = ByteBuffer.wrap(input.getBytes(StandardCharsets.US_ASCII));
    try {
      while (session.next(in, 0) != null) {}
    } catch (ProtocolException e) {
      throw new AssertionError(e);
    }
  }

  private static String text(ByteBuffer... buffers) {
    StringBuilder text = new StringBuilder();
    for (ByteBuffer buffer : buffers) {
      text.append(StandardCharsets.ISO_8859_1.decode(buffer.duplicate()));
    }
    return text.toString();
  }

  private static ByteBuffer bytes(int length) {
    return ByteBuffer.wrap("x".repeat(length).getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void requestHasHostFirstAndItsFieldsInOrder() {
    ByteBuffer head = client()
        .requestHead(
            Method.GET,
            "/a?b",
            "h:81",
            Headers.of("X", "1", "y", "\u00e9", "X", ""),
            Http1Session.NO_BODY);
    assertEquals("GET /a?b HTTP/1.1\r\nHost: h:81\r\nX: 1\r\ny: \u00e9\r\nX: \r\n\r\n", text(head));
    assertEquals(head.capacity(), head.remaining(), "the buffer is exactly sized");
  }

  @Test
  void wellKnownNamesAreSentInTheirUsualSpellingAndOthersAsGiven() {
    Headers fields =
        Headers.of("content-type", "a", "ETAG", "b", "www-authenticate", "c", "x-mIne", "d");
    ByteBuffer head = client().requestHead(Method.GET, "/", "a", fields, Http1Session.NO_BODY);
    assertEquals(
        "GET / HTTP/1.1\r\nHost: a\r\n"
            + "Content-Type: a\r\nETag: b\r\nWWW-Authenticate: c\r\nx-mIne: d\r\n\r\n",
        text(head));
  }

  @Test
  void hostOfTheUserTakesTheFirstPlace() {
    ByteBuffer head = client()
        .requestHead(Method.GET, "/", "a", Headers.of("X", "1", "host", "b"), Http1Session.NO_BODY);
    assertEquals("GET / HTTP/1.1\r\nHost: b\r\nX: 1\r\n\r\n", text(head));
    refusesRequest("/", "a", Headers.of("Host", "b", "Host", "b"), Http1Session.NO_BODY);
    refusesRequest("/", "a", Headers.of("Host", "b/c"), Http1Session.NO_BODY);
  }

  private static void refusesRequest(String target, String host, Headers headers, long length) {
    Http1Session session = client();
    assertThrows(
        IllegalArgumentException.class,
        () -> session.requestHead(Method.POST, target, host, headers, length));
    // Nothing was begun: the session can still send.
    session.requestHead(Method.GET, "/", "a", NONE, Http1Session.NO_BODY);
  }

  @Test
  void noTargetAndNoHostCanSplitTheMessage() {
    String[] targets = {
      "",
      " ",
      "/ ",
      "/\r\nX: 1",
      "/\n",
      "/\u0000",
      "/\u010a",
      "/\u560a",
      "/\u00e9",
      "a",
      "*",
      "/#f",
      "http://a b/"
    };
    for (String target : targets) {
      refusesRequest(target, "a", NONE, Http1Session.NO_BODY);
    }
    for (String host :
        new String[] {"", "a\r\nX: 1", "a b", "u@a", "a:x", "\u010a", "a/b", "a:99999"}) {
      refusesRequest("/", host, NONE, Http1Session.NO_BODY);
    }
    assertThrows(IllegalArgumentException.class, () -> client()
        .requestHead(Method.CONNECT, "/", "a", NONE, Http1Session.NO_BODY));
  }

  @Test
  void fieldsThatContradictTheBodyAreRefused() {
    refusesRequest("/", "a", Headers.of("Content-Length", "6"), 5);
    refusesRequest("/", "a", Headers.of("Content-Length", "5"), Http1Session.UNKNOWN);
    refusesRequest("/", "a", Headers.of("Content-Length", "5"), Http1Session.NO_BODY);
    refusesRequest("/", "a", Headers.of("Content-Length", "+5"), 5);
    refusesRequest("/", "a", Headers.of("Content-Length", "5", "Content-Length", "5"), 5);
    refusesRequest("/", "a", Headers.of("Transfer-Encoding", "chunked"), 5);
    refusesRequest("/", "a", Headers.of("Transfer-Encoding", "gzip"), Http1Session.UNKNOWN);
    refusesRequest("/", "a", NONE, -3);
    assertThrows(IllegalArgumentException.class, () -> client()
        .requestHead(Method.CONNECT, "a:1", "a", NONE, 3));
  }

  @Test
  void framingGivenTwiceAlikeIsWrittenOnce() {
    assertEquals(
        "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n",
        text(client().requestHead(Method.PUT, "/", "a", Headers.of("Content-Length", "5"), 5)));
    assertEquals(
        "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
        text(client()
            .requestHead(
                Method.PUT,
                "/",
                "a",
                Headers.of("transfer-encoding", "Chunked"),
                Http1Session.UNKNOWN)));
    assertEquals(
        "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
        text(client()
            .requestHead(
                Method.PUT, "/", "a", Headers.of("Content-Length", "0"), Http1Session.NO_BODY)));
  }

  @Test
  void contentMustHaveTheAnnouncedLength() {
    Http1Session session = client();
    session.requestHead(Method.POST, "/", "a", NONE, 5);
    assertEquals("xxx", text(session.data(bytes(3))));
    IllegalStateException few = assertThrows(IllegalStateException.class, () -> session.end(NONE));
    assertTrue(few.getMessage().contains("3 bytes, but 5"), few.getMessage());
    IllegalStateException many =
        assertThrows(IllegalStateException.class, () -> session.data(bytes(3)));
    assertTrue(many.getMessage().contains("6 bytes or more, but 5"), many.getMessage());
    assertTrue(session.hasContentToSend());
    session.data(bytes(2));
    assertFalse(session.hasContentToSend());
    assertThrows(IllegalStateException.class, () -> session.data(bytes(1)));
    assertEquals("", text(session.end(NONE)));
  }

  @Test
  void noContentWhereNoneWasAnnounced() {
    Http1Session session = client();
    assertThrows(IllegalStateException.class, () -> session.data(bytes(1)));
    assertThrows(IllegalStateException.class, () -> session.end(NONE));
    session.requestHead(Method.POST, "/", "a", NONE, 0);
    assertFalse(session.hasContentToSend());
    assertThrows(IllegalStateException.class, () -> session.data(bytes(1)));
    assertEquals(0, session.data(bytes(0)).length);
  }

  @Test
  void chunksAndTrailers() {
    Http1Session session = client();
    session.requestHead(Method.POST, "/", "a", NONE, Http1Session.UNKNOWN);
    assertEquals("1\r\nx\r\n", text(session.data(bytes(1))));
    assertEquals("", text(session.data(bytes(0))), "an empty chunk would end the content");
    assertTrue(text(session.data(bytes(15))).startsWith("f\r\n"));
    assertTrue(text(session.data(bytes(16))).startsWith("10\r\n"));
    assertTrue(text(session.data(bytes(70_000))).startsWith("11170\r\n"));
    assertThrows(
        IllegalArgumentException.class, () -> session.end(Headers.of("Content-Length", "1")));
    assertEquals("0\r\nX: 1\r\n\r\n", text(session.end(Headers.of("X", "1"))));
    assertThrows(IllegalStateException.class, () -> session.data(bytes(1)));
    assertEquals("", text(session.end(NONE)));
  }

  @Test
  void trailersNeedChunks() {
    Http1Session session = client();
    session.requestHead(Method.POST, "/", "a", NONE, 1);
    session.data(bytes(1));
    assertThrows(IllegalArgumentException.class, () -> session.end(Headers.of("X", "1")));
  }

  @Test
  void trailersOfAResponseThatMayHaveNoContentAreLeftOut() {
    for (Status status : new Status[] {Status.NO_CONTENT, Status.NOT_MODIFIED}) {
      Http1Session session = server("GET", "HTTP/1.1");
      session.responseHead(status, NONE, Http1Session.NO_BODY, false);
      assertEquals("", text(session.end(Headers.of("X", "1"))));
    }
    Http1Session empty = server("GET", "HTTP/1.1");
    empty.responseHead(Status.OK, NONE, 0, false);
    assertThrows(IllegalArgumentException.class, () -> empty.end(Headers.of("X", "1")));
  }

  @Test
  void responseTellsHowItsContentEnds() {
    assertEquals(
        "HTTP/1.1 200 OK\r\nX: 1\r\nContent-Length: 1234\r\n\r\n",
        text(server("GET", "HTTP/1.1").responseHead(Status.OK, Headers.of("X", "1"), 1234, false)));
    assertEquals(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        text(server("GET", "HTTP/1.1").responseHead(Status.OK, NONE, Http1Session.UNKNOWN, false)));
    assertEquals(
        "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
        text(server("GET", "HTTP/1.1")
            .responseHead(Status.NOT_FOUND, NONE, Http1Session.NO_BODY, false)));
    assertEquals(
        "HTTP/1.1 799 \r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        text(server("GET", "HTTP/1.1").responseHead(Status.of(799), NONE, 0, true)));
  }

  @Test
  void headAnd304AnnounceALengthWithoutContent() {
    Http1Session head = server("HEAD", "HTTP/1.1");
    assertEquals(
        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n",
        text(head.responseHead(Status.OK, NONE, 9, false)));
    assertFalse(head.hasContentToSend());
    assertThrows(IllegalStateException.class, () -> head.data(bytes(9)));
    head.end(NONE);
    assertTrue(head.isReusable());
    assertEquals(
        "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n",
        text(server("HEAD", "HTTP/1.1")
            .responseHead(Status.OK, Headers.of("Content-Length", "7"), 0, false)));
    assertEquals(
        "HTTP/1.1 304 Not Modified\r\n\r\n",
        text(server("GET", "HTTP/1.1")
            .responseHead(Status.NOT_MODIFIED, NONE, Http1Session.UNKNOWN, false)));
  }

  @Test
  void noContentMeansNoFraming() {
    assertEquals(
        "HTTP/1.1 204 No Content\r\n\r\n",
        text(server("GET", "HTTP/1.1").responseHead(Status.NO_CONTENT, NONE, 0, false)));
    refusesResponse(Status.NO_CONTENT, NONE, 1);
    refusesResponse(Status.NO_CONTENT, Headers.of("Content-Length", "0"), 0);
    refusesResponse(Status.NO_CONTENT, NONE, Http1Session.UNKNOWN);
    refusesResponse(Status.RESET_CONTENT, NONE, 1);
    refusesResponse(Status.CONTINUE, NONE, Http1Session.NO_BODY);
    refusesResponse(Status.OK, Headers.of("Content-Length", "2"), 3);
    refusesResponse(Status.OK, Headers.of("Transfer-Encoding", "gzip"), Http1Session.UNKNOWN);
    Http1Session session = server("GET", "HTTP/1.1");
    assertThrows(
        IllegalArgumentException.class,
        () -> session.interimHead(Status.CONTINUE, Headers.of("Content-Length", "0")));
    assertThrows(IllegalArgumentException.class, () -> session.interimHead(Status.OK, NONE));
  }

  private static void refusesResponse(Status status, Headers headers, long length) {
    Http1Session session = server("GET", "HTTP/1.1");
    assertThrows(
        IllegalArgumentException.class, () -> session.responseHead(status, headers, length, false));
  }

  @Test
  void http10PeersGetNoChunksAndNoInterims() {
    Http1Session session = server("GET", "HTTP/1.0", "Connection: keep-alive\r\n");
    assertEquals("", text(session.interimHead(Status.CONTINUE, NONE)));
    assertEquals(
        "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n",
        text(session.responseHead(Status.OK, NONE, Http1Session.UNKNOWN, false)));
    assertEquals("xx", text(session.data(bytes(2))));
    assertEquals("", text(session.end(Headers.of("X", "dropped"))));
    assertFalse(session.isReusable());
  }

  @Test
  void http10PersistsOnlyWhenAsked() {
    Http1Session session = server("GET", "HTTP/1.0", "Connection: keep-alive\r\n");
    assertEquals(
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: keep-alive\r\n\r\n",
        text(session.responseHead(Status.OK, NONE, 0, false)));
    assertTrue(session.isReusable());
    assertTrue(text(server("GET", "HTTP/1.0").responseHead(Status.OK, NONE, 0, false))
        .contains("Connection: close\r\n"));
  }

  @Test
  void connectionCloseOfEitherSideIsKept() {
    assertTrue(text(server("GET", "HTTP/1.1", "Connection: close\r\n")
            .responseHead(Status.OK, NONE, 0, false))
        .endsWith("Connection: close\r\n\r\n"));
    Http1Session session = server("GET", "HTTP/1.1");
    String head = text(session.responseHead(Status.OK, Headers.of("Connection", "Close"), 0, true));
    assertEquals("HTTP/1.1 200 OK\r\nConnection: Close\r\nContent-Length: 0\r\n\r\n", head);
    assertFalse(session.isReusable());
    assertThrows(IllegalStateException.class, session::nextMessage);
    Http1Session client = client();
    client.expectResponseTo(Method.GET);
    client.requestHead(
        Method.GET, "/", "a", Headers.of("Connection", "close"), Http1Session.NO_BODY);
    receive(client, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    assertFalse(client.isReusable());
  }

  private static void assertUpgraded(Http1Session session) {
    String refusal =
        assertThrows(IllegalStateException.class, session::nextMessage).getMessage();
    assertTrue(refusal.contains("sending is UPGRADED"), refusal);
  }

  @Test
  void serverHandsOverAfter101AndConnect() {
    Http1Session upgrade = server("GET", "HTTP/1.1");
    upgrade.responseHead(
        Status.SWITCHING_PROTOCOLS, Headers.of("Upgrade", "echo"), Http1Session.NO_BODY, false);
    assertUpgraded(upgrade);
    assertFalse(upgrade.isReusable());
    Http1Session tunnel = server("CONNECT", "HTTP/1.1");
    assertEquals("HTTP/1.1 200 OK\r\n\r\n", text(tunnel.responseHead(Status.OK, NONE, 0, false)));
    assertUpgraded(tunnel);
  }

  @Test
  void refusedAndSlowRequestsCanBeAnswered() {
    Http1Session session = new Http1Session(Role.SERVER, Limits.DEFAULTS);
    assertThrows(
        IllegalStateException.class, () -> session.responseHead(Status.OK, NONE, 0, false));
    assertTrue(text(session.responseHead(Status.REQUEST_TIMEOUT, NONE, 0, true))
        .startsWith("HTTP/1.1 408 Request Timeout\r\n"));
    Http1Session refused = new Http1Session(Role.SERVER, Limits.DEFAULTS);
    ProtocolException refusal =
        assertThrows(ProtocolException.class, () -> refused.next(bytes(20_000), 0));
    assertEquals(414, refusal.status().code());
    assertTrue(text(refused.responseHead(refusal.status(), NONE, 0, false))
        .endsWith("Connection: close\r\n\r\n"));
    assertThrows(IllegalStateException.class, () -> refused.next(bytes(1), 0));
  }

  @Test
  void anUnofferedUpgradeIsRefused() {
    Http1Session session = client();
    session.expectResponseTo(Method.GET);
    session.requestHead(Method.GET, "/", "a", NONE, Http1Session.NO_BODY);
    ByteBuffer in = ByteBuffer.wrap("HTTP/1.1 101 S\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    ProtocolException refusal = assertThrows(ProtocolException.class, () -> session.next(in, 0));
    assertEquals(ProtocolException.Violation.UNSOLICITED_UPGRADE, refusal.violation());
  }
}
