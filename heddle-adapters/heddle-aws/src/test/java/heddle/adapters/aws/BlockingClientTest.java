package heddle.adapters.aws;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.HttpVersion;
import heddle.testkit.mock.MockFault;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.RecordedRequest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;

/** What the blocking client sends and receives. */
@Timeout(60)
class BlockingClientTest {
  private static MockResponse echo(RecordedRequest request) {
    return MockResponse.ok(request.body()).header("X-Method", request.method());
  }

  private static byte[] noise(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void responseHasStatusFieldsAndContent(Wire wire) throws Exception {
    try (MockServer server = wire.serve(request ->
            MockResponse.of(403).body("no").header("x-amz-id", "7").header("x-amz-id", "8"));
        SdkHttpClient client = wire.over(HeddleHttpClient.builder()).build()) {
      HttpExecuteResponse response =
          Blocking.call(client, wire.request(server, SdkHttpMethod.GET, "/a").build());
      assertEquals(403, response.httpResponse().statusCode());
      // Over HTTP/1.1 it is the server's phrase, and this server sends none.
      assertEquals(
          wire.isHttp2() ? "Forbidden" : "",
          response.httpResponse().statusText().orElseThrow());
      assertEquals(List.of("7", "8"), response.httpResponse().matchingHeaders("X-Amz-Id"));
      assertEquals("no", new String(Blocking.content(response), UTF_8));
      RecordedRequest request = server.takeRequest();
      assertEquals(wire.isHttp2() ? HttpVersion.HTTP_2 : HttpVersion.HTTP_1_1, request.version());
      assertNull(request.header("Accept-Encoding"));
      assertNull(request.header("User-Agent"));
    }
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void contentOfAnySizeIsSentAndReceived(Wire wire) throws Exception {
    try (MockServer server = wire.serve(BlockingClientTest::echo);
        SdkHttpClient client = wire.over(HeddleHttpClient.builder()).build()) {
      for (int length : new int[] {0, 5, 16 * 1024, 16 * 1024 + 1, 1_500_000}) {
        byte[] content = noise(length);
        SdkHttpRequest.Builder request = wire.request(server, SdkHttpMethod.PUT, "/b");
        assertArrayEquals(
            content,
            Blocking.content(Blocking.call(client, request.build(), content)),
            "with its length unknown");
        request.putHeader("Content-Length", Integer.toString(length));
        assertArrayEquals(
            content, Blocking.content(Blocking.call(client, request.build(), content)));
      }
    }
  }

  /** AWS services require a length, so content is chunked only if requested. */
  @Test
  void contentIsChunkedOnlyIfTheRequestSaysSo() throws Exception {
    try (MockServer server = Wire.HTTP_1_1.serve(BlockingClientTest::echo);
        SdkHttpClient client = HeddleHttpClient.create()) {
      SdkHttpRequest.Builder request = Wire.HTTP_1_1.request(server, SdkHttpMethod.POST, "/");
      Blocking.content(Blocking.call(client, request.build(), noise(5)));
      RecordedRequest measured = server.takeRequest();
      assertEquals("5", measured.header("Content-Length"));
      assertNull(measured.header("Transfer-Encoding"));
      request.putHeader("Transfer-Encoding", "chunked");
      Blocking.content(Blocking.call(client, request.build(), noise(5)));
      RecordedRequest chunked = server.takeRequest();
      assertNull(chunked.header("Content-Length"));
      assertEquals("chunked", chunked.header("Transfer-Encoding"));
      assertArrayEquals(noise(5), chunked.body());
    }
  }

  @Test
  void requestWithoutContentHasNoneWhateverItsFieldsSay() throws Exception {
    try (MockServer server = Wire.HTTP_1_1.serve(BlockingClientTest::echo);
        SdkHttpClient client = HeddleHttpClient.create()) {
      SdkHttpRequest request = Wire.HTTP_1_1
          .request(server, SdkHttpMethod.POST, "/")
          .putHeader("Content-Length", "4")
          .build();
      assertEquals(0, Blocking.content(Blocking.call(client, request)).length);
      assertEquals("0", server.takeRequest().header("Content-Length"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "//",
        "///",
        "/a//b",
        "/a/./b/../c",
        "/%2F%7E/%c3%A9",
        "/a+b%20c",
        "/a;v=1,@:!$&'()*=",
        "/|\"<>\\^`{}[]",
        "/a%0D%0Ab"
      })
  void pathIsSentAsItIs(String path) throws Exception {
    for (Wire wire : new Wire[] {Wire.HTTP_1_1, Wire.HTTP_2}) {
      try (MockServer server = wire.serve(BlockingClientTest::echo);
          SdkHttpClient client = wire.over(HeddleHttpClient.builder()).build()) {
        Blocking.content(
            Blocking.call(client, wire.request(server, SdkHttpMethod.GET, path).build()));
        assertEquals(path, server.takeRequest().target());
      }
    }
  }

  @Test
  void queryIsSentAsItIsSigned() throws Exception {
    try (MockServer server = Wire.HTTP_1_1.serve(BlockingClientTest::echo);
        SdkHttpClient client = HeddleHttpClient.create()) {
      SdkHttpRequest request = Wire.HTTP_1_1
          .request(server, SdkHttpMethod.GET, "/list")
          .putRawQueryParameter("prefix", "a b/\u00E9+~")
          .appendRawQueryParameter("prefix", "&=")
          .putRawQueryParameter("uploads", (String) null)
          .build();
      Blocking.content(Blocking.call(client, request));
      assertEquals(
          "/list?prefix=a%20b%2F%C3%A9%2B~&prefix=%26%3D&uploads",
          server.takeRequest().target());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a b", "/a\r\nHost: x", "/a#b", "/100%", "/%zz", "/\u00E9"})
  void pathThatCannotBeSentAsItIsIsRefused(String path) throws Exception {
    try (SdkHttpClient client = HeddleHttpClient.create()) {
      SdkHttpRequest request = Wire.HTTP_1_1.request(1, SdkHttpMethod.GET, path).build();
      IllegalArgumentException refusal = assertThrows(
          IllegalArgumentException.class, () -> Blocking.prepare(client, request, null));
      assertTrue(refusal.getMessage().contains("at index"), refusal.getMessage());
    }
  }

  @Test
  void fieldsAreSentInUtf8WithoutWhiteSpaceAtTheirEnds() throws Exception {
    try (MockServer server = Wire.HTTP_1_1.serve(BlockingClientTest::echo);
        SdkHttpClient client = HeddleHttpClient.create()) {
      SdkHttpRequest request = Wire.HTTP_1_1
          .request(server, SdkHttpMethod.GET, "/")
          .putHeader("x-amz-meta-name", " caf\u00E9 ")
          .putHeader("Host", "bucket.example.com")
          .build();
      Blocking.content(Blocking.call(client, request));
      RecordedRequest sent = server.takeRequest();
      assertEquals("bucket.example.com", sent.header("Host"));
      assertEquals(
          "caf\u00E9", new String(sent.header("x-amz-meta-name").getBytes(ISO_8859_1), UTF_8));
    }
  }

  @Test
  void fieldThatWouldSplitTheRequestIsRefused() {
    try (SdkHttpClient client = HeddleHttpClient.create()) {
      SdkHttpRequest request = Wire.HTTP_1_1
          .request(1, SdkHttpMethod.GET, "/")
          .putHeader("h", "foo\r\nbar: x")
          .build();
      assertThrows(IllegalArgumentException.class, () -> Blocking.prepare(client, request, null));
    }
  }

  @Test
  void contentIsNotDecompressed() throws Exception {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
      gzip.write(noise(100));
    }
    try (MockServer server = Wire.HTTP_1_1.serve(request ->
            MockResponse.ok(compressed.toByteArray()).header("Content-Encoding", "gzip"));
        SdkHttpClient client = HeddleHttpClient.create()) {
      HttpExecuteResponse response = Blocking.call(
          client, Wire.HTTP_1_1.request(server, SdkHttpMethod.GET, "/").build());
      assertArrayEquals(compressed.toByteArray(), Blocking.content(response));
      assertEquals(
          "gzip",
          response.httpResponse().firstMatchingHeader("Content-Encoding").orElseThrow());
    }
  }

  @ParameterizedTest
  @CsvSource({"HEAD,200", "GET,204", "GET,304"})
  void responseWithoutContentHasNoStream(SdkHttpMethod method, int status) throws Exception {
    for (Wire wire : new Wire[] {Wire.HTTP_1_1, Wire.HTTP_2}) {
      try (MockServer server = wire.serve(request -> MockResponse.of(status));
          SdkHttpClient client = wire.over(HeddleHttpClient.builder()).build()) {
        for (int i = 0; i < 2; i++) {
          HttpExecuteResponse response =
              Blocking.call(client, wire.request(server, method, "/").build());
          assertEquals(status, response.httpResponse().statusCode());
          assertTrue(response.responseBody().isEmpty());
        }
        assertEquals(1, server.connections());
      }
    }
  }

  @Test
  void redirectIsForTheSdkToFollow() throws Exception {
    try (MockServer server = Wire.HTTP_1_1.serve(
            request -> MockResponse.of(301).header("Location", "/elsewhere").body("moved"));
        SdkHttpClient client = HeddleHttpClient.create()) {
      HttpExecuteResponse response = Blocking.call(
          client, Wire.HTTP_1_1.request(server, SdkHttpMethod.GET, "/").build());
      assertEquals(301, response.httpResponse().statusCode());
      assertEquals("moved", new String(Blocking.content(response), UTF_8));
      assertEquals(1, server.requests().size());
    }
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void connectionIsUsedAgainButNotAfterAServersFailureOverHttp11(Wire wire) throws Exception {
    try (MockServer server = wire.serve(BlockingClientTest::echo);
        SdkHttpClient client = wire.over(HeddleHttpClient.builder()).build()) {
      server.enqueue(MockResponse.of(404).body("x"));
      server.enqueue(MockResponse.of(503).body("x"));
      for (int i = 0; i < 4; i++) {
        Blocking.content(
            Blocking.call(client, wire.request(server, SdkHttpMethod.GET, "/").build()));
      }
      List<Integer> connections =
          server.requests().stream().map(RecordedRequest::connection).toList();
      assertEquals(wire.isHttp2() ? List.of(1, 1, 1, 1) : List.of(1, 1, 2, 2), connections);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 100_000})
  void contentIsProducedAgainIfAConnectionIsDead(int length) throws Exception {
    AtomicInteger opened = new AtomicInteger();
    AtomicInteger closed = new AtomicInteger();
    byte[] content = noise(length);
    try (MockServer server = Wire.HTTP_1_1.serve(BlockingClientTest::echo);
        SdkHttpClient client = HeddleHttpClient.create()) {
      server.enqueue(MockResponse.ok("first"));
      server.enqueue(MockResponse.fault(MockFault.cutInHead(0)));
      SdkHttpRequest request = Wire.HTTP_1_1
          .request(server, SdkHttpMethod.PUT, "/")
          .putHeader("Content-Length", Integer.toString(length))
          .build();
      Blocking.content(Blocking.call(client, request, content));
      byte[] echoed = Blocking.content(Blocking.prepare(client, request, () -> {
            opened.incrementAndGet();
            return new ByteArrayInputStream(content) {
              @Override
              public void close() {
                closed.incrementAndGet();
              }
            };
          })
          .call());
      assertArrayEquals(content, echoed);
      assertEquals(3, server.requests().size());
      assertEquals(opened.get(), closed.get());
      assertTrue(opened.get() >= 1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 100_000})
  void contentLongerThanAnnouncedIsCutAndShorterIsAFailure(int announced) throws Exception {
    try (MockServer server = Wire.HTTP_1_1.serve(BlockingClientTest::echo);
        SdkHttpClient client = HeddleHttpClient.create()) {
      SdkHttpRequest request = Wire.HTTP_1_1
          .request(server, SdkHttpMethod.PUT, "/")
          .putHeader("Content-Length", Integer.toString(announced))
          .build();
      byte[] echoed = Blocking.content(Blocking.call(client, request, noise(announced + 7)));
      assertEquals(announced, echoed.length);
      IOException failure = assertThrows(
          IOException.class, () -> Blocking.call(client, request, noise(announced - 1)));
      assertTrue(failure.getMessage().contains(Integer.toString(announced)), failure.getMessage());
    }
  }

  /** A server that does not know of expectations gets the content all the same. */
  @Test
  void expectationGoesOut() throws Exception {
    try (MockServer server = Wire.HTTP_1_1.serve(BlockingClientTest::echo);
        SdkHttpClient client = HeddleHttpClient.create()) {
      SdkHttpRequest request = Wire.HTTP_1_1
          .request(server, SdkHttpMethod.PUT, "/")
          .putHeader("Expect", "100-continue")
          .build();
      assertEquals(5, Blocking.content(Blocking.call(client, request, noise(5))).length);
      assertEquals("100-continue", server.takeRequest().header("Expect"));
    }
  }
}
