package heddle.client.coding;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.coding.Coded.Arriving;
import heddle.client.settings.DecodingLimits;
import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.Trailers;
import heddle.http.failure.MessageTooLargeException;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContentCodingsTest {
  private static final byte[] TEXT = "warp and weft".getBytes(UTF_8);

  private static final Request ASKED = Request.get(URI.create("http://a/"));

  private final ContentCodings codings = new ContentCodings(DecodingLimits.DEFAULTS, List.of());

  private static Response coded(byte[] content, String... fields) {
    return coded(Status.OK, new Arriving(content, new Random(1)), fields);
  }

  private static Response coded(Status status, Body content, String... fields) {
    return Response.received(
        ASKED, status, HttpVersion.HTTP_2, Headers.of(fields), content, Trailers.none());
  }

  private Response answered(Response response) throws IOException {
    return codings.intercept(Request.get("http://a/"), request -> response);
  }

  private Request sent(Request request) throws IOException {
    AtomicReference<Request> sent = new AtomicReference<>();
    codings.intercept(request, asked -> {
      sent.set(asked);
      return Response.ok("x");
    });
    return sent.get();
  }

  @Test
  void asksForGzipAndDeflateAndForNothingElse() throws Exception {
    Request request = Request.builder("http://a/b?c")
        .method(Method.POST)
        .header("X-Other", "1")
        .body(Body.of("content"))
        .build();
    Request sent = sent(request);
    assertEquals(List.of("gzip, deflate"), sent.headers().all(HeaderName.ACCEPT_ENCODING));
    assertEquals("1", sent.headers().first("X-Other"));
    assertEquals(request.headers().size() + 1, sent.headers().size());
    assertEquals("/b?c", sent.target());
    assertSame(request.body(), sent.body());
    assertSame(Method.POST, sent.method());
  }

  @Test
  void nothingIsAskedForOrDecodedWhereTheAnswerIsTheCallersAffair() throws Exception {
    List<Request> requests = List.of(
        Request.builder("http://a/").header("Accept-Encoding", "gzip").build(),
        Request.builder("http://a/").header("accept-encoding", "identity").build(),
        Request.builder("http://a/").header("Range", "bytes=0-9").build(),
        Request.head("http://a/"),
        Request.builder("http://a/").method(Method.CONNECT).build());
    for (Request request : requests) {
      assertSame(request, sent(request));
      Response response = coded(Coded.gzip(TEXT), "Content-Encoding", "gzip");
      assertSame(response, codings.intercept(request, same -> response));
    }
  }

  @Test
  void decodedResponseTellsNothingOfItsCoding() throws Exception {
    byte[] content = Coded.gzip(TEXT);
    Headers late = Headers.of("X-Sum", "1");
    Response received = Response.received(
        ASKED,
        Status.NOT_FOUND,
        HttpVersion.HTTP_2,
        Headers.of(
            "Content-Length",
            "" + content.length,
            "Vary",
            "accept-encoding",
            "content-encoding",
            "gzip",
            "ETag",
            "\"1\""),
        new Arriving(content, new Random(1)),
        Trailers.of(late));
    Response response = answered(received);
    assertEquals(Headers.of("Vary", "accept-encoding", "ETag", "\"1\""), response.headers());
    assertEquals(Body.UNKNOWN, response.body().length());
    assertArrayEquals(TEXT, response.bytes());
    assertEquals(Status.NOT_FOUND, response.status());
    assertEquals(HttpVersion.HTTP_2, response.version());
    assertSame(received.trailers(), response.trailers());
  }

  @Test
  void responseWithoutACodingStaysAsItIs() throws Exception {
    Response plain = Response.ok("plain");
    assertSame(plain, answered(plain));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"gzip", "GZip", "x-gzip", "X-GZIP", "identity, gzip", "gzip,identity,", " , gzip "
      })
  void codingsAreKnownByAllTheirNames(String value) throws Exception {
    Response response = answered(coded(Coded.gzip(TEXT), "Content-Encoding", value.strip()));
    assertArrayEquals(TEXT, response.bytes());
    assertFalse(response.headers().contains(HeaderName.CONTENT_ENCODING));
  }

  @Test
  void deflateIsTakenWithAndWithoutItsWrapper() throws Exception {
    for (byte[] content : List.of(Coded.zlib(TEXT), Coded.raw(TEXT))) {
      assertArrayEquals(
          TEXT, answered(coded(content, "Content-Encoding", "deflate")).bytes());
    }
  }

  @Test
  void identityAloneIsTakenAwayAndLeavesTheLength() throws Exception {
    Response response =
        answered(coded(TEXT, "Content-Encoding", "identity", "Content-Length", "13"));
    assertEquals(Headers.of("Content-Length", "13"), response.headers());
    assertEquals(13, response.body().length());
    assertArrayEquals(TEXT, response.bytes());
  }

  @Test
  void layersAreUndoneInTheirOrder() throws Exception {
    byte[] content = Coded.gzip(Coded.zlib(TEXT));
    assertArrayEquals(
        TEXT, answered(coded(content, "Content-Encoding", "deflate, gzip")).bytes());
    assertArrayEquals(
        TEXT,
        answered(coded(content, "Content-Encoding", "deflate", "Content-Encoding", "gzip"))
            .bytes());
    Response wrong = answered(coded(content, "Content-Encoding", "gzip, deflate"));
    assertThrows(IOException.class, wrong::bytes);
  }

  @Test
  void moreLayersThanAllowedAreRefusedAndTheConnectionIsGivenUp() throws Exception {
    Arriving content = new Arriving(TEXT, new Random(1));
    Response response = coded(Status.OK, content, "Content-Encoding", "gzip, gzip, gzip");
    MessageTooLargeException refused =
        assertThrows(MessageTooLargeException.class, () -> answered(response));
    assertTrue(refused.getMessage().contains("coded 3 times"), refused.getMessage());
    assertTrue(refused.getMessage().contains("maxLayers"), refused.getMessage());
    assertTrue(content.closed);
  }

  @Test
  void unknownCodingsAreHandedOverUntouched() throws Exception {
    for (String value : List.of("br", "zstd", "gzip, br", "br, gzip", "gzip;q=1", "gzip x")) {
      Response response = coded(Coded.gzip(TEXT), "Content-Encoding", value);
      assertSame(response, answered(response), value);
    }
  }

  @Test
  void statusesWithoutContentOrWithAPartAreHandedOverUntouched() throws Exception {
    for (int status : new int[] {101, 204, 206, 304}) {
      Response response =
          coded(Status.of(status), Body.of(Coded.gzip(TEXT)), "Content-Encoding", "gzip");
      assertSame(response, answered(response));
    }
  }

  @Test
  void partIsOneWhateverTheServerCallsIt() throws Exception {
    Status part = Status.of(206, "A Part");
    Response response = coded(part, Body.of(Coded.gzip(TEXT)), "Content-Encoding", "gzip");
    assertSame(response, answered(response));
  }

  @Test
  void noContentIsNoneWhateverTheCoding() throws Exception {
    Response response =
        answered(coded(Status.OK, Body.empty(), "Content-Encoding", "gzip", "Content-Length", "0"));
    assertEquals(Headers.of("Content-Length", "0"), response.headers());
    assertEquals(0, response.bytes().length);
  }

  @Test
  void closingTheResponseClosesWhatArrives() throws Exception {
    Arriving content = new Arriving(Coded.gzip(TEXT), new Random(1));
    answered(coded(Status.OK, content, "Content-Encoding", "gzip")).close();
    assertTrue(content.closed);
    assertEquals(0, content.given);
  }

  @Test
  void failuresOfTheCallComeThrough() {
    IOException failure = new IOException("lost");
    assertSame(
        failure,
        assertThrows(
            IOException.class,
            () -> codings.intercept(Request.get("http://a/"), request -> {
              throw failure;
            })));
  }
}
