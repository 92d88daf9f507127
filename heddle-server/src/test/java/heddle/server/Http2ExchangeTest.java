package heddle.server;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.http2.frame.ErrorCode;
import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.Trailers;
import heddle.server.spi.ExchangeHandler;
import heddle.testkit.Http2Head;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a handler sees of an exchange over HTTP/2, and how it answers by writing. */
@Timeout(60)
class Http2ExchangeTest {
  private static final Response OK = Response.of(Status.OK);

  private static void play(ExchangeHandler handler, Http2World.Script script) throws Exception {
    Http2World.play(
        request -> Response.ok("unused"),
        builder -> builder.exchangeHandler(handler),
        (world, client) -> {
          client.handshake();
          script.run(world, client);
        });
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Test
  void aHandlerSeesVersionAndConnection() throws Exception {
    ExchangeHandler handler = exchange -> {
      assertEquals(HttpVersion.HTTP_2, exchange.version());
      return Response.ok("" + exchange.connectionId());
    };
    play(handler, (world, client) -> {
      client.sendGet(1, "/");
      client.expectResponse(1, 200);
      byte[] id = client.expectContent(1);
      client.sendGet(3, "/");
      client.expectResponse(3, 200);
      assertArrayEquals(id, client.expectContent(3));
    });
  }

  @Test
  void shortContentGetsALength() throws Exception {
    ExchangeHandler handler = exchange -> {
      exchange.writer(OK).append("Hello!").close();
      return null;
    };
    play(handler, (world, client) -> {
      client.sendGet(1, "/");
      assertEquals("6", client.expectResponse(1, 200).value("content-length"));
      assertEquals("Hello!", new String(client.expectContent(1), StandardCharsets.US_ASCII));
      client.sendRequest(3, "HEAD", "/", true);
      Http2Head head = client.expectResponse(3, 200);
      assertEquals("6", head.value("content-length"));
      assertTrue(head.endStream());
    });
  }

  @ParameterizedTest
  @ValueSource(ints = {16_384, 16_385, 200_000})
  void contentOfAnyLengthArrives(int length) throws Exception {
    byte[] content = new byte[length];
    new Random(length).nextBytes(content);
    ExchangeHandler handler = exchange -> {
      try (OutputStream out = exchange.begin(OK)) {
        out.write(content);
      }
      return null;
    };
    play(handler, (world, client) -> {
      client.sendWindowUpdate(0, 1 << 20);
      client.sendGet(1, "/");
      client.sendWindowUpdate(1, 1 << 20);
      client.expectResponse(1, 200);
      assertArrayEquals(content, client.expectContent(1));
    });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void flushingSendsWhatWasWritten(boolean returned) throws Exception {
    CountDownLatch read = new CountDownLatch(1);
    Body.Writer writer = out -> {
      out.write(bytes("first"));
      out.flush();
      try {
        read.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      out.write(bytes("second"));
    };
    ExchangeHandler handler = exchange -> {
      if (returned) {
        return Response.ok(Body.written(writer));
      }
      writer.writeTo(exchange.begin(OK));
      return null;
    };
    play(handler, (world, client) -> {
      client.sendGet(1, "/");
      assertNull(client.expectResponse(1, 200).value("content-length"));
      assertEquals(5, client.expectData(1).data().remaining());
      read.countDown();
      assertEquals("second", new String(client.expectContent(1), StandardCharsets.US_ASCII));
    });
  }

  @Test
  void theLastByteOfAnAnnouncedLengthEndsTheStream() throws Exception {
    Response head = Response.builder(Status.OK).header("Content-Length", "6").build();
    CountDownLatch mayClose = new CountDownLatch(1);
    ExchangeHandler handler = exchange -> {
      OutputStream out = exchange.begin(head);
      out.write(bytes("abc"));
      out.flush();
      out.write(bytes("def"));
      mayClose.await();
      return null;
    };
    play(handler, (world, client) -> {
      client.sendGet(1, "/");
      client.expectResponse(1, 200);
      client.expectData(1);
      assertTrue(client.expectData(1).endStream());
      mayClose.countDown();
    });
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 7})
  void contentThatContradictsItsLengthIsReset(int length) throws Exception {
    Response head =
        Response.builder(Status.OK).header("Content-Length", "" + length).build();
    ExchangeHandler handler = exchange -> {
      try (OutputStream out = exchange.begin(head)) {
        out.write(bytes("abc"));
        out.flush();
        out.write(bytes("def"));
      }
      return null;
    };
    play(handler, (world, client) -> {
      client.sendGet(1, "/");
      client.expectResponse(1, 200);
      client.expectData(1);
      client.expectRst(1, ErrorCode.INTERNAL_ERROR);
    });
  }

  @Test
  void aHandlerThatFailsBeforeAnythingWasSentIsAnswered500() throws Exception {
    ExchangeHandler handler = exchange -> {
      exchange.begin(OK).write(bytes("not yet sent"));
      throw new IllegalArgumentException("on purpose");
    };
    play(handler, (world, client) -> {
      client.sendGet(1, "/");
      client.expectResponse(1, 500);
    });
  }

  @Test
  void aHandlerThatFailsLaterResetsItsStream() throws Exception {
    ExchangeHandler handler = exchange -> {
      OutputStream out = exchange.begin(OK);
      out.write(bytes("sent"));
      out.flush();
      throw new IllegalArgumentException("on purpose");
    };
    play(handler, (world, client) -> {
      client.sendGet(1, "/");
      client.expectResponse(1, 200);
      client.expectData(1);
      client.expectRst(1, ErrorCode.INTERNAL_ERROR);
    });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aResponseWithoutContentByItsStatusDropsWhatIsWritten(boolean flushed) throws Exception {
    ExchangeHandler handler = exchange -> {
      OutputStream out = exchange.begin(Response.of(Status.NO_CONTENT));
      out.write(bytes("dropped"));
      if (flushed) {
        out.flush();
      }
      return null;
    };
    play(handler, (world, client) -> {
      client.sendGet(1, "/");
      assertTrue(client.expectResponse(1, 204).endStream());
    });
  }

  @Test
  void earlyHintsComeBeforeTheResponse() throws Exception {
    ExchangeHandler handler = exchange -> {
      exchange.interim(Status.EARLY_HINTS, Headers.of("Link", "</style.css>; rel=preload"));
      return Response.ok("page");
    };
    play(handler, (world, client) -> {
      client.sendGet(1, "/");
      Http2Head hints = client.expectResponse(1, 103);
      assertEquals("</style.css>; rel=preload", hints.value("link"));
      client.expectResponse(1, 200);
    });
  }

  @Test
  void trailersFollowWrittenContent() throws Exception {
    Response head = Response.builder(Status.OK)
        .trailers(Trailers.of(() -> Headers.of("Sum", "3")))
        .build();
    ExchangeHandler handler = exchange -> {
      exchange.begin(head).write(bytes("abc"));
      return null;
    };
    play(handler, (world, client) -> {
      client.sendRequest(1, "GET", "/", true, "te: trailers");
      client.expectResponse(1, 200);
      client.expectData(1);
      assertEquals("3", client.expectHeaders(1).value("sum"));
    });
  }

  @Test
  void writingToAStreamThatTheClientHasResetFails() throws Exception {
    CountDownLatch failed = new CountDownLatch(1);
    ExchangeHandler handler = exchange -> {
      OutputStream out = exchange.begin(OK);
      out.write(bytes("sent"));
      out.flush();
      assertThrows(IOException.class, () -> {
        while (true) {
          out.write(new byte[10_000]);
        }
      });
      failed.countDown();
      return null;
    };
    play(handler, (world, client) -> {
      client.sendGet(1, "/");
      client.expectResponse(1, 200);
      client.sendRst(1, ErrorCode.CANCEL);
      world.await("the handler knows", () -> failed.getCount() == 0);
      world.await("it has ended", () -> world.server.active() == 0);
    });
  }

  @ParameterizedTest
  @CsvSource({"https", "http"})
  void theSchemeIsTheConnectionsWhateverTheClientClaims(String scheme) throws Exception {
    play(exchange -> Response.ok("" + exchange.request().origin()), (world, client) -> {
      client.sendHeaders(
          1, true, ":method: GET", ":scheme: " + scheme, ":authority: a.example", ":path: /");
      client.expectResponse(1, 200);
      assertEquals(
          "http://a.example:80", new String(client.expectContent(1), StandardCharsets.US_ASCII));
    });
  }

  @Test
  void streamsAreClosedOnce() throws Exception {
    Semaphore closed = new Semaphore(0);
    ExchangeHandler handler =
        exchange -> Response.ok(Body.of(new ClosedStream(new byte[20_000], closed), 20_000));
    play(handler, (world, client) -> {
      client.sendGet(1, "/");
      client.expectResponse(1, 200);
      assertEquals(20_000, client.expectContent(1).length);
    });
    // The client may have all of the content a moment before the stream is closed.
    assertTrue(closed.tryAcquire(20, SECONDS), "closed after its last byte");
    assertEquals(0, closed.availablePermits(), "closed more than once");
  }
}
