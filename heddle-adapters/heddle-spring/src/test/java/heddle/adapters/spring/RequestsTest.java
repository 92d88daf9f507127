package heddle.adapters.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.RecordedRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.StreamingHttpOutputMessage;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpResponse;

/** What Spring's own request factory and Heddle's have in common. */
@Timeout(60)
final class RequestsTest {
  private static final byte[] LOOMS = "looms".getBytes(UTF_8);

  @AutoClose
  private MockServer server;

  @BeforeEach
  void start() throws IOException {
    server = MockServer.start();
    server.handler(request -> {
      MockResponse response = MockResponse.ok(request.body());
      for (String field : request.fields()) {
        if (field.startsWith("X-")) {
          int colon = field.indexOf(':');
          response = response.header(
              field.substring(0, colon), field.substring(colon + 1).strip());
        }
      }
      return response;
    });
  }

  private ClientHttpRequest request(
      ClientHttpRequestFactory factory, HttpMethod method, String path) throws IOException {
    return factory.createRequest(URI.create(server.url(path)), method);
  }

  private static void setBody(ClientHttpRequest request, StreamingHttpOutputMessage.Body body) {
    ((StreamingHttpOutputMessage) request).setBody(body);
  }

  /** Content of this number of bytes, in pieces. */
  private static void write(OutputStream out, int bytes) throws IOException {
    byte[] piece = new byte[10_000];
    for (int written = 0; written < bytes; written += piece.length) {
      out.write(piece, 0, Math.min(piece.length, bytes - written));
    }
  }

  @ParameterizedTest
  @EnumSource
  void statusAndPhraseAreReported(Factories factories) throws Exception {
    server.enqueue(MockResponse.of(404));
    factories.use(factory -> {
      ClientHttpRequest request = request(factory, HttpMethod.GET, "/nothing");
      assertSame(HttpMethod.GET, request.getMethod());
      assertEquals(URI.create(server.url("/nothing")), request.getURI());
      try (ClientHttpResponse response = request.execute()) {
        assertEquals(HttpStatus.NOT_FOUND, response.getStatusCode());
        assertEquals("Not Found", response.getStatusText());
      }
    });
  }

  @ParameterizedTest
  @EnumSource
  void fieldsWithSeveralValuesGoAndCome(Factories factories) throws Exception {
    factories.use(factory -> {
      ClientHttpRequest request = request(factory, HttpMethod.PUT, "/echo");
      request.getHeaders().add("X-Thread", "warp");
      request.getHeaders().add("X-Thread", "weft");
      request.getHeaders().setContentLength(LOOMS.length);
      setBody(request, out -> out.write(LOOMS));
      try (ClientHttpResponse response = request.execute()) {
        assertEquals(List.of("warp", "weft"), response.getHeaders().get("x-thread"));
        assertArrayEquals(LOOMS, response.getBody().readAllBytes());
      }
      RecordedRequest sent = server.takeRequest();
      assertEquals("5", sent.header("Content-Length"));
    });
  }

  @ParameterizedTest
  @EnumSource
  void contentThatIsWrittenBeforeIsSent(Factories factories) throws Exception {
    factories.use(factory -> {
      ClientHttpRequest request = request(factory, HttpMethod.POST, "/echo");
      request.getBody().write(LOOMS);
      request.getBody().write(LOOMS);
      try (ClientHttpResponse response = request.execute()) {
        assertEquals("loomslooms", new String(response.getBody().readAllBytes(), UTF_8));
      }
    });
  }

  @ParameterizedTest
  @EnumSource
  void onlyOneWayToGiveContentIsTaken(Factories factories) throws Exception {
    factories.use(factory -> {
      ClientHttpRequest written = request(factory, HttpMethod.POST, "/");
      written.getBody().write(LOOMS);
      assertThrows(IllegalStateException.class, () -> setBody(written, out -> {}));
      ClientHttpRequest streamed = request(factory, HttpMethod.POST, "/");
      setBody(streamed, out -> {});
      assertThrows(IllegalStateException.class, streamed::getBody);
    });
  }

