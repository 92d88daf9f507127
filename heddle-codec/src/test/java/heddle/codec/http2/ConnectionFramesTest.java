package heddle.codec.http2;

import static heddle.codec.http2.Wire.ACK;
import static heddle.codec.http2.Wire.data;
import static heddle.codec.http2.Wire.goAway;
import static heddle.codec.http2.Wire.lastData;
import static heddle.codec.http2.Wire.ping;
import static heddle.codec.http2.Wire.pingAck;
import static heddle.codec.http2.Wire.raw;
import static heddle.codec.http2.Wire.request;
import static heddle.codec.http2.Wire.response;
import static heddle.codec.http2.Wire.rst;
import static heddle.codec.http2.Wire.settings;
import static heddle.codec.http2.Wire.settingsAck;
import static heddle.codec.http2.Wire.upload;
import static heddle.codec.http2.frame.ErrorCode.CANCEL;
import static heddle.codec.http2.frame.ErrorCode.FLOW_CONTROL_ERROR;
import static heddle.codec.http2.frame.ErrorCode.FRAME_SIZE_ERROR;
import static heddle.codec.http2.frame.ErrorCode.INTERNAL_ERROR;
import static heddle.codec.http2.frame.ErrorCode.NO_ERROR;
import static heddle.codec.http2.frame.ErrorCode.PROTOCOL_ERROR;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.http2.frame.Settings;
import heddle.http.Headers;
import heddle.http.Method;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** RFC 9113 §6.5, §6.7, §6.8: the frames that belong to the connection. */
@ParameterizedClass
@EnumSource(Cut.class)
class ConnectionFramesTest {
  @Parameter
  private Cut cut;

  // ---- §6.5

  @Test
  void settingsOnAStreamEndTheConnection() {
    Script.server(cut).sends(raw(0x4, 0, 1, new byte[0])).breaks(0, PROTOCOL_ERROR);
    Script.client(cut).sends(raw(0x4, 0, 1, new byte[0])).breaks(0, PROTOCOL_ERROR);
  }

  @Test
  void acknowledgementWithAPayloadEndsTheConnection() {
    Script.server(cut).sends(raw(0x4, ACK, 0, new byte[6])).breaks(0, FRAME_SIZE_ERROR);
  }

  @Test
  void settingsOfAnotherSizeEndTheConnection() {
    Script.server(cut).sends(raw(0x4, 0, 0, new byte[5])).breaks(0, FRAME_SIZE_ERROR);
    Script.client(cut).sends(raw(0x4, 0, 0, new byte[7])).breaks(0, FRAME_SIZE_ERROR);
  }

  @Test
  void enablePushMustBeZeroOrOne() {
    Script.server(cut).sends(settings(2, 2)).breaks(0, PROTOCOL_ERROR);
    Script.server(cut).sends(settings(2, 1)).yields("settings").replies(settingsAck());
  }

  @Test
  void serverMustNotEnablePush() {
    Script.client(cut).sends(settings(2, 1)).breaks(0, PROTOCOL_ERROR);
  }

  @Test
  void initialWindowAboveTheBoundEndsTheConnection() {
    Script.server(cut).sends(settings(4, 0x80000000L)).breaks(0, FLOW_CONTROL_ERROR);
    Script.client(cut).sends(settings(4, 0xFFFFFFFFL)).breaks(0, FLOW_CONTROL_ERROR);
  }

  @Test
  void frameSizeOutOfRangeEndsTheConnection() {
    Script.server(cut).sends(settings(5, 16_383)).breaks(0, PROTOCOL_ERROR);
    Script.client(cut).sends(settings(5, 16_777_216)).breaks(0, PROTOCOL_ERROR);
  }

  @Test
  void unknownSettingsAreIgnored() {
    Script.server(cut).sends(settings(0x99, 7)).yields("settings").replies(settingsAck());
  }

  @Test
  void extendedConnectMustNotBeTakenBack() {
    Script.client(cut).sends(settings(8, 1), settings(8, 0)).breaks(0, PROTOCOL_ERROR);
    Script.client(cut).sends(settings(8, 2)).breaks(0, PROTOCOL_ERROR);
  }

