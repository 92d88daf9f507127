package heddle.websocket;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * What is made of any bytes of a peer: messages, the end, or a failure that has a name, and the
 * same whole and byte by byte. The first byte of an input says whether compression was agreed on,
 * and whether it keeps its context.
 */
final class MessagesFuzz {
  /** More than an input may make the reader allocate. */
  private static final int MOST_ANNOUNCED = 1 << 30;

  /** Less than what a compressed input can become. */
  private static final int MOST_INFLATED = 256 << 10;

  private static final int COMPRESSES = 1;
  private static final int KEEPS_CONTEXT = 2;

  private MessagesFuzz() {}

  static void read(byte[] input, Role role) throws IOException {
    if (input.length > 0) {
      byte[] frames = Arrays.copyOfRange(input, 1, input.length);
      assertEquals(read(frames, frames.length, role, input[0]), read(frames, 1, role, input[0]));
    }
  }

  /** All that happens, as text. */
  private static String read(byte[] frames, int most, Role role, int settings) throws IOException {
    boolean compresses = (settings & COMPRESSES) != 0;
    List<String> events = new ArrayList<>();
    try (MessageInflater inflater = new MessageInflater(
        (settings & KEEPS_CONTEXT) != 0, MOST_INFLATED, MessageMemoryTest.uncounted())) {
      FrameReader reader = new FrameReader(new CutInput(frames, most), role, compresses);
      MessageReader messages = new MessageReader(
          reader,
          compresses ? MOST_INFLATED : MOST_ANNOUNCED,
          compresses ? inflater : null,
          MessageMemoryTest.uncounted());
      Message message = next(messages, events);
      while (message != null) {
        events.add(shown(message));
        message = next(messages, events);
      }
    } catch (WebSocketProtocolException e) {
      assertTrue(CloseReason.isSendable(e.code()), e::toString);
      events.add(e.code() + " " + e.getMessage());
    } catch (EOFException e) {
      events.add(e.getMessage());
    }
    return String.join("\n", events);
  }

  private static Message next(MessageReader messages, List<String> events) throws IOException {
    return messages.next((opcode, payload) -> {
      events.add(opcode + " " + HexFormat.of().formatHex(payload));
      if (opcode != Opcode.CLOSE) {
        return true;
      }
      CloseReason reason = CloseReason.of(payload);
      if (payload.length > 0) {
        assertArrayEquals(payload, reason.requireSendable().payload());
      }
      events.add(reason.toString());
      return false;
    });
  }

  private static String shown(Message message) {
    return switch (message) {
      case Message.Text text -> {
        assertEquals(text.text(), new String(text.text().getBytes(UTF_8), UTF_8));
        yield "text " + text.text().length() + " " + text.text().hashCode();
      }
      case Message.Binary binary -> binary + " " + binary.hashCode();
    };
  }

  /** Two messages and a Pong through a writer and a reader. */
  static void roundTrip(byte[] input) throws IOException {
    if (input.length == 0) {
      return;
    }
    byte[] content = Arrays.copyOfRange(input, 1, input.length);
    byte[] pong = Arrays.copyOf(content, Math.min(FrameHeader.MAX_CONTROL_BYTES, content.length));
    boolean keeps = (input[0] & KEEPS_CONTEXT) != 0;
    for (Role role : Role.values()) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      try (MessageDeflater deflater = new MessageDeflater(keeps);
          MessageInflater inflater =
              new MessageInflater(keeps, content.length, MessageMemoryTest.uncounted())) {
        boolean compresses = (input[0] & COMPRESSES) != 0;
        FrameWriter writer = new FrameWriter(out, role, compresses ? deflater : null);
        assertTrue(writer.message(Opcode.BINARY, content));
        assertTrue(writer.control(Opcode.PONG, pong));
        assertTrue(writer.message(Opcode.BINARY, content));
        FrameReader reader = new FrameReader(
            new CutInput(out.toByteArray(), 1 + (input[0] & 0xFF)),
            role == Role.CLIENT ? Role.SERVER : Role.CLIENT,
            compresses);
        // What cannot be compressed becomes longer.
        MessageReader messages = new MessageReader(
            reader,
            2 * content.length + 64,
            compresses ? inflater : null,
            MessageMemoryTest.uncounted());
        for (int i = 0; i < 2; i++) {
          Message read = messages.next((opcode, payload) -> {
            assertArrayEquals(pong, payload);
            return opcode == Opcode.PONG;
          });
          assertEquals(new Message.Binary(content), read);
        }
      }
    }
  }

  /** Returns a few bytes at a time. */
  private static final class CutInput extends ByteArrayInputStream {
    private final int most;

    CutInput(byte[] bytes, int most) {
      super(bytes);
      this.most = Math.max(1, most);
    }

    @Override
    public int read(byte[] target, int offset, int count) {
      return super.read(target, offset, Math.min(count, most));
    }
  }

  static List<byte[]> contents() {
    return List.of(
        new byte[] {0},
        "\1Hello".getBytes(UTF_8),
        ("\3" + "warp and weft ".repeat(30)).getBytes(UTF_8),
        ("\1" + "warp and weft ".repeat(200)).getBytes(UTF_8));
  }

  static List<byte[]> seeds(Role role) {
    List<byte[]> seeds = new ArrayList<>();
    // The examples of RFC 6455 section 5.7 and RFC 7692 section 7.2.3, then broken frames.
    if (role == Role.CLIENT) {
      for (String hex : new String[] {
        "00" + "810548656c6c6f",
        "00" + "010348656c" + "890548656c6c6f" + "80026c6f" + "880203e8",
        "00" + "827e0100" + "00".repeat(256),
        "01" + "c107f248cdc9c90700",
        "03" + "c107f248cdc9c90700" + "c105f200110000",
        "01" + "4103f248cd" + "8004c9c90700",
        "01" + "c108f348cdc9c9070000",
        "00" + "827f0000000040000000" + "00".repeat(20),
        "00" + "880003",
        "00" + "880103",
        "00" + "8103c3283f"
      }) {
        seeds.add(HexFormat.of().parseHex(hex));
      }
    } else {
      for (String hex : new String[] {
        "00" + "818537fa213d7f9f4d5158",
        "00" + "8a8537fa213d7f9f4d5158" + "888200000000" + "03e8",
        "01" + "c18700000000" + "f248cdc9c90700",
        "02" + "810548656c6c6f",
        "00" + "018000000000" + "8080ffffffff"
      }) {
        seeds.add(HexFormat.of().parseHex(hex));
      }
    }
    return seeds;
  }
}
