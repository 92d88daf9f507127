package heddle.codec.http2;

import static heddle.codec.http2.Wire.ACK;
import static heddle.codec.http2.Wire.END_HEADERS;
import static heddle.codec.http2.Wire.END_STREAM;
import static heddle.codec.http2.Wire.bytes;
import static heddle.codec.http2.Wire.continuation;
import static heddle.codec.http2.Wire.data;
import static heddle.codec.http2.Wire.get;
import static heddle.codec.http2.Wire.headers;
import static heddle.codec.http2.Wire.ping;
import static heddle.codec.http2.Wire.post;
import static heddle.codec.http2.Wire.preface;
import static heddle.codec.http2.Wire.raw;
import static heddle.codec.http2.Wire.request;
import static heddle.codec.http2.Wire.settings;
import static heddle.codec.http2.Wire.settingsAck;
import static heddle.codec.http2.Wire.upload;
import static heddle.codec.http2.frame.ErrorCode.COMPRESSION_ERROR;
import static heddle.codec.http2.frame.ErrorCode.FRAME_SIZE_ERROR;
import static heddle.codec.http2.frame.ErrorCode.PROTOCOL_ERROR;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.Role;
import heddle.codec.http2.frame.Http2Exception;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** RFC 9113 §3.4 and §4: prefaces, the shape of frames, compression. */
@ParameterizedClass
@EnumSource(Cut.class)
class ConnectionStartTest {
  @Parameter
  private Cut cut;

  // ---- §3.4

