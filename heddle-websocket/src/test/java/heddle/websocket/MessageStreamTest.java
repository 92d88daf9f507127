package heddle.websocket;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.websocket.MessageStream.Part;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages in parts. */
final class MessageStreamTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private static byte[] hex(String hex) {
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }

  private static MessageStream receiving(InputStream in) {
    return new MessageStream(Role.CLIENT, in, OutputStream.nullOutputStream(), null);
  }

  private MessageStream sending() {
    return new MessageStream(Role.CLIENT, InputStream.nullInputStream(), out, null);
  }

  /** What the server reads of what was sent. */
  private Message sent() throws IOException {
    FrameReader frames =
        new FrameReader(new ByteArrayInputStream(out.toByteArray()), Role.SERVER, false);
    return new MessageReader(frames, Integer.MAX_VALUE, null, MessageMemoryTest.uncounted())
        .next((opcode, payload) -> true);
  }

  /** Bytes that arrive a few at a time: no more are available before these were read. */
  private static final class Arriving extends InputStream {
    private final byte[] bytes;
    private final int most;
    private int position;
    private int arrived;

    Arriving(byte[] bytes, int most) {
      this.bytes = bytes;
      this.most = most;
    }

    @Override
    public int read() {
      throw new UnsupportedOperationException("byte by byte");
    }

    @Override
    public int read(byte[] target, int offset, int count) {
      if (position == arrived) {
        arrived = Math.min(bytes.length, arrived + most);
      }
      int read = Math.min(count, arrived - position);
      System.arraycopy(bytes, position, target, offset, read);
      position += read;
      return read == 0 && count > 0 ? -1 : read;
    }

    @Override
    public int available() {
      return arrived - position;
    }
  }

  // ---- receiving

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 7, 1000, 100_000})
  void textThatArrivesInPiecesIsPassedOnWithoutSplittingACharacter(int most) throws IOException {
    String text = "aé€\uD83D\uDE00".repeat(10_000);
    ByteArrayOutputStream frames = new ByteArrayOutputStream();
    FrameWriter writer = new FrameWriter(frames, Role.SERVER, null);
    assertTrue(writer.message(Opcode.TEXT, text.getBytes(UTF_8)));
    MessageStream stream = receiving(new Arriving(frames.toByteArray(), most));
    StringBuilder received = new StringBuilder();
    Part.Text part;
    do {
      part = assertInstanceOf(Part.Text.class, stream.receive());
      assertFalse(part.text().isEmpty());
      assertTrue(part.text().length() <= 16 * 1024);
      assertFalse(Character.isLowSurrogate(part.text().charAt(0)));
      received.append(part.text());
    } while (!part.last());
    assertEquals(text, received.toString());
    assertThrows(EOFException.class, stream::receive);
  }

  /** RFC 6455 section 5.4. */
  @Test
  void fragmentsArePassedOnWithControlFramesBetweenThem() throws IOException {
    MessageStream stream = receiving(new ByteArrayInputStream(
        hex("02 02 01 02 89 01 07 00 00 8a 00 80 01 03 88 05 03 e8 62 79 65")));
    assertEquals(new Part.Binary(ByteBuffer.wrap(new byte[] {1, 2}), false), stream.receive());
    assertEquals(new Part.Ping(ByteBuffer.wrap(new byte[] {7})), stream.receive());
    assertEquals(new Part.Binary(ByteBuffer.allocate(0), false), stream.receive());
    assertEquals(new Part.Pong(ByteBuffer.allocate(0)), stream.receive());
    assertEquals(new Part.Binary(ByteBuffer.wrap(new byte[] {3}), true), stream.receive());
    assertEquals(new Part.Close(new CloseReason(1000, "bye")), stream.receive());
  }

  @Test
  void aShortFrameThatHasArrivedIsOnePart() throws IOException {
    byte[] content = new byte[5000];
    new Random(1).nextBytes(content);
    ByteArrayOutputStream frames = new ByteArrayOutputStream();
    assertTrue(new FrameWriter(frames, Role.SERVER, null).message(Opcode.BINARY, content));
    MessageStream stream = receiving(new ByteArrayInputStream(frames.toByteArray()));
    assertEquals(new Part.Binary(ByteBuffer.wrap(content), true), stream.receive());
  }

  /** A peer announces a gigabyte, of which a part takes what has arrived. */
  @Test
  void partsTakeMemoryForWhatHasArrived() throws IOException {
    byte[] announced = new byte[100_010];
    System.arraycopy(hex("82 7f 00 00 00 00 40 00 00 00"), 0, announced, 0, 10);
    MessageStream stream = receiving(new Arriving(announced, 1000));
    long received = 0;
    while (received < 100_000) {
      Part.Binary part = assertInstanceOf(Part.Binary.class, stream.receive());
      assertFalse(part.last());
      assertTrue(part.bytes().capacity() <= 1000);
      received += part.bytes().remaining();
    }
    assertThrows(EOFException.class, stream::receive);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"81 01 ff", "81 01 c3", "01 01 e2 00 01 82 80 01 41", "01 01 c3 81 01 a9"})
  void brokenRulesAreNamed(String hex) {
    MessageStream stream = receiving(new ByteArrayInputStream(hex(hex)));
    assertThrows(WebSocketProtocolException.class, () -> {
      while (true) {
        stream.receive();
      }
    });
  }

  // ---- sending

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 20_000, 65_535, 65_536, 1_000_000})
  void partsThatAreSentMakeOneMessage(int length) throws IOException {
    MessageStream stream = sending();
    String text = "€".repeat(length);
    assertTrue(stream.sendText(text, false));
    assertTrue(stream.sendPing(ByteBuffer.wrap(new byte[] {1})));
    assertTrue(stream.sendText("\uD83D\uDE00", false));
    assertTrue(stream.sendText("", true));
    assertEquals(new Message.Text(text + "\uD83D\uDE00"), sent());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 65_535, 65_536, 65_537, 1_000_000})
  void bytesThatAreSentAreTaken(int length) throws IOException {
    byte[] content = new byte[length];
    new Random(length).nextBytes(content);
    ByteBuffer bytes = ByteBuffer.allocateDirect(length).put(content).flip();
    assertTrue(sending().sendBinary(bytes, true));
    assertEquals(0, bytes.remaining());
    assertEquals(new Message.Binary(content), sent());
  }

  @Test
  void framesAreBounded() throws IOException {
    List<Integer> writes = new ArrayList<>();
    OutputStream counting = new OutputStream() {
      @Override
      public void write(int octet) {
        throw new UnsupportedOperationException("byte by byte");
      }

      @Override
      public void write(byte[] source, int offset, int count) {
        writes.add(count);
      }
    };
    MessageStream stream =
        new MessageStream(Role.CLIENT, InputStream.nullInputStream(), counting, null);
    stream.sendText("€".repeat(1_000_000), true);
    stream.sendBinary(ByteBuffer.allocate(1_000_000), true);
    assertTrue(writes.stream().allMatch(size -> size <= 64 * 1024 + FrameHeader.MAX_BYTES));
  }

  @Test
  void aMessageIsEndedBeforeOneOfTheOtherType() throws IOException {
    MessageStream stream = sending();
    stream.sendText("a", false);
    assertThrows(
        IllegalStateException.class, () -> stream.sendBinary(ByteBuffer.allocate(1), true));
    stream.sendText("b", true);
    assertEquals(new Message.Text("ab"), sent());
    out.reset();
    stream.sendBinary(ByteBuffer.allocate(1), false);
    assertThrows(IllegalStateException.class, () -> stream.sendText("a", true));
    stream.sendBinary(ByteBuffer.allocate(1), true);
    assertEquals(new Message.Binary(new byte[2]), sent());
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\uD83D", "\uDE00b", "\uD83D\uD83D\uDE00"})
  void textThatIsNotUnicodeIsRefusedBeforeAnyOfItIsSent(String text) {
    MessageStream stream = sending();
    assertThrows(
        CharacterCodingException.class, () -> stream.sendText("a".repeat(100_000) + text, true));
    assertArrayEquals(new byte[0], out.toByteArray());
  }

  @Test
  void longPingsAndReservedCodesAreRefused() throws IOException {
    MessageStream stream = sending();
    ByteBuffer bytes = ByteBuffer.allocate(126);
    assertThrows(IllegalArgumentException.class, () -> stream.sendPing(bytes));
    assertThrows(IllegalArgumentException.class, () -> stream.sendPong(bytes));
    CloseReason reserved = new CloseReason(1005, "");
    assertThrows(IllegalArgumentException.class, () -> stream.sendClose(reserved));
    assertArrayEquals(new byte[0], out.toByteArray());
  }

  @Test
  void nothingFollowsACloseFrame() throws IOException {
    MessageStream stream = sending();
    assertTrue(stream.sendClose(new CloseReason(1000, "bye")));
    int size = out.size();
    assertFalse(stream.sendText("a", true));
    assertFalse(stream.sendBinary(ByteBuffer.allocate(1), true));
    assertFalse(stream.sendPing(ByteBuffer.allocate(1)));
    assertFalse(stream.sendClose(new CloseReason(1000, "")));
    assertEquals(size, out.size());
  }
}
