package heddle.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.testkit.ScriptedPeer;
import heddle.testkit.SimNetwork;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What comes back, however it is framed and wherever it is cut. */
@Timeout(60)
class ResponseTest {
  private static final String OK = "HTTP/1.1 200 OK\r\n";
  private static final String SIX = OK + "Content-Length: 6\r\n\r\nHello!";

  @AutoClose
  private ClientWorld world = new ClientWorld();

  /** Answers every request of a connection, until the client closes it. */
  private static ScriptedPeer.Script answering(String response) {
    return c -> {
      while (c.hasMore()) {
        c.expectMessage();
        c.send(response);
      }
    };
  }

  private static ScriptedPeer.Script answeringAndClosing(String response) {
    return c -> {
      c.expectMessage();
      c.send(response);
    };
  }

  /** Asserts on a response. */
  @FunctionalInterface
  private interface Check {
    void on(Response response) throws IOException;
  }

  /** Reads the response whole, in single bytes, and in pieces that follow a seed. */
  private void inAllPieces(Request.Builder request, ScriptedPeer.Script script, Check check)
      throws Exception {
    for (int seed = 0; seed < 12; seed++) {
      SimNetwork.Builder builder = SimNetwork.builder().seed(seed);
      if (seed > 0) {
        builder.maxReadBytes(seed);
      }
      String shown = "seed " + seed;
      try (ClientWorld pieces = new ClientWorld(builder)) {
        pieces.visitMany(
            peer -> {
              for (int i = 0; i < 2; i++) {
                Request sent = request.url(peer.url("/")).build();
                try (Response response = pieces.client.send(sent)) {
                  check.on(response);
                } catch (IOException | AssertionError e) {
                  throw new AssertionError(shown + ", call " + i + ": " + e, e);
                }
                assertEquals(0, pieces.inUse(), shown);
              }
            },
            script);
      }
    }
  }

  @Test
  void contentOfAnnouncedLengthIsReadWholeOrInPieces() throws Exception {
    inAllPieces(Request.builder(), answering(SIX), response -> {
      assertEquals(200, response.status().code());
      assertEquals(6, response.body().length());
      assertEquals("Hello!", response.string());
    });
  }

  @Test
  void chunkedContentAndItsTrailersAreReadWholeOrInPieces() throws Exception {
    String chunked = OK + "Transfer-Encoding: chunked\r\n\r\n"
        + "5\r\nHello\r\n1;x=y\r\n!\r\n0\r\nDigest: abc\r\n\r\n";
    inAllPieces(Request.builder(), answering(chunked), response -> {
      assertEquals("Hello!", response.string());
      assertEquals("abc", response.trailers().get().first("Digest"));
    });
  }

  @Test
  void contentUpToTheCloseIsReadWholeOrInPieces() throws Exception {
    inAllPieces(Request.builder(), answeringAndClosing(OK + "\r\nHello!"), response -> {
      assertEquals("Hello!", response.string());
    });
  }

  @ParameterizedTest
  @CsvSource({"404 Nothing here,Nothing here", "200,''", "299 Odd,Odd", "500 ,''"})
  void unregisteredPhraseIsKept(String line, String phrase) throws Exception {
    String response = "HTTP/1.1 " + line + "\r\nContent-Length: 0\r\n\r\n";
    inAllPieces(Request.builder(), answering(response), got -> {
      assertEquals(phrase, got.status().reason());
    });
  }

  @Test
  void answerToHeadHasNoContentWhateverItsLengthSays() throws Exception {
    String head = OK + "Content-Length: 6\r\n\r\n";
    Request.Builder request = Request.builder().method(Method.HEAD);
    inAllPieces(request, answering(head), response -> {
      assertEquals("", response.string());
      assertEquals("6", response.headers().first("Content-Length"));
    });
  }

  @ParameterizedTest
  @CsvSource({"204 No Content,", "304 Not Modified,Content-Length: 6"})
  void statusWithoutContentEndsWithItsHead(String status, String field) throws Exception {
    String response =
        "HTTP/1.1 " + status + "\r\n" + (field == null ? "" : field + "\r\n") + "\r\n";
    inAllPieces(Request.builder(), answering(response), got -> {
      assertEquals(status, got.status().code() + " " + got.status().reason());
      assertEquals(0, got.bytes().length);
    });
  }

  @Test
  void interimResponsesArePassedOver() throws Exception {
    String interim = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";
    inAllPieces(Request.builder(), answering(interim + SIX), response -> {
      assertEquals(200, response.status().code());
      assertEquals("Hello!", response.string());
    });
  }

  @Test
  void emptyContentIsThereWithTheHead() throws Exception {
    inAllPieces(
        Request.builder(),
        answering(OK + "Content-Length: 0\r\n\r\n"),
        response -> assertEquals(0, response.bytes().length));
  }

  @Test
  void textIsReadInTheCharsetOfItsMediaType() throws Exception {
    String latin = OK
        + "Content-Type: text/plain; charset=iso-8859-1\r\nContent-Length: 2\r\n\r\n\u00e4\u00f6";
    inAllPieces(
        Request.builder(),
        answering(latin),
        response -> assertEquals("\u00e4\u00f6", response.string()));
  }

  @Test
  void mediaTypeThatMakesNoSenseDoesNotWithholdTheContent() throws Exception {
    String odd = OK + "Content-Type: ???\r\nContent-Length: 2\r\n\r\nhi";
    inAllPieces(
        Request.builder(), answering(odd), response -> assertEquals("hi", response.string()));
  }

  @Test
  void discardedContentFreesItsConnection() throws Exception {
    inAllPieces(Request.builder(), answering(SIX), response -> response.body().discard());
  }

  @Test
  void trailersAreRefusedBeforeTheEndOfTheContent() throws Exception {
    world.serve(c -> {
      c.expectHead();
      c.send(OK + "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n");
      c.expectEnd();
    });
    world.visit(peer -> {
      try (Response response = world.get(peer)) {
        assertThrows(IllegalStateException.class, () -> response.trailers().get());
      }
    });
  }

  @Test
  void closingBeforeTheEndClosesTheConnection() throws Exception {
    world.serve(c -> {
      c.expectHead();
      c.send(OK + "Content-Length: 6\r\n\r\nHell");
      c.expectEnd();
    });
    world.visit(peer -> {
      Response response = world.get(peer);
      assertEquals('H', response.body().stream().read());
      assertEquals(1, world.inUse());
      response.close();
      assertEquals(0, world.pool().open());
      response.close();
    });
  }

  @Test
  void closingAfterAllHasArrivedKeepsTheConnection() throws Exception {
    world.serve(c -> {
      c.expectHead();
      c.send(OK + "Content-Length: 6\r\n\r\n");
      c.sleep(Duration.ofSeconds(1));
      c.send("Hello!");
      c.expectHead();
      c.send(SIX);
      c.expectEnd();
    });
    world.visit(peer -> {
      Response first = world.get(peer);
      world.network.sleep(Duration.ofSeconds(2));
      first.close();
      assertEquals(1, world.pool().open());
      assertEquals(0, world.inUse());
      assertEquals("Hello!", world.get(peer).string());
    });
  }

  @Test
  void readingAClosedBodyIsRefused() throws Exception {
    world.serve(c -> {
      c.expectHead();
      c.send(OK + "Content-Length: 6\r\n\r\nHell");
      c.expectEnd();
    });
    world.visit(peer -> {
      Response response = world.get(peer);
      InputStream in = response.body().stream();
      in.close();
      assertThrows(IOException.class, in::read);
      assertThrows(IllegalStateException.class, response.body()::stream);
    });
  }
}
