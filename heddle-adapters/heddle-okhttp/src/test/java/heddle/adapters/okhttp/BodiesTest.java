package heddle.adapters.okhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.testkit.Http2Peer;
import heddle.testkit.ScriptedPeer;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import mockwebserver3.SocketEffect;
import okhttp3.Headers;
import okhttp3.HttpUrl;
import okhttp3.MultipartBody;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okio.BufferedSource;
import okio.ByteString;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Content that is sent, in all its kinds. */
@Timeout(60)
class BodiesTest {
  private static final int MEGABYTE = 1 << 20;

  @AutoClose
  private final MockWebServer server = PromptServer.create();

  @BeforeEach
  void startServer() throws IOException {
    server.start();
  }

  private static WrittenBody zeros(long length, int megabytes) {
    return new WrittenBody(length, sink -> {
      byte[] megabyte = new byte[MEGABYTE];
      for (int i = 0; i < megabytes; i++) {
        sink.write(megabyte);
      }
    });
  }

  private Response post(Stack.Running running, RequestBody body) throws IOException {
    return running
        .client()
        .newCall(new Request.Builder().url(server.url("/")).post(body).build())
        .execute();
  }

  @ParameterizedTest
  @EnumSource
  void largeContentOfKnownLengthIsSent(Stack stack) throws Exception {
    server.enqueue(new MockResponse.Builder().build());
    try (Stack.Running running = stack.start()) {
      post(running, zeros(3L * MEGABYTE, 3)).close();
    }
    RecordedRequest got = server.takeRequest();
    assertEquals(3L * MEGABYTE, got.getBodySize());
    assertEquals("3145728", got.getHeaders().get("Content-Length"));
  }

  @ParameterizedTest
  @EnumSource
  void contentOfUnknownLengthIsSentInChunks(Stack stack) throws Exception {
    server.enqueue(new MockResponse.Builder().build());
    server.enqueue(new MockResponse.Builder().build());
    try (Stack.Running running = stack.start()) {
      post(running, zeros(-1, 2)).close();
      post(running, zeros(-1, 0)).close();
    }
    RecordedRequest got = server.takeRequest();
    assertEquals(2L * MEGABYTE, got.getBodySize());
    assertEquals("chunked", got.getHeaders().get("Transfer-Encoding"));
    assertNull(got.getHeaders().get("Content-Length"));
    assertEquals(0, server.takeRequest().getBodySize());
  }

  @ParameterizedTest
  @EnumSource
  void emptyContentHasALength(Stack stack) throws Exception {
    server.enqueue(new MockResponse.Builder().build());
    try (Stack.Running running = stack.start()) {
      post(running, RequestBody.EMPTY).close();
    }
    assertEquals("0", server.takeRequest().getHeaders().get("Content-Length"));
  }

  @ParameterizedTest
  @EnumSource
  void partsAreSent(Stack stack) throws Exception {
    server.enqueue(new MockResponse.Builder().build());
    MultipartBody parts = new MultipartBody.Builder("edge")
        .setType(MultipartBody.FORM)
        .addFormDataPart("a", "b")
        .build();
    try (Stack.Running running = stack.start()) {
      post(running, parts).close();
    }
    RecordedRequest got = server.takeRequest();
    assertEquals("multipart/form-data; boundary=edge", got.getHeaders().get("Content-Type"));
    ByteString body = got.getBody();
    assertNotNull(body);
    assertEquals(
        "--edge\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n--edge--\r\n",
        body.utf8());
  }

  @ParameterizedTest
  @EnumSource
  void aRemainderThatIsSmallIsReadOnSoThatItsConnectionServesAgain(Stack stack) throws Exception {
    server.enqueue(new MockResponse.Builder().body("x".repeat(MEGABYTE)).build());
    server.enqueue(new MockResponse.Builder().build());
    try (Stack.Running running = stack.start()) {
      try (Response response = running.get(server.url("/"))) {
        assertEquals('x', response.body().source().readByte());
      }
      running.get(server.url("/")).close();
    }
    assertEquals(0, server.takeRequest().getExchangeIndex());
    assertEquals(1, server.takeRequest().getExchangeIndex());
  }

  @ParameterizedTest
  @EnumSource
  void bodiesThatAreNotReadLeaveTheirConnections(Stack stack) throws Exception {
    for (int i = 0; i < 3; i++) {
      server.enqueue(new MockResponse.Builder().body("unread").build());
    }
    try (Stack.Running running = stack.start()) {
      for (int i = 0; i < 3; i++) {
        running.get(server.url("/")).close();
        assertEquals(i, server.takeRequest().getExchangeIndex());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aBodyThatHasBrokenOffDoesNotEndWhenItIsReadOn(Stack stack) throws Exception {
    server.enqueue(new MockResponse.Builder()
        .body("a".repeat(100_000))
        .onResponseBody(new SocketEffect.CloseSocket(true, false, false))
        .build());
    try (Stack.Running running = stack.start();
        Response response = running.get(server.url("/"))) {
      BufferedSource source = response.body().source();
      for (int i = 0; i < 2; i++) {
        assertThrows(IOException.class, source::readByteString);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aReaderMayWaitForLessThanItsClient(Stack stack) throws Exception {
    server.enqueue(new MockResponse.Builder()
        .body("late")
        .onResponseBody(SocketEffect.Stall.INSTANCE)
        .build());
    try (Stack.Running running = stack.start()) {
      Response response = running.get(server.url("/"));
      BufferedSource source = response.body().source();
      source.timeout().timeout(50, TimeUnit.MILLISECONDS);
      assertThrows(SocketTimeoutException.class, source::readByteString);
      response.close();
    }
  }

  @ParameterizedTest
  @EnumSource
  void nobodyKnowsTheTrailersOfABodyThatWasClosedEarly(Stack stack) throws Exception {
    server.enqueue(new MockResponse.Builder()
        .chunkedBody("four", 4)
        .trailers(Headers.of("X-Sum", "4"))
        .onResponseBody(SocketEffect.Stall.INSTANCE)
        .build());
    try (Stack.Running running = stack.start()) {
      Response response = running.get(server.url("/"));
      response.close();
      assertThrows(IOException.class, response::trailers);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void trailersMayComeLongAfterContentOfKnownLength(Stack stack) throws Exception {
    CountDownLatch read = new CountDownLatch(1);
    ScriptedPeer.Script script = Http2Peer.server(h2 -> {
      h2.handshake();
      int stream = h2.expectHeaders().streamId();
      h2.sendHeaders(stream, false, ":status: 200", "content-length: 5", "x-name: a");
      h2.sendData(stream, false, "Hello");
      read.await();
      h2.sendHeaders(stream, true, "t1: v1");
      h2.connection().drain();
    });
    OkHttpClient.Builder client =
        new OkHttpClient.Builder().protocols(List.of(Protocol.H2_PRIOR_KNOWLEDGE));
    try (ScriptedPeer peer = ScriptedPeer.each(TcpNetwork.shared(), script);
        Stack.Running running = stack.over(client);
        Response response = running.get(HttpUrl.get(peer.url("/")))) {
      assertEquals("Hello", response.body().source().readUtf8(5));
      assertNull(response.peekTrailers());
      read.countDown();
      assertEquals(Headers.of("t1", "v1"), response.trailers());
      // Over HTTP/2 names are sent in small letters, well-known ones too.
      assertEquals(List.of("content-length", "x-name"), names(response.headers()));
    }
  }

  private static List<String> names(Headers headers) {
    return IntStream.range(0, headers.size()).mapToObj(headers::name).toList();
  }
}