  @Test
  void lastOfSeveralValuesCounts() {
    Script script = Script.client(cut).sends(settings(3, 5, 3, 9, 4, 1, 4, 70_000));
    assertEquals(9, script.session.peerSettings().maxConcurrentStreams());
    assertEquals(70_000, script.session.peerSettings().initialWindowSize());
  }

  @Test
  void settingsAreAcknowledgedEachAndInOrder() {
    Script.server(cut)
        .sends(settings(3, 5), ping(1), settings(3, 6))
        .yields("settings", "settings")
        .replies(pingAck(1), settingsAck(), settingsAck());
  }

  @Test
  void acknowledgementDoesNotOvertakeWhatWasSentUnderTheSettingsBefore() {
    Script script = Script.client(cut);
    script.get();
    script.sends(settings(1, 0));
    script.get();
    script.replies(Wire.lastHeaders(1, Wire.get()), settingsAck(), Wire.lastHeaders(3, Wire.get()));
  }

  @Test
  void settingsHoldOnlyOnceTheyAreSettled() {
    Script script = Script.client(cut);
    assertEquals(
        Settings.INITIAL.initialWindowSize(), script.session.peerSettings().initialWindowSize());
    script.sends(settings(4, 5));
    assertEquals(5, script.session.peerSettings().initialWindowSize());
  }

  // ---- §6.7

  @Test
  void pingIsAnsweredWithItsData() {
    Script.server(cut).sends(ping(0x0102030405060708L)).replies(pingAck(0x0102030405060708L));
    Script.client(cut).sends(ping(-1)).replies(pingAck(-1));
  }

  @Test
  void answerToAPingIsToldAndNotAnswered() {
    Script script = Script.client(cut);
    script.session.ping(5);
    script.replies(ping(5));
    script.sends(pingAck(5)).yields("pong 5").replies();
  }

  @Test
  void pingOnAStreamEndsTheConnection() {
    Script.server(cut).sends(raw(0x6, 0, 1, new byte[8])).breaks(0, PROTOCOL_ERROR);
  }

  @Test
  void pingOfAnotherSizeEndsTheConnection() {
    Script.server(cut).sends(raw(0x6, 0, 0, new byte[9])).breaks(0, FRAME_SIZE_ERROR);
    Script.client(cut).sends(raw(0x6, 0, 0, new byte[6])).breaks(0, FRAME_SIZE_ERROR);
  }

  @Test
  void pingOvertakesContent() {
    Script script = Script.server(cut).sends(upload(1)).yields("request 1 POST http a /");
    script.answers(1, false);
    script.session.data(script.stream(1), ByteBuffer.allocate(5_000), false);
    script.sends(ping(1));
    script.replies(pingAck(1), Wire.headers(1, Wire.ok()), data(1, 0, new byte[5_000]));
  }

  // ---- §6.8

  @Test
  void goAwayOnAStreamEndsTheConnection() {
    Script.client(cut).sends(raw(0x7, 0, 1, new byte[8])).breaks(0, PROTOCOL_ERROR);
  }

  @Test
  void goAwayThatIsTooShortEndsTheConnection() {
    Script.client(cut).sends(raw(0x7, 0, 0, new byte[7])).breaks(0, FRAME_SIZE_ERROR);
  }

  @Test
  void lastStreamOfGoAwayMustNotRise() {
    Script.client(cut).sends(goAway(5, NO_ERROR), goAway(7, NO_ERROR)).breaks(0, PROTOCOL_ERROR);
  }

  @Test
  void goAwayRefusesStreamsAboveLastId() {
    Script script = Script.client(cut);
    script.get();
    script.get();
    script.get();
    script.output();
    script.sends(goAway(3, NO_ERROR)).yields("goaway 3 NO_ERROR", "refused 5");
    assertTrue(script.session.isClosing());
    assertEquals(2, script.session.openStreams());
    assertThrows(IllegalStateException.class, script::get);
    script.sends(response(1)).yields("response 1 200", "end 1");
    assertFalse(script.session.isDrained());
    script.sends(goAway(1, NO_ERROR)).yields("goaway 1 NO_ERROR", "refused 3");
    assertTrue(script.session.isDrained());
    script.sends(response(5), data(3, "late")).ignores();
  }

