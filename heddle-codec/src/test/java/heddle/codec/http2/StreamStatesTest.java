package heddle.codec.http2;

import static heddle.codec.http2.Wire.END_HEADERS;
import static heddle.codec.http2.Wire.END_STREAM;
import static heddle.codec.http2.Wire.PRIORITY;
import static heddle.codec.http2.Wire.data;
import static heddle.codec.http2.Wire.get;
import static heddle.codec.http2.Wire.headers;
import static heddle.codec.http2.Wire.lastData;
import static heddle.codec.http2.Wire.lastHeaders;
import static heddle.codec.http2.Wire.ok;
import static heddle.codec.http2.Wire.post;
import static heddle.codec.http2.Wire.priority;
import static heddle.codec.http2.Wire.raw;
import static heddle.codec.http2.Wire.request;
import static heddle.codec.http2.Wire.response;
import static heddle.codec.http2.Wire.rst;
import static heddle.codec.http2.Wire.upload;
import static heddle.codec.http2.Wire.windowUpdate;
import static heddle.codec.http2.frame.ErrorCode.CANCEL;
import static heddle.codec.http2.frame.ErrorCode.PROTOCOL_ERROR;
import static heddle.codec.http2.frame.ErrorCode.REFUSED_STREAM;
import static heddle.codec.http2.frame.ErrorCode.STREAM_CLOSED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.http2.frame.ErrorCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** RFC 9113 §5.1 to §5.5: what a stream's state allows, and what follows where it does not. */
@ParameterizedClass
@EnumSource(Cut.class)
class StreamStatesTest {
  private static final String REQUEST = "request 1 GET http a /";
  private static final String UPLOAD = "request 1 POST http a /";

  @Parameter
  private Cut cut;

  /** A server that has received the head of a request whose content is to come. */
  private Script open() {
    return Script.server(cut).sends(upload(1)).yields(UPLOAD);
  }

  /** A server whose stream 1 is half-closed (remote). */
  private Script halfClosed() {
    return Script.server(cut).sends(request(1)).yields(REQUEST, "end 1");
  }

  /** A server that has answered stream 1. */
  private Script closed() {
    return halfClosed().answers(1, true).replies(response(1));
  }

  /** A client whose request on stream 1 was sent; its content too, or not. */
  private Script asking(boolean whole) {
    Script script = Script.client(cut);
    if (whole) {
      script.get();
    } else {
      script.post();
    }
    script.output();
    return script;
  }

  // ---- idle

  @Test
  void dataOnAnIdleStreamEndsTheConnection() {
    Script.server(cut).sends(data(1, "x")).breaks(0, PROTOCOL_ERROR);
    Script.client(cut).sends(data(1, "x")).breaks(0, PROTOCOL_ERROR);
  }

  @Test
  void resetOfAnIdleStreamEndsTheConnection() {
    Script.server(cut).sends(rst(1, CANCEL)).breaks(0, PROTOCOL_ERROR);
    Script.client(cut).sends(rst(1, CANCEL)).breaks(0, PROTOCOL_ERROR);
  }

  @Test
  void creditForAnIdleStreamEndsTheConnection() {
    Script.server(cut).sends(windowUpdate(1, 1)).breaks(0, PROTOCOL_ERROR);
    Script.client(cut).sends(windowUpdate(2, 1)).breaks(0, PROTOCOL_ERROR);
  }

  @Test
  void responseOnAnIdleStreamEndsTheConnection() {
    Script.client(cut).sends(response(1)).breaks(0, PROTOCOL_ERROR);
  }

  @Test
  void priorityOnAnIdleStreamIsIgnored() {
    Script.server(cut).sends(priority(1, 0), priority(2, 5)).ignores();
  }

  // ---- half-closed (remote)

  @Test
  void dataAfterTheEndIsAnErrorOfTheStream() {
    halfClosed().sends(data(1, "x")).resets(1, STREAM_CLOSED);
    asking(false)
        .sends(response(1))
        .yields("response 1 200", "end 1")
        .sends(data(1, "x"))
        .resets(1, STREAM_CLOSED);
  }

  @Test
  void headersAfterTheEndAreAnErrorOfTheStream() {
    halfClosed().sends(request(1)).resets(1, STREAM_CLOSED);
    asking(false)
        .sends(response(1))
        .yields("response 1 200", "end 1")
        .sends(response(1))
        .resets(1, STREAM_CLOSED);
  }

  @Test
  void creditPriorityAndResetAreTakenAfterTheEnd() {
    Script script = halfClosed().sends(windowUpdate(1, 10), priority(1, 0)).ignores();
    script.sends(rst(1, CANCEL)).yields("reset 1 CANCEL").replies();
    assertEquals(0, script.session.openStreams());
  }