  @ParameterizedTest
  @EnumSource
  void requestIsExecutedOnceAndDoesNotChangeAfterwards(Factories factories) throws Exception {
    factories.use(factory -> {
      ClientHttpRequest request = request(factory, HttpMethod.POST, "/echo");
      setBody(request, out -> {
        out.write(LOOMS);
        out.flush();
        out.close();
      });
      request.execute().close();
      assertThrows(IllegalStateException.class, request::execute);
      assertThrows(IllegalStateException.class, request::getBody);
      assertThrows(
          UnsupportedOperationException.class, () -> request.getHeaders().add("X-Late", "1"));
    });
  }

  @ParameterizedTest
  @EnumSource
  void anyMethodIsSent(Factories factories) throws Exception {
    factories.use(factory -> {
      for (HttpMethod method : HttpMethod.values()) {
        if (method != HttpMethod.TRACE) {
          request(factory, method, "/any").execute().close();
          assertEquals(method.name(), server.takeRequest().method());
        }
      }
      request(factory, HttpMethod.valueOf("PROPFIND"), "/any").execute().close();
      assertEquals("PROPFIND", server.takeRequest().method());
    });
  }

  @ParameterizedTest
  @EnumSource
  void requestWithoutContentAnnouncesNone(Factories factories) throws Exception {
    factories.use(factory -> {
      request(factory, HttpMethod.GET, "/").execute().close();
      RecordedRequest get = server.takeRequest();
      assertNull(get.header("Content-Length"));
      assertNull(get.header("Transfer-Encoding"));
    });
  }

  @ParameterizedTest
  @EnumSource
  void queryAndEscapesStayAsTheyAre(Factories factories) throws Exception {
    factories.use(factory -> {
      request(factory, HttpMethod.GET, "/a%2Fb%20c?x=1&x=%26").execute().close();
      assertEquals("/a%2Fb%20c?x=1&x=%26", server.takeRequest().target());
    });
  }

  @ParameterizedTest
  @EnumSource
  void largeContentOfUnknownLengthIsSentWhileItIsWritten(Factories factories) throws Exception {
    factories.use(factory -> {
      ClientHttpRequest request = request(factory, HttpMethod.POST, "/echo");
      setBody(request, out -> write(out, 3_000_000));
      try (ClientHttpResponse response = request.execute()) {
        assertEquals(3_000_000, response.getBody().readAllBytes().length);
      }
      RecordedRequest sent = server.takeRequest();
      assertNull(sent.header("Content-Length"));
      assertEquals("chunked", sent.header("Transfer-Encoding"));
    });
  }

  @ParameterizedTest
  @EnumSource
  void largeContentOfKnownLengthIsSentWithIt(Factories factories) throws Exception {
    factories.use(factory -> {
      ClientHttpRequest request = request(factory, HttpMethod.POST, "/echo");
      request.getHeaders().setContentLength(300_000);
      setBody(request, out -> write(out, 300_000));
      try (ClientHttpResponse response = request.execute()) {
        assertEquals(300_000, response.getBody().readAllBytes().length);
      }
      assertEquals("300000", server.takeRequest().header("Content-Length"));
    });
  }

  @ParameterizedTest
  @EnumSource
  void contentOfAnotherLengthThanIsAnnouncedFails(Factories factories) throws Exception {
    factories.use(factory -> {
      ClientHttpRequest small = request(factory, HttpMethod.POST, "/echo");
      small.getHeaders().setContentLength(7);
      setBody(small, out -> out.write(LOOMS));
      assertThrows(IOException.class, small::execute);
      ClientHttpRequest large = request(factory, HttpMethod.POST, "/echo");
      large.getHeaders().setContentLength(300_000);
      setBody(large, out -> write(out, 200_000));
      assertThrows(IOException.class, large::execute);
    });
  }

  @ParameterizedTest
  @EnumSource
  void responsesThatNeverHaveContentHaveAnEmptyStream(Factories factories) throws Exception {
    server.enqueue(MockResponse.of(204));
    server.enqueue(MockResponse.ok("unseen"));
    factories.use(factory -> {
      try (ClientHttpResponse response = request(factory, HttpMethod.GET, "/").execute()) {
        assertEquals(-1, response.getBody().read());
      }
      try (ClientHttpResponse response = request(factory, HttpMethod.HEAD, "/").execute()) {
        assertEquals(-1, response.getBody().read());
        assertEquals(6, response.getHeaders().getContentLength());
      }
    });
  }