  @Test
  void goAwayTellsItsReason() {
    Script.client(cut)
        .sends(goAway(0, INTERNAL_ERROR))
        .yields("goaway 0 INTERNAL_ERROR")
        .isAlive();
    Script server = Script.server(cut).sends(request(1)).yields("request 1 GET http a /", "end 1");
    server.sends(goAway(0, CANCEL)).yields("goaway 0 CANCEL");
    server.answers(1, true).replies(response(1));
  }

  @Test
  void goAwayOfOursIgnoresNewStreamsAndFinishesTheOthers() {
    Script script = Script.server(cut).sends(upload(1)).yields("request 1 POST http a /");
    script.session.goAway(NO_ERROR, "bye");
    script.replies(goAway(1, NO_ERROR));
    script
        .sends(upload(3), data(3, "x"), Wire.windowUpdate(3, 5), rst(3, CANCEL))
        .ignores();
    script.sends(lastData(1, "x")).yields("data 1 x", "end 1");
    assertFalse(script.session.isDrained());
    script.answers(1, true).replies(response(1));
    assertTrue(script.session.isDrained());
  }

  @Test
  void blocksOfStreamsLeftOutAreDecoded() {
    Script script = Script.server(cut).sends(upload(1)).yields("request 1 POST http a /");
    script.session.goAway(NO_ERROR, "");
    script.output();
    byte[] inserts = Wire.join(Wire.block(Wire.get()), Wire.indexed("x", "y"));
    script.sends(Wire.headers(3, Wire.END_HEADERS, inserts));
    script.sends(Wire.headers(1, Wire.END_HEADERS | Wire.END_STREAM, Wire.newest()));
    script.yields("trailers 1 {x: y}", "end 1");
  }

  @Test
  void drainNamesTheLastStreamWhenThePeerHasHeardOfIt() {
    Script script = Script.server(cut);
    script.session.drain();
    script.session.drain();
    script.replies(goAway(Integer.MAX_VALUE, NO_ERROR), ping(SharedState.DRAIN));
    script.sends(request(1)).yields("request 1 GET http a /", "end 1");
    script.sends(pingAck(SharedState.DRAIN)).yields().replies(goAway(1, NO_ERROR));
    script.sends(request(3)).ignores();
    assertFalse(script.session.isDrained());
    script.answers(1, true).replies(response(1));
    assertTrue(script.session.isDrained());
  }

  @Test
  void clientThatGoesAwayOpensNothingMore() {
    Script script = Script.client(cut);
    script.get();
    script.output();
    script.session.goAway(NO_ERROR, "");
    script.replies(goAway(0, NO_ERROR));
    assertFalse(script.session.canOpenStream());
    script.sends(response(1)).yields("response 1 200", "end 1");
    assertTrue(script.session.isDrained());
  }

  @Test
  void nothingIsSentAfterTheErrorOfTheConnection() {
    Script script = Script.server(cut).sends(upload(1)).yields("request 1 POST http a /");
    Http2Stream stream = script.stream(1);
    script.sends(raw(0x6, 0, 0, new byte[7])).breaks(1, FRAME_SIZE_ERROR);
    assertFalse(script.session.response(stream, heddle.http.Status.OK, Headers.empty(), false));
    script.session.reset(stream, CANCEL);
    script.session.ping(1);
    script.replies();
    assertTrue(script.session.isClosing());
  }

  @Test
  void requestAfterTheErrorOfTheConnectionIsRefused() {
    Script script = Script.client(cut).sends(raw(0x6, 0, 0, new byte[7]));
    script.breaks(0, FRAME_SIZE_ERROR);
    assertThrows(
        IllegalStateException.class,
        () -> script.session.request(Method.GET, "http", "a", "/", Headers.empty(), true, null));
  }
}
