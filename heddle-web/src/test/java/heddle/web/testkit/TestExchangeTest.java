package heddle.web.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.MediaType;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.Trailers;
import heddle.server.spi.Attribute;
import heddle.server.spi.ExchangeHandler;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a handler sees and answers without a server. */
final class TestExchangeTest {
  private static final Attribute<String> USER = Attribute.of("user", String.class);

  private static Request get() throws IOException {
    return Request.get("http://localhost:8080/a?b");
  }

  @Test
  void aReturnedResponseCanBeRead() throws Exception {
    ExchangeHandler handler = exchange -> Response.ok(exchange.request().target());
    assertEquals("/a?b", TestExchange.call(handler, get()).string());
  }

  @Test
  void aHandlerSeesWhatATestHasSet() throws Exception {
    InetSocketAddress client = InetSocketAddress.createUnresolved("client", 7);
    ExchangeHandler handler = exchange -> Response.ok(exchange.version() + " "
        + exchange.remoteAddress() + " " + exchange.get(USER) + " " + exchange.tlsSession() + " "
        + exchange.clientCertificates() + " " + exchange.connectionId());
    Response response = TestExchange.of(get())
        .version(HttpVersion.HTTP_2)
        .remoteAddress(client)
        .with(USER, "ann")
        .call(handler);
    assertEquals(HttpVersion.HTTP_2 + " " + client + " ann null [] 1", response.string());
  }

  @Test
  void withoutSettingsTheClientIsLocal() throws Exception {
    TestExchange exchange = TestExchange.of(get());
    assertEquals(HttpVersion.HTTP_1_1, exchange.version());
    assertNull(exchange.get(USER));
    InetSocketAddress local = (InetSocketAddress) exchange.localAddress();
    InetSocketAddress remote = (InetSocketAddress) exchange.remoteAddress();
    assertEquals(8080, local.getPort());
    assertTrue(remote.getAddress().isLoopbackAddress());
  }

  @Test
  void aResponseThatWasBegunHasItsContentAndTrailers() throws Exception {
    Response head = Response.builder(Status.ACCEPTED)
        .header("Content-Type", "text/plain; charset=iso-8859-1")
        .trailers(Trailers.of(Headers.of("Digest", "1")))
        .build();
    Response response = TestExchange.call(
        exchange -> {
          exchange.writer(head).append("gr\u00fc\u00df").close();
          return null;
        },
        get());
    assertEquals(202, response.status().code());
    assertEquals("gr\u00fc\u00df", response.string());
    assertEquals("1", response.trailers().get().first("Digest"));
  }

  @Test
  void contentThatIsWrittenLaterIsThere() throws Exception {
    Body written = Body.written(
        MediaType.TEXT_PLAIN_UTF8, out -> out.write("later".getBytes(StandardCharsets.UTF_8)));
    Response response = TestExchange.call(exchange -> Response.ok(written), get());
    assertEquals("later", response.string());
    assertEquals(MediaType.TEXT_PLAIN_UTF8, response.body().mediaType());
  }

  @Test
  void interimResponsesAreKept() throws Exception {
    ExchangeHandler handler = exchange -> {
      exchange.interim(Status.EARLY_HINTS, Headers.of("Link", "</a.css>"));
      return Response.ok("");
    };
    TestExchange exchange = TestExchange.of(get());
    exchange.call(handler);
    assertEquals(1, exchange.interimResponses().size());
    Response hints = exchange.interimResponses().getFirst();
    assertEquals(Status.EARLY_HINTS, hints.status());
    assertEquals("</a.css>", hints.headers().first("Link"));
    TestExchange old = TestExchange.of(get()).version(HttpVersion.HTTP_1_0);
    old.call(handler);
    assertEquals(0, old.interimResponses().size());
  }

  @ParameterizedTest
  @ValueSource(ints = {204, 304})
  void someStatusesHaveNoContent(int status) throws Exception {
    Response response = TestExchange.call(
        exchange -> Response.builder(Status.of(status)).body(Body.of("gone")).build(), get());
    assertEquals(0, response.body().length());
  }

  @Test
  void anAnswerToHeadHasNoContent() throws Exception {
    Request head = Request.head("http://localhost/");
    assertEquals("", TestExchange.call(exchange -> Response.ok("gone"), head).string());
    Response response = TestExchange.call(
        exchange -> {
          exchange.begin(
              Response.builder(Status.OK).header("Content-Length", "7").build());
          return null;
        },
        head);
    assertEquals("", response.string());
    assertEquals("7", response.headers().first("Content-Length"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "1234"})
  void contentThatDiffersFromItsLengthFails(String content) throws Exception {
    TestExchange exchange = TestExchange.of(get());
    Response head = Response.builder(Status.OK).header("Content-Length", "3").build();
    assertThrows(
        IOException.class,
        () -> exchange.call(each -> {
          each.begin(head).write(content.getBytes(StandardCharsets.US_ASCII));
          return null;
        }));
  }

  @Test
  void whatAServerRefusesFails() throws Exception {
    ExchangeHandler twice = exchange -> {
      exchange.begin(Response.of(Status.OK));
      return Response.ok("");
    };
    ExchangeHandler begunTwice = exchange -> {
      exchange.begin(Response.of(Status.OK));
      exchange.begin(Response.of(Status.OK));
      return null;
    };
    ExchangeHandler late = exchange -> {
      exchange.begin(Response.of(Status.OK));
      exchange.interim(Status.EARLY_HINTS, Headers.empty());
      return null;
    };
    ExchangeHandler closed = exchange -> {
      OutputStream out = exchange.begin(Response.of(Status.OK));
      out.close();
      out.write(1);
      return null;
    };
    assertThrows(IllegalStateException.class, () -> TestExchange.call(twice, get()));
    assertThrows(IllegalStateException.class, () -> TestExchange.call(begunTwice, get()));
    assertThrows(IllegalStateException.class, () -> TestExchange.call(late, get()));
    assertThrows(IOException.class, () -> TestExchange.call(closed, get()));
    assertThrows(NullPointerException.class, () -> TestExchange.call(exchange -> null, get()));
    TestExchange exchange = TestExchange.of(get());
    assertThrows(
        IllegalArgumentException.class, () -> exchange.begin(Response.of(Status.EARLY_HINTS)));
    assertThrows(IllegalArgumentException.class, () -> exchange.begin(Response.ok("body")));
    assertThrows(
        IllegalArgumentException.class,
        () -> exchange.interim(Status.SWITCHING_PROTOCOLS, Headers.empty()));
  }

  @Test
  void anExchangeIsUsedOnce() throws Exception {
    TestExchange exchange = TestExchange.of(get());
    exchange.call(each -> Response.ok(""));
    assertThrows(IllegalStateException.class, () -> exchange.call(each -> Response.ok("")));
    assertEquals("TestExchange(GET http://localhost:8080/a)", exchange.toString());
  }
}
