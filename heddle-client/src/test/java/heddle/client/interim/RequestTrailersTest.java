package heddle.client.interim;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.ClientWorld;
import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.HttpException;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Sent;
import heddle.http.Trailers;
import heddle.http.failure.DeadlineExceededException;
import heddle.http.failure.MalformedMessageException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import org.junit.jupiter.api.Test;

/** Fields after the body of a request, known before or told at its end: RFC 9110 §6.5. */
class RequestTrailersTest extends WireTest {
  private static final String HELLO = "3610a686"; // the CRC-32 of "hello"

  private static Request.Builder put(String url, Body body, Trailers trailers) throws IOException {
    return Request.builder(url + "/").method(Method.PUT).body(body).trailers(trailers);
  }

  private void assertSent(Request.Builder request) throws IOException {
    assertEquals("fine", world.client.send(request.build()).string());
  }

  /** A request that brings the connection to where nothing but requests and responses comes. */
  private void greet(String url) throws IOException {
    assertEquals("fine", world.client.send(Request.get(url + "/")).string());
  }

  private static void beGreeted(Server server) throws IOException {
    server.expectHead();
    server.answer(200, "fine");
  }

  /** Expects a request whose content is followed by this sum, or by none, and answers it. */
  private static Server.Talk expecting(String content, String announced, String sum) {
    return server -> {
      server.expectHead();
      assertEquals(announced, String.valueOf(server.field("trailer")));
      assertEquals(content, server.expectContent());
      assertEquals(sum, String.valueOf(server.trailer("sum")));
      server.answer(200, "fine");
      server.expectEnd();
    };
  }

  @Test
  void knownTrailersAreAnnouncedAndFollowAnyBody() throws Exception {
    for (Body body : new Body[] {
      Body.of("hello"), Content.ofKnownLength("hello"), Content.ofUnknownLength("hello")
    }) {
      renew(client -> client);
      Trailers sum = Trailers.of(Headers.of("Sum", "17"));
      visit(url -> assertSent(put(url, body, sum)), expecting("hello", "Sum", "17"));
    }
  }

  @Test
  void trailersFollowWhereThereIsNoContent() throws Exception {
    Trailers sum = Trailers.of(Headers.of("Sum", "0"));
    visit(url -> assertSent(put(url, Body.empty(), sum)), expecting("", "Sum", "0"));
  }

  @Test
  void sumOfAStreamIsAskedForOnceItWasRead() throws Exception {
    var stream =
        new CheckedInputStream(new ByteArrayInputStream("hello".getBytes(ISO_8859_1)), new CRC32());
    AtomicInteger asked = new AtomicInteger();
    Trailers sum = Trailers.of(() -> {
      asked.incrementAndGet();
      return Headers.of("Sum", Long.toHexString(stream.getChecksum().getValue()));
    });
    visit(
        url -> assertSent(put(url, Body.of(stream), sum).header("Trailer", "Sum")),
        expecting("hello", "Sum", HELLO));
    assertEquals(1, asked.get());
  }

  @Test
  void sourceWithNothingToSayEndsTheBodyPlainly() throws Exception {
    for (Body body : new Body[] {Body.of("hello"), Content.ofUnknownLength("hello")}) {
      renew(client -> client);
      Trailers none = Trailers.of(Headers::empty);
      visit(url -> assertSent(put(url, body, none)), expecting("hello", "null", "null"));
    }
  }

  @Test
  void trailersFollowABodyThatHasWaitedForTheServer() throws Exception {
    for (Body body : new Body[] {Body.of("hello"), Content.ofKnownLength("hello")}) {
      renew(client -> client);
      Trailers sum = Trailers.of(Headers.of("Sum", "17"));
      serve(server -> {
        server.expectHead();
        server.inform(100);
        assertEquals("hello", server.expectContent());
        assertEquals("17", server.trailer("sum"));
        server.answer(200, "fine");
        server.expectEnd();
      });
      visit(url -> assertSent(put(url, body, sum).expectContinue()));
    }
  }

  @Test
  void streamMustKeepItsLengthWhereItIsSentInChunksToo() throws Exception {
    Body liar = Body.of(new ByteArrayInputStream(new byte[10]), 11);
    serve(server -> {
      beGreeted(server);
      server.expectHead();
      server.sleep(Duration.ofSeconds(1));
    });
    visit(url -> {
      greet(url);
      Request request = put(url, liar, Trailers.of(Headers.of("Sum", "17"))).build();
      HttpException failure = assertThrows(HttpException.class, () -> world.client.send(request));
      ClientWorld.assertSays(failure, "10 bytes instead of 11");
    });
  }

  // ---- sources that fail

  @Test
  void whatASourceThrowsEndsTheCallAndTheRequestStaysUnfinished() throws Exception {
    IllegalStateException broken = new IllegalStateException("no sum today");
    Trailers failing = Trailers.of(() -> {
      throw broken;
    });
    serve(server -> {
      beGreeted(server);
      server.expectHead();
      if (wire.isHttp2()) {
        server.expectContent(5);
      } else {
        server.expectContent("5\r\nhello\r\n".length());
      }
      server.expectGivenUp();
    });
    visit(url -> {
      greet(url);
      Request request = put(url, Content.ofUnknownLength("hello"), failing).build();
      assertSame(
          broken, assertThrows(IllegalStateException.class, () -> world.client.send(request)));
      assertEquals(0, world.inUse());
    });
  }

