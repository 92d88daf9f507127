package heddle.codec.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.Event;
import heddle.codec.ProtocolException;
import heddle.codec.ProtocolException.Violation;
import heddle.codec.Role;
import heddle.http.Limits;
import heddle.http.Method;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Promise 14: parsing is strict where leniency is a hole")
class Http1ReceivingTest {
  private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

  /** CVE-2026-42584: an interim response must not use up the method that the next one answers. */
  @Test
  void interimResponsesLeaveEachResponseItsMethod() {
    Conversation.client(Method.HEAD, Method.GET, Method.HEAD)
        .receives("HTTP/1.1 103 E\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")
        .yields(
            "interim 103", "response 200 HTTP/1.1", "Content-Length: 9", "without content", "end")
        .receives("HTTP/1.1 100 C\r\n\r\nHTTP/1.1 103 E\r\n\r\n")
        .receives("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")
        .yields(
            "interim 100",
            "interim 103",
            "response 200 HTTP/1.1",
            "Content-Length: 1",
            "with content",
            "content x",
            "end")
        .receives("HTTP/1.1 103 E\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        .yields(
            "interim 103",
            "response 200 HTTP/1.1",
            "Transfer-Encoding: chunked",
            "without content",
            "end");
  }

  @Test
  void interimResponseThatSpeaksOfContentEndsTheConnectionAfterTheMessage() {
    Conversation.client(Method.GET, Method.GET)
        .receives("HTTP/1.1 103 E\r\nContent-Length: 4\r\n\r\n")
        .receives("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")
        .yields(
            "interim 103",
            "Content-Length: 4",
            "response 200 HTTP/1.1",
            "Content-Length: 1",
            "with content",
            "content x",
            "end",
            "closes");
  }

  @Test
  void startLineBeyondTheHeadsBoundIsBlamedNotTheHead() {
    Limits small = Limits.builder().maxHeadBytes(100).build();
    String line = "GET /" + "a".repeat(200) + " HTTP/1.1\r\n";
    Conversation.server(small).receives(line).refuses(Violation.START_LINE_TOO_LONG);
    Conversation.server(small)
        .receives(line.substring(0, 150))
        .refuses(Violation.START_LINE_TOO_LONG);
    Conversation.server(small)
        .receives("GET / HTTP/1.1\r\nHost: a\r\nX: " + "a".repeat(100))
        .refuses(Violation.HEAD_TOO_LARGE);
  }

  @Test
  void pipelinedRequestWaitsForTheAnswerToTheFirst() throws ProtocolException {
    Http1Session session = new Http1Session(Role.SERVER, Limits.DEFAULTS);
    ByteBuffer in = ByteBuffer.wrap((GET + GET).getBytes(StandardCharsets.US_ASCII));
    assertNotNull(session.next(in, 0));
    assertNotNull(session.next(in, 0));
    assertNull(session.next(in, 0));
    assertEquals(GET.length(), in.remaining());
    assertFalse(session.isReusable());
    assertThrows(IllegalStateException.class, session::nextMessage);
    session.responseHead(heddle.http.Status.OK, heddle.http.Headers.empty(), 0, false);
    session.nextMessage();
    assertNotNull(session.next(in, 0));
    assertEquals(0, in.remaining());
  }