  // ---- closed

  @Test
  void dataOnAClosedStreamEndsTheConnection() {
    closed().sends(data(1, "x")).breaks(1, STREAM_CLOSED);
    asking(true)
        .sends(response(1))
        .yields("response 1 200", "end 1")
        .sends(data(1, "x"))
        .breaks(0, STREAM_CLOSED);
  }

  @Test
  void headersOnAClosedStreamEndTheConnection() {
    closed().sends(request(1)).breaks(1, STREAM_CLOSED);
    asking(true)
        .sends(response(1))
        .yields("response 1 200", "end 1")
        .sends(response(1))
        .breaks(0, STREAM_CLOSED);
  }

  @Test
  void creditPriorityAndResetOnAClosedStreamAreIgnored() {
    closed().sends(windowUpdate(1, 10), priority(1, 0), rst(1, CANCEL)).ignores();
    closed().sends(windowUpdate(1, 0), priority(1, 1)).ignores();
  }

  @Test
  void framesOnTheirWayToAStreamThatWeResetAreIgnored() {
    Script script = open();
    script.session.reset(script.stream(1), CANCEL);
    script.replies(rst(1, CANCEL));
    script
        .sends(
            data(1, "late"),
            windowUpdate(1, 5),
            priority(1, 0),
            headers(1, END_HEADERS | END_STREAM, Wire.indexed("x", "y")))
        .ignores();
    // The block was decoded for the sake of those that follow.
    byte[] refers = Wire.join(Wire.block(get()), Wire.newest());
    script
        .sends(headers(3, END_HEADERS | END_STREAM, refers))
        .yields("request 3 GET http a / {x: y}", "end 3");
  }

  @Test
  void clientIgnoresTheResponseToARequestThatItReset() {
    Script script = asking(true);
    script.session.reset(script.session.streams().getFirst(), CANCEL);
    script.replies(rst(1, CANCEL));
    script.sends(headers(1, ok()), data(1, "late"), rst(1, CANCEL)).ignores();
  }

  @Test
  void contentOfAStreamThatWeResetGoesBackToTheConnection() {
    Script script = open();
    script.session.reset(script.stream(1), CANCEL);
    script.output();
    for (int i = 0; i < 15; i++) {
      script.sends(data(1, 0, new byte[16_384]));
    }
    script.replies();
    script.sends(data(1, 0, new byte[16_384])).replies(windowUpdate(0, 16 * 16_384));
  }

  @Test
  void framesAfterTheirResetAreAnErrorOfTheStream() {
    open()
        .sends(rst(1, CANCEL))
        .yields("reset 1 CANCEL")
        .sends(data(1, "x"))
        .resets(1, STREAM_CLOSED);
    open()
        .sends(rst(1, CANCEL))
        .yields("reset 1 CANCEL")
        .sends(lastHeaders(1, post()))
        .resets(1, STREAM_CLOSED);
    asking(true)
        .sends(rst(1, CANCEL))
        .yields("reset 1 CANCEL")
        .sends(response(1))
        .resets(1, STREAM_CLOSED);
  }

  @Test
  void streamIsResetOnceHoweverMuchFollows() {
    Script script = halfClosed().sends(data(1, "x")).resets(1, STREAM_CLOSED);
    script.sends(data(1, "y"), request(1)).ignores();
  }

  @Test
  void resetIsNeverAnsweredWithAReset() {
    open()
        .sends(rst(1, CANCEL), rst(1, CANCEL))
        .yields("reset 1 CANCEL")
        .replies()
        .isAlive();
  }

  @Test
  void streamForgottenLongAgoIsNoReasonToEndTheConnection() {
    Script script = Script.server(cut);
    for (int id = 1; id < 2_400; id += 2) {
      script.now += 1_000_000_000L; // slowly: no flood
      script.sends(upload(id));
      script.session.reset(script.stream(id), CANCEL);
    }
    script.output();
    script.sends(data(1, "late")).replies().isAlive();
  }

  // ---- §5.1.1

  @Test
  void clientMustNotOpenAnEvenStream() {
    Script.server(cut).sends(request(2)).breaks(0, PROTOCOL_ERROR);
  }

  @Test
  void streamIdsMustRise() {
    Script script = Script.server(cut).sends(request(5)).yields("request 5 GET http a /", "end 5");
    script.sends(request(3)).breaks(5, PROTOCOL_ERROR);
  }

  @Test
  void serverMustNotOpenAStream() {
    asking(true).sends(response(2)).breaks(0, PROTOCOL_ERROR);
  }

