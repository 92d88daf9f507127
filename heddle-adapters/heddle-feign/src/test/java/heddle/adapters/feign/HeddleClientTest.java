package heddle.adapters.feign;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import feign.Request.HttpMethod;
import feign.Request.ProtocolVersion;
import feign.Response;
import feign.Util;
import heddle.http.HttpVersion;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.RecordedRequest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.InflaterInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is sent of a request, and what is returned of a response. */
@Timeout(60)
final class HeddleClientTest {
  private MockServer server;
  private final HeddleClient client = HeddleClient.create();

  @BeforeEach
  void start() throws IOException {
    server = MockServer.start();
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private static String text(Response response) throws IOException {
    return Util.toString(response.body().asReader(UTF_8));
  }

  @ParameterizedTest
  @EnumSource(names = {"GET", "DELETE", "POST", "PUT", "PATCH", "OPTIONS"})
  void contentIsSentWithAnyMethodAndItsLength(HttpMethod method) throws Exception {
    server.enqueue(MockResponse.ok("done"));
    try (Response response = client.execute(
        Calls.request(method, server.url("/a?b=c"), "looms".getBytes(UTF_8)), Calls.USUAL)) {
      assertEquals("done", text(response));
    }
    RecordedRequest sent = server.takeRequest();
    assertEquals(method.name(), sent.method());
    assertEquals("/a?b=c", sent.target());
    assertEquals("looms", sent.text());
    assertEquals("5", sent.header("Content-Length"));
  }

  @ParameterizedTest
  @EnumSource(names = {"POST", "PUT", "PATCH"})
  void requestWithoutContentHasALengthOf0IfContentIsExpected(HttpMethod method) throws Exception {
    server.enqueue(MockResponse.of(204));
    client.execute(Calls.request(method, server.url("/"), null), Calls.USUAL).close();
    assertEquals("0", server.takeRequest().header("Content-Length"));
  }

  @Test
  void lengthIsThatOfTheContentWhateverTheFieldsSay() throws Exception {
    server.enqueue(MockResponse.of(204));
    byte[] content = "looms".getBytes(UTF_8);
    client
        .execute(
            Calls.request(HttpMethod.PUT, server.url("/"), content, "Content-Length: 3"),
            Calls.USUAL)
        .close();
    RecordedRequest sent = server.takeRequest();
    assertEquals("5", sent.header("Content-Length"));
    assertEquals("looms", sent.text());
  }

  @Test
  void anythingIsAcceptedUnlessTheRequestSaysWhat() throws Exception {
    server.enqueue(MockResponse.of(204));
    server.enqueue(MockResponse.of(204));
    client.execute(Calls.get(server.url("/")), Calls.USUAL).close();
    client
        .execute(Calls.get(server.url("/"), "accept: text/plain"), Calls.USUAL)
        .close();
    assertEquals("*/*", server.takeRequest().header("Accept"));
    assertEquals("text/plain", server.takeRequest().header("Accept"));
  }

  @Test
  void responseTellsFieldsInTheirOrderAndTheVersion() throws Exception {
    server.enqueue(MockResponse.ok("x").header("Via", "a").header("Via", "b"));
    try (Response response = client.execute(Calls.get(server.url("/")), Calls.USUAL)) {
      assertEquals(List.of("a", "b"), List.copyOf(response.headers().get("via")));
      assertEquals(1, response.body().length());
      assertEquals(ProtocolVersion.HTTP_1_1, response.protocolVersion());
    }
  }

  @Test
  void responseOverHttp2HasNoPhrase() throws Exception {
    server.enqueue(MockResponse.ok("x"));
    try (HeddleClient http2 = HeddleClient.with(builder -> builder.version(HttpVersion.HTTP_2));
        Response response = http2.execute(Calls.get(server.url("/")), Calls.USUAL)) {
      assertNull(response.reason());
      assertEquals(ProtocolVersion.HTTP_2, response.protocolVersion());
      assertEquals("x", text(response));
    }
  }

  @Test
  void responseThatNeverHasContentHasNoBodyAndItsConnectionIsUsedAgain() throws Exception {
    server.enqueue(MockResponse.of(204));
    server.enqueue(MockResponse.of(304));
    server.enqueue(MockResponse.ok("unseen"));
    assertNull(client.execute(Calls.get(server.url("/")), Calls.USUAL).body());
    assertNull(client.execute(Calls.get(server.url("/")), Calls.USUAL).body());
    assertNull(client
        .execute(Calls.request(HttpMethod.HEAD, server.url("/"), null), Calls.USUAL)
        .body());
    assertEquals(1, server.connections());
  }

  // ---- codings

  private interface Coder {
    OutputStream over(OutputStream out) throws IOException;
  }

  private static byte[] coded(String text, Coder coder) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (OutputStream out = coder.over(bytes)) {
      out.write(text.getBytes(UTF_8));
    }
    return bytes.toByteArray();
  }

  @Test
  void codedContentIsDecodedThoughItWasNotRequested() throws Exception {
    server.enqueue(
        MockResponse.ok(coded("warp", GZIPOutputStream::new)).header("Content-Encoding", "gzip"));
    server.enqueue(MockResponse.ok(coded("weft", DeflaterOutputStream::new))
        .header("content-encoding", "deflate"));
    try (Response response = client.execute(Calls.get(server.url("/")), Calls.USUAL)) {
      assertEquals("warp", text(response));
      assertFalse(response.headers().containsKey("Content-Encoding"));
      assertNull(response.body().length());
    }
    try (Response response = client.execute(Calls.get(server.url("/")), Calls.USUAL)) {
      assertEquals("weft", text(response));
    }
    assertNull(server.takeRequest().header("Accept-Encoding"));
  }

  @Test
  void codedContentIsDecodedIfTheRequestAcceptsIt() throws Exception {
    server.enqueue(
        MockResponse.ok(coded("warp", GZIPOutputStream::new)).header("Content-Encoding", "gzip"));
    try (Response response =
        client.execute(Calls.get(server.url("/"), "Accept-Encoding: gzip"), Calls.USUAL)) {
      assertEquals("warp", text(response));
    }
    assertEquals("gzip", server.takeRequest().header("Accept-Encoding"));
  }

  @Test
  void contentIsCompressedAsTheRequestSays() throws Exception {
    server.enqueue(MockResponse.of(204));
    server.enqueue(MockResponse.of(204));
    byte[] content = "looms".getBytes(UTF_8);
    String url = server.url("/");
    client
        .execute(
            Calls.request(HttpMethod.POST, url, content, "Content-Encoding: gzip"), Calls.USUAL)
        .close();
    client
        .execute(
            Calls.request(HttpMethod.POST, url, content, "content-encoding: deflate"), Calls.USUAL)
        .close();
    RecordedRequest gzip = server.takeRequest();
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(gzip.body()))) {
      assertEquals("looms", new String(in.readAllBytes(), UTF_8));
    }
    assertEquals(Integer.toString(gzip.body().length), gzip.header("Content-Length"));
    RecordedRequest deflate = server.takeRequest();
    try (InputStream in = new InflaterInputStream(new ByteArrayInputStream(deflate.body()))) {
      assertEquals("looms", new String(in.readAllBytes(), UTF_8));
    }
    assertTrue(
        deflate.fields().contains("Content-Encoding: deflate"), deflate.fields().toString());
  }
}