  @ParameterizedTest
  @EnumSource
  void redirectIsTheResponse(Factories factories) throws Exception {
    server.enqueue(MockResponse.of(302).header("Location", "/other"));
    factories.use(factory -> {
      if (factory instanceof HeddleClientHttpRequestFactory heddle) {
        heddle.setFollowRedirects(false);
      }
      try (ClientHttpResponse response = request(factory, HttpMethod.GET, "/").execute()) {
        assertTrue(response.getStatusCode().is3xxRedirection());
        assertEquals(URI.create("/other"), response.getHeaders().getLocation());
      }
    });
  }

  @Test
  void redirectsAreFollowedByDefault() throws Exception {
    server.enqueue("/moved", MockResponse.of(302).header("Location", "/looms"));
    Factories.HEDDLE.use(factory -> {
      try (ClientHttpResponse response =
          request(factory, HttpMethod.GET, "/moved").execute()) {
        assertEquals(HttpStatus.OK, response.getStatusCode());
      }
    });
    assertEquals(
        List.of("/moved", "/looms"),
        server.requests().stream().map(RecordedRequest::target).toList());
  }

  @ParameterizedTest
  @EnumSource
  void productIsNamedUnlessTheRequestNamesOne(Factories factories) throws Exception {
    factories.use(factory -> {
      request(factory, HttpMethod.GET, "/").execute().close();
      String product = factories == Factories.JDK ? "Java-http-client/" : "heddle/";
      String sent = server.takeRequest().header("User-Agent");
      assertTrue(String.valueOf(sent).matches(product + "\\d.*"), sent);
      ClientHttpRequest named = request(factory, HttpMethod.GET, "/");
      named.getHeaders().set("User-Agent", "looms/7");
      named.execute().close();
      assertEquals("looms/7", server.takeRequest().header("User-Agent"));
    });
  }

  @ParameterizedTest
  @EnumSource
  void headOfCodedContentHasTheFieldsOfDecodedContent(Factories factories) throws Exception {
    server.handler(request -> MockResponse.ok(new byte[40])
        .header("Content-Encoding", request.target().substring(1)));
    factories.use(factory -> {
      for (String coding : List.of("gzip", "deflate", "br")) {
        String told = coding.equals("br") ? coding : null;
        try (ClientHttpResponse response =
            request(factory, HttpMethod.HEAD, "/" + coding).execute()) {
          assertEquals(told, response.getHeaders().getFirst("Content-Encoding"));
          assertEquals(told == null ? -1 : 40, response.getHeaders().getContentLength());
          assertEquals(-1, response.getBody().read());
        }
      }
    });
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(UTF_8));
    }
    return bytes.toByteArray();
  }

  @ParameterizedTest
  @EnumSource
  void codingsAreRequestedAndDecoded(Factories factories) throws Exception {
    server.enqueue(MockResponse.ok(gzip("warp")).header("Content-Encoding", "gzip"));
    factories.use(factory -> {
      try (ClientHttpResponse response = request(factory, HttpMethod.GET, "/").execute()) {
        assertEquals("warp", new String(response.getBody().readAllBytes(), UTF_8));
        assertNull(response.getHeaders().getFirst("Content-Encoding"));
        assertEquals(-1, response.getHeaders().getContentLength());
      }
      assertTrue(server.takeRequest().fields().toString().contains("gzip"));
    });
  }

  @Test
  void codingsAreNotDecodedIfDisabled() throws Exception {
    server.enqueue(MockResponse.ok(gzip("warp")).header("Content-Encoding", "gzip"));
    HeddleClientHttpRequestFactory factory = new HeddleClientHttpRequestFactory();
    factory.enableCompression(false);
    try (ClientHttpResponse response = request(factory, HttpMethod.GET, "/").execute()) {
      assertArrayEquals(gzip("warp"), response.getBody().readAllBytes());
    }
    factory.destroy();
    assertNull(server.takeRequest().header("Accept-Encoding"));
  }
}
