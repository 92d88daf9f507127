package heddle.codec.http2;

import static heddle.codec.http2.Wire.END_HEADERS;
import static heddle.codec.http2.Wire.END_STREAM;
import static heddle.codec.http2.Wire.PADDED;
import static heddle.codec.http2.Wire.block;
import static heddle.codec.http2.Wire.continuation;
import static heddle.codec.http2.Wire.data;
import static heddle.codec.http2.Wire.get;
import static heddle.codec.http2.Wire.headers;
import static heddle.codec.http2.Wire.join;
import static heddle.codec.http2.Wire.priority;
import static heddle.codec.http2.Wire.pushPromise;
import static heddle.codec.http2.Wire.raw;
import static heddle.codec.http2.Wire.request;
import static heddle.codec.http2.Wire.upload;
import static heddle.codec.http2.frame.ErrorCode.ENHANCE_YOUR_CALM;
import static heddle.codec.http2.frame.ErrorCode.FRAME_SIZE_ERROR;
import static heddle.codec.http2.frame.ErrorCode.PROTOCOL_ERROR;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** RFC 9113 §6.1 to §6.4, §6.6, §6.10: the frames that belong to a stream. */
@ParameterizedClass
@EnumSource(Cut.class)
class FramesOfStreamsTest {
  private static final String UPLOAD = "request 1 POST http a /";

  @Parameter
  private Cut cut;

