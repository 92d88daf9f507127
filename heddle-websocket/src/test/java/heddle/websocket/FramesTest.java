package heddle.websocket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames as bytes. */
final class FramesTest {
  private static byte[] hex(String hex) {
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }

  private static FrameReader reader(byte[] bytes) {
    return new FrameReader(new ByteArrayInputStream(bytes), Role.CLIENT, true);
  }

  /** The examples of RFC 6455 §5.7. */
  @ParameterizedTest
  @CsvSource({
    "CLIENT, 81 05 48 65 6c 6c 6f, true, TEXT, Hello",
    "SERVER, 81 85 37 fa 21 3d 7f 9f 4d 51 58, true, TEXT, Hello",
    "CLIENT, 01 03 48 65 6c, false, TEXT, Hel",
    "CLIENT, 80 02 6c 6f, true, CONTINUATION, lo",
    "CLIENT, 89 05 48 65 6c 6c 6f, true, PING, Hello",
    "SERVER, 8a 85 37 fa 21 3d 7f 9f 4d 51 58, true, PONG, Hello",
  })
  void examplesOfTheRfcAreRead(Role role, String hex, boolean last, Opcode opcode, String content)
      throws IOException {
    FrameReader reader = new FrameReader(new ByteArrayInputStream(hex(hex)), role, false);
    FrameHeader header = reader.next();
    assertEquals(last, header.last());
    assertEquals(opcode, header.opcode());
    assertEquals(
        content, new String(reader.payload(new byte[0], 0, header, MessageMemoryTest.uncounted())));
    assertThrows(EOFException.class, reader::next);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 124, 125, 126, 127, 65_535, 65_536, 65_537, 300_001})
  void messageIsReadAsItWasWrittenHoweverItIsCut(int length) throws IOException {
    byte[] content = new byte[length];
    new Random(length).nextBytes(content);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertTrue(new FrameWriter(out, Role.CLIENT, null).message(Opcode.BINARY, content));
    for (int most : new int[] {1, 3, 127, Integer.MAX_VALUE}) {
      InputStream in = new Cut(out.toByteArray(), most);
      FrameReader frames = new FrameReader(in, Role.SERVER, false);
      Message message = new MessageReader(frames, length, null, MessageMemoryTest.uncounted())
          .next((opcode, payload) -> true);
      assertArrayEquals(content, ((Message.Binary) message).bytes());
    }
  }

  /** Returns a few bytes at a time. */
  private static final class Cut extends ByteArrayInputStream {
    private final int most;

    Cut(byte[] bytes, int most) {
      super(bytes);
      this.most = most;
    }

    @Override
    public int read(byte[] target, int offset, int count) {
      return super.read(target, offset, Math.min(count, most));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "83 00, reserved opcode 3",
    "8f 00, reserved opcode 15",
    "a1 00, reserved bit",
    "91 00, reserved bit",
    "c0 00, reserved bit",
    "c9 00, reserved bit",
    "81 85 00 00 00 00 48 65 6c 6c 6f, masked",
    "81 7e 00 7d, written shorter",
    "82 7f 00 00 00 00 00 00 ff ff, written shorter",
    "82 7f 80 00 00 00 00 00 00 00, negative",
    "09 00, fragmented",
    "89 7e 00 7e, longer than 125",
    "08 00, fragmented",
  })
  void headerThatBreaksARuleIsRefused(String hex, String what) {
    WebSocketProtocolException failure =
        assertThrows(WebSocketProtocolException.class, () -> reader(hex(hex)).next());
    assertEquals(CloseReason.PROTOCOL_ERROR, failure.code());
    assertTrue(failure.getMessage().contains(what), failure::getMessage);
  }

  @Test
  void clientsMustMask() {
    FrameReader reader = new FrameReader(new ByteArrayInputStream(hex("8100")), Role.SERVER, false);
    WebSocketProtocolException failure =
        assertThrows(WebSocketProtocolException.class, reader::next);
    assertTrue(failure.getMessage().contains("not masked"), failure::getMessage);
  }

  @ParameterizedTest
  @ValueSource(strings = {"81", "81 7e 01", "82 03 01 02", "82 7e 01 00 01"})
  void endWithinAFrameIsAnEndOfFile(String hex) {
    FrameReader reader = reader(hex(hex));
    assertThrows(
        EOFException.class,
        () -> reader.payload(new byte[0], 0, reader.next(), MessageMemoryTest.uncounted()));
  }

  /** A peer announces a gigabyte: what is read at once grows with what has arrived. */
  @Test
  void memoryGrowsWithWhatHasArrived() throws IOException {
    byte[] announced = Arrays.copyOf(hex("82 7f 00 00 00 00 40 00 00 00"), 100_010);
    InputStream in = new ByteArrayInputStream(announced) {
      @Override
      public int read(byte[] target, int offset, int count) {
        assertTrue(target.length <= 2 * (pos + 8192), () -> target.length + " after " + pos);
        return super.read(target, offset, count);
      }
    };
    FrameReader reader = new FrameReader(in, Role.CLIENT, false);
    FrameHeader header = reader.next();
    assertEquals(1 << 30, header.length());
    assertThrows(
        EOFException.class,
        () -> reader.payload(new byte[0], 0, header, MessageMemoryTest.uncounted()));
  }

  @ParameterizedTest
  @EnumSource(Role.class)
  void onlyClientsMaskAndEachFrameAnew(Role role) throws IOException {
    Set<Integer> keys = new HashSet<>();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    FrameWriter writer = new FrameWriter(out, role, null);
    for (int i = 0; i < 100; i++) {
      out.reset();
      writer.control(Opcode.PING, new byte[] {1, 2, 3});
      byte[] frame = out.toByteArray();
      assertEquals(role == Role.CLIENT ? 9 : 5, frame.length);
      keys.add(Arrays.hashCode(Arrays.copyOfRange(frame, 2, frame.length - 3)));
    }
    assertEquals(role == Role.CLIENT, keys.size() > 90);
  }

  @Test
  void nothingFollowsACloseFrame() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    FrameWriter writer = new FrameWriter(out, Role.SERVER, null);
    assertTrue(writer.control(Opcode.CLOSE, new byte[0]));
    assertEquals(false, writer.message(Opcode.TEXT, new byte[1]));
    assertEquals(false, writer.control(Opcode.PONG, new byte[0]));
    assertArrayEquals(hex("88 00"), out.toByteArray());
  }

  /** Whatever bytes arrive, reading ends with a message, the end, or a failure that has a name. */
  @Test
  void randomBytesAreReadOrRefused() throws IOException {
    long seed = Long.getLong("heddle.fuzz.seed", System.nanoTime());
    Random random = new Random(seed);
    int rounds = Integer.getInteger("heddle.fuzz.rounds", 20_000);
    for (int round = 0; round < rounds; round++) {
      byte[] bytes = new byte[random.nextInt(60)];
      random.nextBytes(bytes);
      if (bytes.length > 2 && random.nextInt(4) > 0) {
        bytes[0] = (byte) (random.nextBoolean() ? 0x81 : 0xC2);
        bytes[1] = (byte) random.nextInt(20);
      }
      try (MessageInflater inflater =
          new MessageInflater(random.nextBoolean(), 10_000, MessageMemoryTest.uncounted())) {
        MessageReader reader =
            new MessageReader(reader(bytes), 10_000, inflater, MessageMemoryTest.uncounted());
        while (reader.next((opcode, payload) -> {
              if (opcode == Opcode.CLOSE) {
                CloseReason.of(payload);
              }
              return opcode != Opcode.CLOSE;
            })
            != null) {
          // A message.
        }
      } catch (WebSocketProtocolException | EOFException e) {
        // As it should be.
      } catch (RuntimeException | Error e) {
        throw new AssertionError("seed " + seed + ", round " + round, e);
      }
    }
  }
}