  @Test
  void sourceThatReturnsNullIsNamed() throws Exception {
    serve(server -> {
      beGreeted(server);
      server.expectHead();
      server.sleep(Duration.ofSeconds(1));
    });
    visit(url -> {
      greet(url);
      Request request = put(
              url, Content.ofUnknownLength("hello"), Trailers.of(RequestTrailersTest::nothing))
          .build();
      NullPointerException failure =
          assertThrows(NullPointerException.class, () -> world.client.send(request));
      assertTrue(failure.getMessage().contains("give empty ones"), failure.getMessage());
    });
  }

  @SuppressWarnings("NullAway") // What a careless user does.
  private static Headers nothing() {
    return null;
  }

  @Test
  void sourceThatHangsIsInterruptedAtTheDeadline() throws Exception {
    for (Body body : new Body[] {Body.of("hello"), Content.ofUnknownLength("hello")}) {
      renew(client -> client);
      serve(server -> {
        beGreeted(server);
        server.sleep(Duration.ofSeconds(4));
      });
      visit(url -> {
        greet(url);
        Request request = put(url, body, Trailers.of(RequestTrailersTest::hang))
            .deadline(Duration.ofSeconds(3))
            .build();
        Duration began = world.now();
        ClientWorld.Running call = world.start(request);
        world.untilOver(call.outcome());
        assertInstanceOf(DeadlineExceededException.class, call.outcome().exceptionNow());
        assertEquals(3, world.now().minus(began).toSeconds());
        assertFalse(call.interrupted().get(), "an interrupt is left behind");
        assertEquals(0, world.inUse());
      });
    }
  }

  @Test
  void answerEndsTheWaitForASourceThatHangs() throws Exception {
    serve(server -> {
      server.expectHead();
      server.sleep(Duration.ofSeconds(1));
      server.answer(413, "no");
      server.sleep(Duration.ofSeconds(2));
    });
    visit(url -> {
      Request request = put(
              url, Content.ofUnknownLength("hello"), Trailers.of(RequestTrailersTest::hang))
          .build();
      Duration began = world.now();
      ClientWorld.Running call = world.start(request);
      world.untilOver(call.outcome());
      assertEquals("no", call.outcome().get().string());
      assertTrue(world.now().minus(began).toSeconds() < 3);
      assertFalse(call.interrupted().get(), "an interrupt is left behind");
    });
  }

  private static Headers hang() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
    return Headers.empty();
  }

  // ---- fields that may not be trailers

  @Test
  void forbiddenNameIsRefusedBeforeAnythingIsSent() throws Exception {
    for (String name : new String[] {"Content-Length", "Authorization", "If-Match", "Host"}) {
      renew(client -> client);
      serve(server -> {
        beGreeted(server);
        server.expectEnd();
      });
      visit(url -> {
        greet(url);
        Trailers forbidden = Trailers.of(Headers.of(name, "1"));
        Request request = put(url, Body.of("hello"), forbidden).build();
        HttpException failure = assertThrows(HttpException.class, () -> world.client.send(request));
        ClientWorld.assertSays(failure, name);
        ClientWorld.assertSays(failure, "may not be a trailer");
        assertEquals(Sent.NO, failure.at().sent());
        assertEquals(0, world.inUse());
      });
    }
  }

  @Test
  void forbiddenNameOfASourceFailsTheCall() throws Exception {
    Trailers forbidden = Trailers.of(() -> Headers.of("Transfer-Encoding", "chunked"));
    serve(server -> {
      beGreeted(server);
      server.expectHead();
      server.sleep(Duration.ofSeconds(1));
    });
    visit(url -> {
      greet(url);
      Request request = put(url, Content.ofUnknownLength("hello"), forbidden).build();
      HttpException failure = assertThrows(HttpException.class, () -> world.client.send(request));
      ClientWorld.assertSays(failure, "Transfer-Encoding");
      assertEquals(Sent.UNKNOWN, failure.at().sent());
      assertEquals(0, world.inUse());
    });
  }

  // ---- trailers of responses

  @Test
  void acceptedTrailersAreAnnounced() throws Exception {
    serve(server -> {
      server.expectHead();
      assertEquals("trailers", server.field("te"));
      assertEquals(wire.isHttp2() ? null : "TE", server.field("connection"));
      server.answerWithTrailers("fine", "sum: 17", "set-cookie: a=b");
      server.expectEnd();
    });
    visit(url -> {
      Request request = Request.builder(url + "/").acceptTrailers().build();
      Response response = world.client.send(request);
      assertEquals("fine", response.string());
      assertEquals("17", response.trailers().get().first("Sum"));
      assertNull(response.trailers().get().first("Set-Cookie"));
    });
  }

  @Test
  void trailerThatWouldFrameTheResponseFailsIt() throws Exception {
    serve(server -> {
      server.expectHead();
      server.answerWithTrailers("fine", "content-length: 2");
      server.sleep(Duration.ofSeconds(1));
    });
    visit(url -> {
      HttpException failure = assertThrows(
          HttpException.class, () -> world.client.send(Request.get(url + "/")).string());
      assertInstanceOf(MalformedMessageException.class, failure);
      assertEquals(0, world.inUse());
    });
  }
}