  @Test
  void clientStopsWhenStreamIdsRunOut() {
    Script script = Script.client(cut);
    script.session.nextStreamId(Integer.MAX_VALUE - 2);
    assertEquals(Integer.MAX_VALUE - 2, script.get().id());
    assertFalse(script.session.isClosing());
    assertEquals(Integer.MAX_VALUE, script.get().id());
    assertTrue(script.session.isClosing());
    assertFalse(script.session.canOpenStream());
    assertThrows(IllegalStateException.class, script::get);
    script.output();
    script.sends(response(Integer.MAX_VALUE)).yields("response 2147483647 200", "end 2147483647");
  }

  @Test
  void serverTakesTheHighestStreamId() {
    Script.server(cut)
        .sends(request(Integer.MAX_VALUE))
        .yields("request 2147483647 GET http a /", "end 2147483647");
  }

  // ---- §5.1.2

  @Test
  void streamsAboveOurLimitAreRefused() {
    Script script =
        Script.server(cut, Http2Limits.SERVER.toBuilder().maxStreams(2).build());
    script.sends(upload(1), upload(3));
    script.yields(UPLOAD, "request 3 POST http a /");
    script.sends(upload(5)).resets(5, REFUSED_STREAM);
    script.sends(data(5, "late"), lastData(1, "x")).yields("data 1 x", "end 1").replies();
    script.answers(1, true).replies(response(1));
    script.sends(request(7)).yields("request 7 GET http a /", "end 7");
  }

  @Test
  void clientKeepsToTheServersLimit() {
    Script script = Script.client(cut);
    assertEquals(Integer.MAX_VALUE, script.session.maxStreams());
    script.sends(Wire.settings(3, 2)).yields("settings");
    assertEquals(2, script.session.maxStreams());
    script.get();
    assertTrue(script.session.canOpenStream());
    script.get();
    assertFalse(script.session.canOpenStream());
    assertThrows(IllegalStateException.class, script::get);
    script.output();
    script.sends(response(3)).yields("response 3 200", "end 3");
    assertTrue(script.session.canOpenStream());
    script.sends(Wire.settings(3, 0)).yields("settings");
    assertFalse(script.session.canOpenStream());
  }

  @Test
  void oneHundredStreamsAreAssumedBeforeSettings() {
    Script script = Script.newClient(cut, Http2Limits.CLIENT);
    for (int i = 0; i < 100; i++) {
      script.get();
    }
    assertFalse(script.session.canOpenStream());
  }

  // ---- §5.3, §5.4, §5.5

  @Test
  void streamThatDependsOnItselfIsReset() {
    byte[] itself = Wire.join(Wire.int32(1), new byte[] {0}, Wire.block(get()));
    Script.server(cut)
        .sends(headers(1, END_HEADERS | END_STREAM | PRIORITY, itself))
        .resets(1, PROTOCOL_ERROR);
    open().sends(priority(1, 1)).resets(1, PROTOCOL_ERROR);
  }

  @Test
  void priorityInHeadersIsReadAndIgnored() {
    byte[] other = Wire.join(Wire.int32(3), new byte[] {0}, Wire.block(get()));
    Script.server(cut)
        .sends(headers(1, END_HEADERS | END_STREAM | PRIORITY, other))
        .yields(REQUEST, "end 1");
  }

  @Test
  void priorityUpdateIsTakenFromClientsOnly() {
    Script.server(cut).sends(Wire.priorityUpdate(1)).ignores();
    Script.client(cut).sends(Wire.priorityUpdate(1)).breaks(0, PROTOCOL_ERROR);
  }

  @Test
  void errorOfTheConnectionNamesTheLastStreamThatWasTaken() {
    Script script = Script.server(cut).sends(upload(1), upload(7), raw(0x6, 0, 0, new byte[7]));
    script.breaks(7, ErrorCode.FRAME_SIZE_ERROR);
  }

  @Test
  void nothingIsTakenAfterAnErrorOfTheConnection() {
    Script script = Script.server(cut).sends(data(1, "x")).breaks(0, PROTOCOL_ERROR);
    assertThrows(
        IllegalStateException.class,
        () -> script.session.next(java.nio.ByteBuffer.wrap(new byte[1]), script.now));
  }

  @Test
  void unknownFrameInsideAFieldBlockEndsTheConnection() {
    Script.server(cut)
        .sends(headers(1, END_STREAM, Wire.block(get())), raw(0x77, 0, 1, new byte[1]))
        .breaks(0, PROTOCOL_ERROR);
  }
}
