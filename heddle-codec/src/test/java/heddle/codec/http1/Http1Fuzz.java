package heddle.codec.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.http.Limits;
import heddle.http.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * What a session yields for any input: no exception but the refusal, and the same whole and in
 * pieces. The first byte of an input says with which limits and requests, the second in which
 * pieces.
 */
public final class Http1Fuzz {
  private static final Limits SMALL = new Limits(512, 8, 128, 64, 2);

  private static final Method[][] ASKED = {
    {Method.GET},
    {Method.HEAD},
    {Method.GET, Method.HEAD, Method.GET, Method.POST},
    {Method.HEAD, Method.GET, Method.HEAD},
    {Method.CONNECT}
  };

  private static final String REQUEST =
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  private static final String RESPONSE = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

  private Http1Fuzz() {}

  /** Requests to a server. */
  public static void server(byte[] input) {
    compare(input, () -> Conversation.server(limits(input)));
  }

  /** Responses to a client. */
  public static void client(byte[] input) {
    compare(input, () -> {
      Method[] asked = ASKED[(input[0] & 0xFF) / 2 % ASKED.length];
      return Conversation.client(limits(input), null, asked);
    });
  }

  /** Content in chunks, which must mean the same to both sides. */
  public static void chunks(byte[] input) {
    compare(input, () -> Conversation.server(limits(input)).receives(REQUEST));
    compare(input, () -> Conversation.client(limits(input), null, Method.GET).receives(RESPONSE));
  }

  private static Limits limits(byte[] input) {
    return input[0] % 2 == 0 ? Limits.DEFAULTS : SMALL;
  }

  private static void compare(byte[] input, Supplier<Conversation> start) {
    if (input.length < 2) {
      return;
    }
    byte[] bytes = Arrays.copyOfRange(input, 2, input.length);
    int step = 1 + (input[1] & 0xFF) / 4;
    Conversation whole = start.get().receives(bytes);
    Conversation pieces = start.get();
    for (int at = 0; at < bytes.length && pieces.refusal() == null; at += step) {
      pieces.receives(Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + step)));
    }
    assertEquals(
        String.join("\n", whole.closed().transcript()),
        String.join("\n", pieces.closed().transcript()),
        () -> "in pieces of " + step);
  }

  /** All messages that are known, for the side that they are sent to. */
  public static List<byte[]> seeds(boolean server) {
    List<MessageCase> all = new ArrayList<>(ValidMessages.all());
    all.addAll(HostileMessages.all());
    List<byte[]> seeds = new ArrayList<>();
    for (MessageCase each : all) {
      if (each.asked().isEmpty() == server && each.input().length() < 2_000) {
        seeds.add(seed(each.asked().size() > 1 ? 4 : 0, each.input()));
      }
    }
    return seeds;
  }

  /** The content of the messages that come in chunks. */
  public static List<byte[]> chunkSeeds() {
    List<byte[]> seeds = new ArrayList<>();
    for (byte[] each : seeds(true)) {
      String message = new String(each, 2, each.length - 2, StandardCharsets.ISO_8859_1);
      int end = message.indexOf("chunked\r\n\r\n");
      if (end >= 0) {
        seeds.add(seed(0, message.substring(end + 11)));
      }
    }
    return seeds;
  }

  private static byte[] seed(int control, String input) {
    byte[] bytes = ("  " + input).getBytes(StandardCharsets.ISO_8859_1);
    bytes[0] = (byte) control;
    bytes[1] = (byte) (input.length() * 7);
    return bytes;
  }
}
