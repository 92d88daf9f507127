package heddle.codec.http2.frame;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import heddle.codec.hpack.HpackOutput;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * A frame and its bytes.
 *
 * @param hex the bytes, spaces between them as one likes
 * @param encodesBack whether the frame is written with the same bytes: padding of field blocks and
 *     reserved bits are not kept
 */
record FrameCase(String name, String hex, boolean encodesBack, Frame frame) {
  private static final int LEAST = Settings.LEAST_FRAME_SIZE;

  byte[] bytes() {
    return bytes(hex);
  }

  static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }

  @Override
  public String toString() {
    return name;
  }

  /** The frames of every type, with every flag that changes how they are read. */
  static List<FrameCase> all() {
    return List.of(
        same("DATA", "000003 00 00 00000001 616263", new Frame.Data(1, false, text("abc"))),
        same("empty DATA", "000000 00 00 00000001", new Frame.Data(1, false, text(""))),
        same("DATA that ends", "000001 00 01 7fffffff 61", data(0x7fffffff, true, "a", 1)),
        same("empty DATA that ends", "000000 00 01 00000003", data(3, true, "", 0)),
        same("padded DATA", "000006 00 08 00000001 03 6162 000000", data(1, false, "ab", 6)),
        same("DATA with no padding", "000003 00 09 00000001 00 6162", data(1, true, "ab", 3)),
        same("DATA of padding alone", "000003 00 09 00000001 02 0000", data(1, true, "", 3)),
        same("HEADERS", "000002 01 04 00000001 8286", headers(1, false, true, "\u0082\u0086")),
        same("HEADERS that end", "000001 01 05 00000003 82", headers(3, true, true, "\u0082")),
        same("priority", "000006 01 24 00000005 80000003 0f 82", withPriority()),
        read(
            "padded HEADERS",
            "000004 01 0c 00000001 02 82 0000",
            headers(1, false, true, "\u0082")),
        read("all of HEADERS", "000008 01 2d 00000005 01 80000003 0f 82 00", allOfHeaders()),
        same("PRIORITY", "000005 02 00 00000003 00000001 ff", priority(3, false, 1, 256)),
        same(
            "RST_STREAM",
            "000004 03 00 00000007 00000008",
            new Frame.RstStream(7, ErrorCode.CANCEL)),
        same("unknown error", "000004 03 00 00000007 fffffffe", new Frame.RstStream(7, -2)),
        same("SETTINGS", "00000c 04 00 00000000 0003 00000064 0004 ffffffff", settings()),
        same("SETTINGS empty", "000000 04 00 00000000", new Frame.Settings(false, List.of())),
        same("SETTINGS ACK", "000000 04 01 00000000", Frame.Settings.ACKNOWLEDGEMENT),
        same(
            "PING",
            "000008 06 00 00000000 0123456789abcdef",
            new Frame.Ping(false, 0x0123456789abcdefL)),
        same("PING ACK", "000008 06 01 00000000 ffffffffffffffff", new Frame.Ping(true, -1)),
        same("GOAWAY", "00000a 07 00 00000000 00000005 0000000b 6869", goAway()),
        read(
            "GOAWAY, reserved",
            "000008 07 00 80000000 80000005 00000000",
            new Frame.GoAway(5, 0, text(""))),
        same(
            "WINDOW_UPDATE",
            "000004 08 00 00000003 7fffffff",
            new Frame.WindowUpdate(3, Integer.MAX_VALUE)),
        read("reserved bits", "000004 08 00 80000000 80000001", new Frame.WindowUpdate(0, 1)),
        same(
            "PRIORITY_UPDATE",
            "000007 10 00 00000000 00000003 753d31",
            new Frame.PriorityUpdate(3, text("u=1"))),
        same("grease", "000002 0b ff 00000002 6162", new Frame.Unknown(0x0b, 0xff, 2, text("ab"))),
        large());
  }

  /** What a field block in several frames looks like; each has to come after the one before. */
  static List<FrameCase> fieldBlock() {
    return List.of(
        same("first", "000001 01 01 00000001 82", headers(1, true, false, "\u0082")),
        same("second", "000000 09 00 00000001", new Frame.Continuation(1, false, text(""))),
        same("last", "000001 09 04 00000001 86", new Frame.Continuation(1, true, text("\u0086"))),
        same("promise", "000005 05 00 00000001 00000002 82", promise(false)),
        same("its end", "000000 09 04 00000001", new Frame.Continuation(1, true, text(""))),
        read("padded", "000007 05 0c 00000001 01 00000002 82 00", promise(true)));
  }

  private static FrameCase same(String name, String hex, Frame frame) {
    return new FrameCase(name, hex, true, frame);
  }

  private static FrameCase read(String name, String hex, Frame frame) {
    return new FrameCase(name, hex, false, frame);
  }

  private static FrameCase large() {
    String content = "x".repeat(LEAST);
    String hex = "004000 00 00 00000001 " + "78".repeat(LEAST);
    return same("largest DATA", hex, new Frame.Data(1, false, text(content)));
  }

  private static Frame data(int streamId, boolean end, String content, int flowControlled) {
    return new Frame.Data(streamId, end, text(content), flowControlled);
  }

  private static Frame headers(int streamId, boolean end, boolean complete, String block) {
    return new Frame.Headers(streamId, end, complete, text(block));
  }

  private static Frame withPriority() {
    var signal = new Frame.Priority.Signal(true, 3, 16);
    return new Frame.Headers(5, false, true, text("\u0082"), signal);
  }

  private static Frame allOfHeaders() {
    var signal = new Frame.Priority.Signal(true, 3, 16);
    return new Frame.Headers(5, true, true, text("\u0082"), signal);
  }

  private static Frame priority(int streamId, boolean exclusive, int dependency, int weight) {
    return new Frame.Priority(streamId, new Frame.Priority.Signal(exclusive, dependency, weight));
  }

  private static Frame settings() {
    return new Frame.Settings(
        false,
        List.of(
            new Frame.Settings.Parameter(Settings.MAX_CONCURRENT_STREAMS, 100),
            new Frame.Settings.Parameter(Settings.INITIAL_WINDOW_SIZE, 0xffffffffL)));
  }

  private static Frame goAway() {
    return new Frame.GoAway(5, ErrorCode.ENHANCE_YOUR_CALM, "hi");
  }

  private static Frame promise(boolean complete) {
    return new Frame.PushPromise(1, complete, 2, text("\u0082"));
  }

  static ByteBuffer text(String text) {
    return ByteBuffer.wrap(text.getBytes(ISO_8859_1));
  }

  static byte[] encode(Frame frame) {
    var out = new HpackOutput(0);
    frame.encode(out);
    return Arrays.copyOf(out.array(), out.length());
  }
}