  @Test
  void clientBeginsWithThePrefaceAndSettings() {
    Http2Session client = new Http2Session(Role.CLIENT, Http2Limits.CLIENT);
    ByteBuffer out = client.takeOutput()[0];
    byte[] first = new byte[24 + 9];
    out.get(first);
    assertEquals(
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", new String(first, 0, 24, StandardCharsets.US_ASCII));
    assertEquals(4, first[24 + 3], "SETTINGS");
  }

  @Test
  void serverBeginsWithSettings() {
    Http2Session server = new Http2Session(Role.SERVER, Http2Limits.SERVER);
    ByteBuffer out = server.takeOutput()[0];
    byte[] first = new byte[9];
    out.get(first);
    assertEquals(4, first[3], "SETTINGS");
    assertEquals(0, first[4], "no acknowledgement");
  }

  @Test
  void wrongPrefaceEndsTheConnection() {
    for (String wrong : new String[] {
      "GET / HTTP/1.1\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\rX", "\0\0\0\4\0\0\0\0\0"
    }) {
      Script.newServer(cut, Http2Limits.SERVER).sends(bytes(wrong)).breaks(0, PROTOCOL_ERROR);
    }
  }

  @Test
  void clientsFirstFrameMustBeSettings() {
    for (Wire wrong :
        new Wire[] {ping(1), settingsAck(), request(1), raw(0x77, 0, 0, new byte[1])}) {
      Script.newServer(cut, Http2Limits.SERVER).sends(preface(), wrong).breaks(0, PROTOCOL_ERROR);
    }
  }

  @Test
  void serversFirstFrameMustBeSettings() {
    for (Wire wrong : new Wire[] {ping(1), settingsAck(), raw(0x77, 0, 0, new byte[1])}) {
      Script.newClient(cut, Http2Limits.CLIENT).sends(wrong).breaks(0, PROTOCOL_ERROR);
    }
  }

  @Test
  void serverThatAnswersInHttp1IsSaidToDoSo() {
    Script script = Script.newClient(Cut.WHOLE, Http2Limits.CLIENT);
    script.sends(bytes("HTTP/1.1 400 Bad Request\r\n\r\n")).breaks(0, PROTOCOL_ERROR);
    assertTrue(script.broken.getMessage().contains("HTTP/1"));
  }

  @Test
  void clientMaySendRequestsBeforeTheServersSettings() {
    Script.newServer(cut, Http2Limits.SERVER)
        .sends(preface(), settings(), request(1))
        .yields("settings", "request 1 GET http a /", "end 1");
  }

  @Test
  void inputMayEndBetweenFramesOnly() throws Http2Exception {
    Script script = Script.server(cut);
    script.session.endOfInput();
    script.sends(new Wire("", Arrays.copyOf(ping(1).bytes(), 12)));
    assertThrows(Http2Exception.class, script.session::endOfInput);
    Script unfinished = Script.newServer(cut, Http2Limits.SERVER).sends(bytes("PRI"));
    assertThrows(Http2Exception.class, unfinished.session::endOfInput);
  }

  @Test
  void incompleteHeadIsTold() {
    Script script = Script.newServer(cut, Http2Limits.SERVER);
    assertTrue(script.session.isInHead());
    script.sends(preface(), settings());
    assertFalse(script.session.isInHead());
    script.sends(headers(1, END_STREAM, Wire.block(get())));
    assertTrue(script.session.isInHead());
    script.sends(continuation(1, END_HEADERS, new byte[0]));
    assertFalse(script.session.isInHead());
  }

  // ---- §4.1, §4.2

  @Test
  void unknownFramesAreIgnored() {
    Script.server(cut)
        .sends(raw(0x77, 0xFF, 5, new byte[9]), raw(0xFF, 0, 0, new byte[0]))
        .ignores();
    Script.client(cut)
        .sends(raw(0x77, 0xFF, 5, new byte[9]), raw(0xFF, 0, 0, new byte[0]))
        .ignores();
  }

  @Test
  void undefinedFlagsAreIgnored() {
    Script.server(cut)
        .sends(raw(0x6, 0xF0, 0, new byte[8]))
        .replies(Wire.pingAck(0))
        .sends(headers(1, 0xC0 | END_HEADERS | END_STREAM, Wire.block(get())))
        .yields("request 1 GET http a /", "end 1");
  }

  @Test
  void reservedBitOfTheStreamIdIsIgnored() {
    Script.server(cut)
        .sends(raw(0x1, END_HEADERS | END_STREAM, 1 | 1 << 31, Wire.block(get())))
        .yields("request 1 GET http a /", "end 1");
  }

  @Test
  void oversizedDataIsAnErrorOfItsStream() {
    Script script = Script.server(cut)
        .sends(upload(1), upload(3))
        .yields("request 1 POST http a /", "request 3 POST http a /");
    script.sends(data(1, 0, new byte[16_385])).resets(1, FRAME_SIZE_ERROR);
    script.sends(data(3, "x")).yields("data 3 x");
  }

  @Test
  void oversizedHeadersAreAnErrorOfTheConnection() {
    Script.server(cut).sends(headers(1, END_HEADERS, new byte[16_385])).breaks(0, FRAME_SIZE_ERROR);
  }

  @Test
  void oversizedControlFramesAreAnErrorOfTheConnection() {
    Script.server(cut).sends(raw(0x4, 0, 0, new byte[16_386])).breaks(0, FRAME_SIZE_ERROR);
    Script.client(cut).sends(raw(0x7, 0, 0, new byte[16_385])).breaks(0, FRAME_SIZE_ERROR);
  }

  @Test
  void framesOfTheLargestSizeAreTaken() {
    Script script = Script.server(cut).sends(upload(1)).yields("request 1 POST http a /");
    script.sends(data(1, 0, "x".repeat(16_384).getBytes(StandardCharsets.US_ASCII)));
    script.yields("data 1 " + "x".repeat(16_384));
  }

  // ---- §4.3

  @Test
  void blockThatCannotBeDecodedEndsTheConnection() {
    byte[] beyondTheTable = {(byte) 0xFF, (byte) 0xFF, 0x7F};
    Script.server(cut).sends(headers(1, END_HEADERS, beyondTheTable)).breaks(0, COMPRESSION_ERROR);
    Script client = Script.client(cut);
    client.get();
    client.output();
    client.sends(headers(1, END_HEADERS, beyondTheTable)).breaks(0, COMPRESSION_ERROR);
  }

  @Test
  void tableLargerThanAdvertisedEndsTheConnection() {
    byte[] to4097 = {0x3F, (byte) 0xE2, 0x1F};
    Script.server(cut).sends(headers(1, END_HEADERS, to4097)).breaks(0, COMPRESSION_ERROR);
  }

  @Test
  void blockMayComeInParts() {
    byte[] block = Wire.block(post("x", "y"));
    Script.server(cut)
        .sends(
            headers(1, 0, Arrays.copyOf(block, 5)),
            continuation(1, 0, Arrays.copyOfRange(block, 5, 20)),
            continuation(1, 0, new byte[0]),
            continuation(1, END_HEADERS, Arrays.copyOfRange(block, 20, block.length)))
        .yields("request 1 POST http a / {x: y}");
  }

  @Test
  void everyBlockIsDecodedWhateverBecomesOfIt() {
    // A stream that is refused inserts into the table what the next one refers to.
    byte[] malformed = Wire.join(Wire.indexed("x", "y"), Wire.block(get()));
    byte[] refers = Wire.join(Wire.block(get()), Wire.newest());
    Script script = Script.server(cut);
    script.sends(headers(1, END_HEADERS | END_STREAM, malformed)).resets(1, PROTOCOL_ERROR);
    script
        .sends(headers(3, END_HEADERS | END_STREAM, refers))
        .yields("request 3 GET http a / {x: y}", "end 3");
  }

  @Test
  void acknowledgedSettingsAreNotAnsweredAgain() {
    Script.server(cut).sends(raw(0x4, ACK, 0, new byte[0])).ignores();
  }
}
