package heddle.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.client.settings.RetryPolicy;
import heddle.client.settings.RetryPolicy.Decision;
import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Frame;
import heddle.http.HttpException;
import heddle.http.HttpVersion;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Sent;
import heddle.http.failure.ConnectionLostException;
import heddle.http.failure.MalformedMessageException;
import heddle.http.failure.RequestNotProcessedException;
import heddle.http.failure.StreamResetException;
import heddle.testkit.Http2Peer;
import heddle.testkit.ScriptedPeer;
import heddle.testkit.SimNetwork;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A response whose content breaks off: the caller gets its head and the content before the fault,
 * whether these arrive in one read with the fault or byte by byte, and the request is not repeated.
 */
@Timeout(60)
class BrokenContentTest {
  private static final String CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

  /** How content breaks, and what reading it throws. */
  private record Fault(
      String name,
      HttpVersion version,
      ScriptedPeer.Script script,
      Class<? extends HttpException> failure) {
    static Fault http1(String name, String response, Class<? extends HttpException> failure) {
      return new Fault(
          name,
          HttpVersion.HTTP_1_1,
          c -> {
            c.expectHead();
            c.send(response);
            if (failure != ConnectionLostException.class) {
              c.hasMore();
            }
          },
          failure);
    }

    static Fault http2(String name, Class<? extends HttpException> failure, Frame... frames) {
      return new Fault(
          name,
          HttpVersion.HTTP_2,
          Http2Peer.server(h2 -> {
            h2.handshake();
            h2.expectHeaders(1);
            h2.send(frames);
            if (failure != ConnectionLostException.class) {
              h2.connection().drain();
            }
          }),
          failure);
    }

    static Fault reset(ErrorCode code, Class<? extends HttpException> failure) {
      return http2("RST_STREAM " + code, failure, head(), hi(), new Frame.RstStream(1, code));
    }

    @Override
    public String toString() {
      return name;
    }
  }

  // Made anew for each fault: sending a frame consumes its buffer.
  private static Frame head() {
    return Http2Peer.headers(1, false, ":status: 200");
  }

  private static Frame hi() {
    return Http2Peer.data(1, false, "hi");
  }

  static List<Fault> faults() {
    Frame malformed = new Frame.Unknown(Frame.Ping.TYPE, 0, 1, ByteBuffer.allocate(8));
    Frame announcing3 = Http2Peer.headers(1, false, ":status: 200", "content-length: 3");
    return List.of(
        Fault.http1(
            "closed in content",
            "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nhi",
            ConnectionLostException.class),
        Fault.http1(
            "closed between chunks", CHUNKED + "2\r\nhi\r\n", ConnectionLostException.class),
        Fault.http1(
            "bad chunk size", CHUNKED + "2\r\nhi\r\nzz\r\n", MalformedMessageException.class),
        Fault.http1("bad chunk end", CHUNKED + "2\r\nhi!!", MalformedMessageException.class),
        Fault.reset(ErrorCode.INTERNAL_ERROR, StreamResetException.class),
        Fault.reset(ErrorCode.REFUSED_STREAM, RequestNotProcessedException.class),
        Fault.reset(ErrorCode.HTTP_1_1_REQUIRED, StreamResetException.class),
        Fault.http2(
            "more than announced",
            MalformedMessageException.class,
            announcing3,
            hi(),
            Http2Peer.data(1, true, "hi")),
        Fault.http2("malformed frame", MalformedMessageException.class, head(), hi(), malformed),
        Fault.http2("closed in stream", ConnectionLostException.class, head(), hi()));
  }

  /** Repeats whatever may be repeated. */
  private static final RetryPolicy STUBBORN = attempt -> Decision.repeat();

  private static void assertBreaks(Fault fault, SimNetwork.Builder network, RetryPolicy policy)
      throws Exception {
    try (ClientWorld world =
        new ClientWorld(network, client -> client.version(fault.version).retries(policy))) {
      world.visit(
          peer -> {
            Request request =
                Request.builder(peer.url("/")).deadline(Duration.ofSeconds(30)).build();
            try (Response response = world.client.send(request)) {
              assertEquals(200, response.status().code());
              InputStream content = response.body().stream();
              assertEquals("hi", new String(content.readNBytes(2), ISO_8859_1));
              IOException failure = assertThrows(IOException.class, content::readAllBytes);
              assertInstanceOf(fault.failure, failure);
              HttpException told = (HttpException) failure;
              assertEquals(Phase.READ_BODY, told.at().phase(), told.toString());
              assertEquals(Sent.YES, told.at().sent(), told.toString());
            }
            assertEquals(0, world.inUse());
          },
          fault.script);
    }
  }

  @ParameterizedTest
  @MethodSource("faults")
  void contentFailsAndNotTheCallIfAllArrivesInOneRead(Fault fault) throws Exception {
    assertBreaks(fault, SimNetwork.builder(), RetryPolicy.provablySafe());
  }

  @ParameterizedTest
  @MethodSource("faults")
  void contentFailsInTheSameWayIfBytesArriveOneByOne(Fault fault) throws Exception {
    assertBreaks(fault, SimNetwork.builder().maxReadBytes(1), RetryPolicy.provablySafe());
  }

  @ParameterizedTest
  @MethodSource("faults")
  void noPolicyRepeatsARequestWhoseResponseHasBegun(Fault fault) throws Exception {
    assertBreaks(fault, SimNetwork.builder(), STUBBORN);
  }
}