  private Script open() {
    return Script.server(cut).sends(upload(1)).yields(UPLOAD);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  // ---- §6.1

  @Test
  void dataOnStreamZeroEndsTheConnection() {
    open().sends(data(0, "x")).breaks(1, PROTOCOL_ERROR);
    Script.client(cut).sends(data(0, "x")).breaks(0, PROTOCOL_ERROR);
  }

  @Test
  void paddingOfDataIsLeftOut() {
    byte[] padded = join(new byte[] {4}, ascii("hello"), new byte[4]);
    open()
        .sends(data(1, PADDED | END_STREAM, padded))
        .yields("data 1 hello", "end 1")
        .isAlive();
  }

  @Test
  void paddingAloneIsData() {
    open().sends(data(1, PADDED | END_STREAM, new byte[] {3, 0, 0, 0})).yields("end 1");
  }

  @Test
  void paddingAsLongAsTheFrameEndsTheConnection() {
    byte[] tooMuch = join(new byte[] {6}, ascii("hello"));
    open().sends(data(1, PADDED, tooMuch)).breaks(1, PROTOCOL_ERROR);
    Script client = Script.client(cut);
    client.get();
    client.output();
    client.sends(headers(1, Wire.ok()), data(1, PADDED, tooMuch));
    client.breaks(0, PROTOCOL_ERROR);
  }

  @Test
  void paddingCountsAgainstBothWindows() {
    Script script = open().keepsContent();
    byte[] padded = join(new byte[] {(byte) 255}, new byte[255 + 16_384 - 256]);
    for (int i = 0; i < 16; i++) {
      script.sends(data(1, PADDED, padded));
    }
    script.sends(data(1, "x"));
    script.replies(Wire.rst(1, heddle.codec.http2.frame.ErrorCode.FLOW_CONTROL_ERROR));
  }

  // ---- §6.2

  @Test
  void headersOnStreamZeroEndTheConnection() {
    Script.server(cut).sends(request(0)).breaks(0, PROTOCOL_ERROR);
    Script.client(cut).sends(Wire.response(0)).breaks(0, PROTOCOL_ERROR);
  }

  @Test
  void paddingOfHeadersIsLeftOut() {
    byte[] padded = join(new byte[] {2}, block(get()), new byte[2]);
    Script.server(cut)
        .sends(headers(1, PADDED | END_HEADERS | END_STREAM, padded))
        .yields("request 1 GET http a /", "end 1");
  }

  @Test
  void paddingOfHeadersThatDoesNotFitEndsTheConnection() {
    Script.server(cut)
        .sends(headers(1, PADDED | END_HEADERS, new byte[] {5, 1, 2, 3}))
        .breaks(0, PROTOCOL_ERROR);
  }

  // ---- §6.3

  @Test
  void priorityOnStreamZeroEndsTheConnection() {
    Script.server(cut).sends(priority(0, 1)).breaks(0, PROTOCOL_ERROR);
  }

  @Test
  void priorityOfAnotherSizeIsAnErrorOfItsStream() {
    open().sends(raw(0x2, 0, 1, new byte[4])).resets(1, FRAME_SIZE_ERROR);
    open().sends(raw(0x2, 0, 1, new byte[6])).resets(1, FRAME_SIZE_ERROR);
  }

  // ---- §6.4

  @Test
  void resetOnStreamZeroEndsTheConnection() {
    open().sends(raw(0x3, 0, 0, new byte[4])).breaks(1, PROTOCOL_ERROR);
  }

  @Test
  void resetOfAnotherSizeEndsTheConnection() {
    open().sends(raw(0x3, 0, 1, new byte[3])).breaks(1, FRAME_SIZE_ERROR);
    open().sends(raw(0x3, 0, 1, new byte[5])).breaks(1, FRAME_SIZE_ERROR);
  }

  @Test
  void resetWithAnUnknownCodeIsTakenForAnInternalError() {
    open()
        .sends(raw(0x3, 0, 1, Wire.int32(0xFFFF)))
        .yields("reset 1 INTERNAL_ERROR")
        .isAlive();
  }

  // ---- §6.6, §8.4

  @Test
  void pushIsRefusedByAClient() {
    Script script = Script.client(cut);
    script.get();
    script.output();
    script.sends(pushPromise(1, 2)).breaks(0, PROTOCOL_ERROR);
  }

  @Test
  void pushFromAClientEndsTheConnection() {
    open().sends(pushPromise(1, 2)).breaks(1, PROTOCOL_ERROR);
  }

  @Test
  void pushOnStreamZeroEndsTheConnection() {
    Script.client(cut).sends(pushPromise(0, 2)).breaks(0, PROTOCOL_ERROR);
  }

  // ---- §6.10

  @Test
  void continuationWithoutABlockEndsTheConnection() {
    open().sends(continuation(1, END_HEADERS, new byte[0])).breaks(1, PROTOCOL_ERROR);
    Script.server(cut)
        .sends(request(1), continuation(1, END_HEADERS, new byte[0]))
        .breaks(1, PROTOCOL_ERROR);
  }

  @Test
  void continuationOfAnotherStreamEndsTheConnection() {
    Script.server(cut)
        .sends(headers(1, 0, block(get())), continuation(3, END_HEADERS, new byte[0]))
        .breaks(0, PROTOCOL_ERROR);
  }

  @Test
  void continuationOnStreamZeroEndsTheConnection() {
    Script.server(cut)
        .sends(headers(1, 0, block(get())), continuation(0, END_HEADERS, new byte[0]))
        .breaks(0, PROTOCOL_ERROR);
  }

  @Test
  void nothingMayComeBetweenThePartsOfABlock() {
    Wire[] others = {data(1, "x"), Wire.ping(1), request(3), Wire.settings(), priority(1, 0)};
    for (Wire other : others) {
      Script.server(cut).sends(headers(1, 0, block(get())), other).breaks(0, PROTOCOL_ERROR);
    }
  }

  @Test
  void blockInTooManyPartsEndsTheConnection() {
    Script script = Script.server(cut).sends(headers(1, END_STREAM, block(get())));
    for (int i = 0; i < 9; i++) {
      script.sends(continuation(1, 0, new byte[0]));
    }
    script.breaks(0, ENHANCE_YOUR_CALM);
  }

  @Test
  void blockThatIsTooLargeEndsTheConnection() {
    Http2Limits limits =
        Http2Limits.SERVER.toBuilder().heads(65_536, 200, 30_000, 8).build();
    Script.server(cut, limits)
        .sends(headers(1, 0, new byte[16_000]), continuation(1, 0, new byte[16_000]))
        .breaks(0, ENHANCE_YOUR_CALM);
  }
}