  /** Those behind it may only be received elsewhere if this session has nothing to go on with. */
  @ParameterizedTest
  @CsvSource({
    "'', '', true",
    "'Connection: close\r\n', '', false",
    "'Content-Length: 1\r\n', 'x', true",
    "'Transfer-Encoding: chunked\r\n', '1\r\nx\r\n0\r\n\r\n', false"
  })
  void aRequestAllowsFollowersUnlessItEndsTheConnectionOrItsChunksAreCounted(
      String field, String content, boolean allowed) throws ProtocolException {
    Http1Session session = new Http1Session(Role.SERVER, Limits.DEFAULTS);
    String request = "POST / HTTP/1.1\r\nHost: t\r\n" + field.translateEscapes() + "\r\n"
        + content.translateEscapes();
    ByteBuffer in = ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII));
    assertNotNull(session.next(in, 0));
    assertFalse(session.allowsFollowers(), "it is not complete");
    while (session.next(in, 0) != null) {
      // To the end of the message.
    }
    assertEquals(allowed, session.allowsFollowers());
  }

  @Test
  void receivingIsToldFromWaiting() throws ProtocolException {
    Http1Session session = new Http1Session(Role.SERVER, Limits.DEFAULTS);
    assertFalse(session.isReceiving());
    assertNull(session.next(ByteBuffer.wrap(new byte[] {'\r'}), 0));
    assertNull(session.next(ByteBuffer.wrap(new byte[] {'\n'}), 0));
    assertFalse(session.isReceiving(), "an empty line is no request yet");
    assertNull(session.endOfInput());
    assertNull(session.next(ByteBuffer.wrap(new byte[] {'G'}), 0));
    assertTrue(session.isReceiving());
    assertThrows(ProtocolException.class, session::endOfInput);
  }

  @Test
  void endOfInputBetweenMessagesIsNoError() throws ProtocolException {
    assertNull(new Http1Session(Role.SERVER, Limits.DEFAULTS).endOfInput());
    Http1Session client = new Http1Session(Role.CLIENT, Limits.DEFAULTS);
    assertNull(client.endOfInput());
    client.expectResponseTo(Method.GET);
    assertThrows(ProtocolException.class, client::endOfInput);
  }

  /** RFC 9112 §6.3 (1): no field says where such a response ends; who says two is not trusted. */
  @ParameterizedTest
  @CsvSource({"HEAD, 200", "GET, 304"})
  void responseWithoutContentMayGiveTwoLengthsAndIsTheLastThen(String method, int status)
      throws ProtocolException {
    for (String more : new String[] {"", "Content-Length: 3\r\n"}) {
      Http1Session session = new Http1Session(Role.CLIENT, Limits.DEFAULTS);
      session.expectResponseTo(Method.of(method));
      session.requestHead(
          Method.of(method), "/", "a", heddle.http.Headers.empty(), Http1Session.NO_BODY);
      String head = "HTTP/1.1 " + status + " So\r\nTransfer-Encoding: chunked\r\n" + more + "\r\n";
      ByteBuffer in = ByteBuffer.wrap(head.getBytes(StandardCharsets.US_ASCII));
      assertInstanceOf(Event.ResponseHead.class, session.next(in, 0));
      assertInstanceOf(Event.End.class, session.next(in, 0));
      assertEquals(more.isEmpty(), session.isReusable());
    }
  }

  @Test
  void truncationTellsHowManyOfHowManyBytes() {
    Conversation cut = Conversation.client(Method.GET)
        .receives("HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\nhello")
        .closed()
        .refuses(Violation.CLOSED_IN_CONTENT);
    ProtocolException refusal = assertNotNullRefusal(cut);
    assertTrue(refusal.getMessage().contains("after 5 of 12 bytes"), refusal.getMessage());
  }

  @Test
  void knowsHowMuchContentFollowsBeforeFramingDoes() throws ProtocolException {
    Http1Session client = new Http1Session(Role.CLIENT, Limits.DEFAULTS);
    assertEquals(0, client.contentAhead());
    client.expectResponseTo(Method.GET);
    assertEquals(0, client.contentAhead());
    readAll(client, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello");
    assertEquals(4, client.contentAhead());
    readAll(client, "1234");
    assertEquals(0, client.contentAhead(), "a head follows");

    Http1Session chunked = new Http1Session(Role.CLIENT, Limits.DEFAULTS);
    chunked.expectResponseTo(Method.GET);
    readAll(chunked, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhello");
    assertEquals(0, chunked.contentAhead(), "the next chunk's size may be in the same read");

    Http1Session closing = new Http1Session(Role.CLIENT, Limits.DEFAULTS);
    closing.expectResponseTo(Method.GET);
    readAll(closing, "HTTP/1.1 200 OK\r\n\r\nhello");
    assertEquals(Long.MAX_VALUE, closing.contentAhead());
  }

  private static void readAll(Http1Session session, String text) throws ProtocolException {
    ByteBuffer in = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    Event event = session.next(in, 0);
    while (event != null) {
      event = session.next(in, 0);
    }
    assertEquals(0, in.remaining());
  }

  private static ProtocolException assertNotNullRefusal(Conversation conversation) {
    ProtocolException refusal = conversation.refusal();
    assertNotNull(refusal);
    return refusal;
  }

  private static int status(Violation violation) {
    return violation.because("seen this").status().code();
  }

  @Test
  void refusalsSayAtWhichByteAndWhatAServerAnswers() {
    ProtocolException refusal = assertNotNullRefusal(
        Conversation.server().receives("GET / HTTP/1.1\r\nHost: a\r\nX : 1\r\n\r\n"));
    assertTrue(refusal.getMessage().contains("at byte 25 of the head"), refusal.getMessage());
    assertEquals(400, refusal.status().code());
    assertEquals(431, status(Violation.TOO_MANY_FIELDS));
    assertEquals(414, status(Violation.START_LINE_TOO_LONG));
    assertEquals(501, status(Violation.UNSUPPORTED_TRANSFER_CODING));
    assertEquals(505, status(Violation.UNSUPPORTED_VERSION));
  }

  @Test
  void limitsHoldToTheByte() {
    Limits limits = new Limits(64, 2, 16, 8, 0);
    String line = "GET /aa HTTP/1.1\r\n";
    Conversation.server(limits)
        .receives(line + "Host: a\r\nX: " + "b".repeat(30) + "\r\n\r\n")
        .yields(
            "request GET /aa HTTP/1.1",
            "Host: a",
            "X: " + "b".repeat(30),
            "without content",
            "end");
    Conversation.server(limits)
        .receives(line + "Host: a\r\nX: " + "b".repeat(31) + "\r\n\r\n")
        .refuses(Violation.HEAD_TOO_LARGE);
    Conversation.server(limits)
        .receives("GET /aaa HTTP/1.1\r\n")
        .refuses(Violation.START_LINE_TOO_LONG);
    Conversation.server(limits)
        .receives(line + "Host: a\r\nX: 1\r\nY: 1\r\n\r\n")
        .refuses(Violation.TOO_MANY_FIELDS);
    Conversation.client(limits, null, Method.GET)
        .receives("HTTP/1.1 100 \r\n\r\n")
        .refuses(Violation.TOO_MANY_INTERIM_RESPONSES);
    assertThrows(
        IllegalArgumentException.class, () -> limits.toBuilder().maxFields(0).build());
  }

  @Test
  void extensionsAndTrailersShareOneBound() {
    String head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    Limits limits = Limits.builder().maxChunkOverheadBytes(12).build();
    Conversation.client(limits, null, Method.GET)
        .receives(head + "1;abcde\r\nx\r\n0\r\nX: 1\r\n\r\n")
        .yields(
            "response 200 HTTP/1.1",
            "Transfer-Encoding: chunked",
            "with content",
            "content x",
            "trailer X: 1",
            "end");
    Conversation.client(limits, null, Method.GET)
        .receives(head + "1;abcdef\r\nx\r\n0\r\nX: 1\r\n\r\n")
        .refuses(Violation.CHUNK_OVERHEAD_TOO_LARGE);
  }

  @Test
  void sessionsThatShareScratchDoNotMixTheirHeads() {
    HeadParser scratch = new HeadParser();
    Conversation one = Conversation.server(scratch).receives("GET /1 HTTP/1.1\r\nX: 1\r\nHo");
    Conversation two = Conversation.server(scratch).receives("GET /2 HTTP/1.1\r\nHost: b");
    two.receives("\r\n\r\n").yields("request GET /2 HTTP/1.1", "Host: b", "without content", "end");
    one.receives("st: a\r\n\r\n")
        .yields("request GET /1 HTTP/1.1", "X: 1", "Host: a", "without content", "end");
  }

  @Test
  void idleSessionsAreSmallAndHeadsCostFewAllocations() throws ProtocolException {
    Http1Session[] idle = new Http1Session[2_000];
    HeadParser scratch = new HeadParser();
    long before = allocated();
    for (int i = 0; i < idle.length; i++) {
      idle[i] = new Http1Session(Role.CLIENT, Limits.DEFAULTS, scratch);
    }
    long each = (allocated() - before) / idle.length;
    assertTrue(each < 200, "an idle session takes " + each + " bytes");

    String head = String.join(
        "\r\n",
        "HTTP/1.1 200 OK",
        "Server: nginx",
        "Date: Sat, 01 Jan 2000 00:00:00 GMT",
        "Content-Type: text/plain",
        "Content-Length: 0",
        "",
        "");
    ByteBuffer in = ByteBuffer.wrap(head.getBytes(StandardCharsets.US_ASCII));
    idle[0].expectResponseTo(Method.GET);
    idle[0].next(in, 0);
    in.rewind();
    before = allocated();
    for (int i = 1; i < idle.length; i++) {
      idle[i].expectResponseTo(Method.GET);
      idle[i].next(in, 0);
      in.rewind();
    }
    each = (allocated() - before) / (idle.length - 1);
    assertTrue(each < 300, "a response's head of 4 fields takes " + each + " bytes");
  }

  private static long allocated() {
    return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getCurrentThreadAllocatedBytes();
  }
}
