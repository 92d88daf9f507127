package heddle.client.coding;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.ClientWorld;
import heddle.client.HttpCall;
import heddle.client.coding.Coded.Arriving;
import heddle.client.settings.DecodingLimits;
import heddle.http.Body;
import heddle.http.ContentCoding;
import heddle.http.HeaderName;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.failure.CallCancelledException;
import heddle.http.failure.MalformedMessageException;
import heddle.http.failure.MessageTooLargeException;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Codings other than gzip and deflate, which separate modules provide. */
@Timeout(60)
class OtherCodingsTest {
  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);
  private final byte[] content = Coded.content(random, 50_000);
  private final PieceCoding pieces = new PieceCoding();

  private Body decoded(byte[] coded, DecodingLimits limits) {
    return new DecodedBody(new Arriving(coded, random), List.of(pieces), limits);
  }

  private ClientWorld world() {
    return new ClientWorld(
        client -> client.contentCodings(DecodingLimits.DEFAULTS, List.of(pieces)));
  }

  private Body decoded(byte[] coded) {
    return decoded(coded, DecodingLimits.DEFAULTS);
  }

  @Test
  void noneIsInstalledHere() {
    assertEquals(List.of(), ContentCoding.installed());
  }

  @Test
  void clientAsksForThemFirstAndDecodesThem() throws Exception {
    try (ClientWorld world = world()) {
      world.network.run(() -> {
        try (MockServer server = MockServer.builder().network(world.network).start()) {
          server.answer(
              "/pieces",
              MockResponse.ok(PieceCoding.coded(content)).header("Content-Encoding", "Pieces"));
          server.answer(
              "/both",
              MockResponse.ok(PieceCoding.coded(Coded.gzip(content)))
                  .header("Content-Encoding", "gzip, pieces"));
          for (String path : List.of("/pieces", "/both")) {
            Response response = world.client.send(Request.get(server.url(path)));
            assertNull(response.headers().first(HeaderName.CONTENT_ENCODING));
            assertArrayEquals(content, response.bytes(), () -> "seed " + seed);
          }
          assertEquals(
              "pieces, gzip, deflate", server.requests().getFirst().header("Accept-Encoding"));
          assertEquals(1, server.connections());
          world.client.close();
        }
      });
    }
    assertEquals(2, pieces.made.get());
    assertEquals(0, pieces.alive.get());
  }

  @Test
  void oneThatTakesThePlaceOfOursIsUsed() throws Exception {
    ContentCoding own = new ContentCoding() {
      @Override
      public String name() {
        return "gzip";
      }

      @Override
      public Decoder decoder() {
        return pieces.decoder();
      }
    };
    Response response = new ContentCodings(DecodingLimits.DEFAULTS, List.of(own))
        .intercept(Request.get("http://a/"), asked -> {
          assertEquals("gzip, deflate", asked.headers().first(HeaderName.ACCEPT_ENCODING));
          return Response.builder(Status.OK)
              .header("Content-Encoding", "x-gzip")
              .body(Body.of(PieceCoding.coded(content)))
              .build();
        });
    assertArrayEquals(content, response.bytes());
    assertThrows(
        UnsupportedOperationException.class, () -> own.compress(Body.of("x")).bytes());
  }

  @Test
  void faultsAreNamedWhateverTheCoding() {
    byte[] coded = PieceCoding.coded("warp and weft".getBytes(UTF_8));
    for (int length = 0; length < coded.length; length++) {
      byte[] cut = Arrays.copyOf(coded, length);
      assertFails(cut, "as pieces: it is truncated (byte " + length);
    }
    assertFails(Coded.concat(coded, new byte[1]), "other data follows its end");
    coded[0] = 101;
    assertFails(coded, "a piece is too long (byte 1 ");
    assertEquals(0, pieces.alive.get());
  }

  private void assertFails(byte[] coded, String part) {
    MalformedMessageException failure =
        assertThrows(MalformedMessageException.class, () -> decoded(coded).bytes());
    assertTrue(failure.getMessage().contains(part), failure.getMessage());
    assertEquals(MalformedMessageException.Kind.CODING, failure.kind());
  }

  @Test
  void contentBeforeAFaultIsRead() throws Exception {
    byte[] coded = PieceCoding.coded("weft".getBytes(UTF_8));
    try (InputStream in = decoded(Coded.concat(coded, coded)).stream()) {
      assertEquals("weft", new String(in.readNBytes(4), UTF_8));
      assertThrows(MalformedMessageException.class, in::read);
    }
  }

  @Test
  void limitsHoldWhateverTheCoding() {
    DecodingLimits limits = DecodingLimits.builder().maxBytes(49_999).build();
    assertThrows(MessageTooLargeException.class, () -> decoded(PieceCoding.coded(content), limits)
        .bytes());
    assertEquals(0, pieces.alive.get());
  }

  @Test
  void memoryIsFreedWhenTheCallIsCancelledWhileTheReaderWaits() throws Exception {
    try (ClientWorld world = world()) {
      String begun = new String(PieceCoding.coded(content), ISO_8859_1).substring(0, 10_000);
      world.serve(c -> {
        c.expectHead();
        c.send("HTTP/1.1 200 OK\r\nContent-Encoding: pieces\r\nContent-Length: 1000000\r\n\r\n"
            + begun);
        c.expectEnd();
      });
      world.visit(peer -> {
        HttpCall call = world.client.newCall(Request.get(peer.url("/")));
        Response response = call.execute();
        InputStream in = response.body().stream();
        ClientWorld.Running reader = world.start(() -> {
          in.readAllBytes();
          return response;
        });
        world.until(() -> pieces.alive.get() == 1);
        call.cancel();
        world.untilOver(reader.outcome());
        assertInstanceOf(CallCancelledException.class, reader.outcome().exceptionNow());
        assertEquals(0, pieces.alive.get());
      });
    }
  }

  @Test
  void requestsAreEncodedToo() throws Exception {
    Request coded = pieces.compress(Request.post("http://a/", Body.of(content)));
    assertEquals("pieces", coded.headers().first(HeaderName.CONTENT_ENCODING));
    assertEquals(Body.UNKNOWN, coded.body().length());
    assertTrue(coded.body().isReplayable());
    assertArrayEquals(content, decoded(coded.body().bytes()).bytes());
    assertArrayEquals(content, decoded(coded.body().bytes()).bytes());
    Request empty = Request.get("http://a/");
    assertFalse(pieces.compress(empty).headers().contains(HeaderName.CONTENT_ENCODING));
    assertThrows(IllegalArgumentException.class, () -> pieces.compress(coded));
  }
}
