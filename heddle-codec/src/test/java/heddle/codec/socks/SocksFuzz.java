package heddle.codec.socks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.codec.socks.Socks5Session.Credentials;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * What a session makes of any answers of a proxy: no exception but the refusal, and the same whole
 * and in pieces. The first byte of an input says whether there are credentials, and in which
 * pieces.
 */
public final class SocksFuzz {
  private SocksFuzz() {}

  /** Answers of a proxy. */
  public static void proxy(byte[] input) {
    if (input.length == 0) {
      return;
    }
    byte[] answers = Arrays.copyOfRange(input, 1, input.length);
    Credentials credentials = input[0] % 2 == 0 ? null : new Credentials("me", "secret");
    List<Integer> turns = new ArrayList<>();
    String cut = run(Socks5Session.toName("a", 1, credentials), answers, turns, false);
    String whole = run(Socks5Session.toName("a", 1, credentials), answers, turns, true);
    assertEquals(whole, cut);
  }

  /**
   * Hands over the answers, for a proxy waits until it is asked: byte by byte, noting after how
   * many the session spoke; or each of them whole.
   */
  private static String run(
      Socks5Session session, byte[] answers, List<Integer> turns, boolean whole) {
    List<String> said = new ArrayList<>();
    int at = 0;
    try {
      for (int turn = 0; at < answers.length && !session.isOpen(); turn++) {
        int end = !whole ? at + 1 : turn < turns.size() ? turns.get(turn) : answers.length;
        ByteBuffer in = ByteBuffer.wrap(answers, at, end - at);
        ByteBuffer out = session.next(in);
        at = in.position();
        if (out != null) {
          byte[] octets = new byte[out.remaining()];
          out.duplicate().get(octets);
          said.add(HexFormat.of().formatHex(octets));
          if (!whole) {
            turns.add(at);
          }
        }
      }
      said.add((session.isOpen() ? "open after " : "waits after ") + at);
    } catch (SocksException e) {
      said.add("refused " + e.reason());
    }
    return String.join("\n", said);
  }

  /** Proxies that open the connection, ask for credentials, and refuse. */
  public static List<byte[]> seeds() {
    HexFormat hex = HexFormat.of();
    return List.of(
        hex.parseHex("00" + "0500" + "05000001" + "7f000001" + "0050"),
        hex.parseHex("01" + "0502" + "0100" + "05000004" + "00".repeat(16) + "0050"),
        hex.parseHex("01" + "0502" + "0100" + "05000003" + "0161" + "0050"),
        hex.parseHex("00" + "05ff"),
        hex.parseHex("00" + "0500" + "05050001"));
  }
}
