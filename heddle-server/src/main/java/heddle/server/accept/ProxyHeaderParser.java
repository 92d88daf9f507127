package heddle.server.accept;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import heddle.http.syntax.Host;
import heddle.http.syntax.Octets;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads the header of HAProxy's PROXY protocol, version 1 or 2 ("The PROXY protocol", sections 2.1
 * and 2.2), however its bytes are divided. Holds no more than {@value #LONGEST_TEXT} bytes. Not
 * safe for use by several threads.
 */
final class ProxyHeaderParser {
  /** The longest header of version 1, with its CRLF. */
  static final int LONGEST_TEXT = 107;

  /**
   * The most bytes that may follow the 16 first ones of version 2. Additional values (TLVs) with
   * each of the specification's types take less.
   */
  static final int MOST_BINARY = 4096;

  private static final byte[] TEXT = "PROXY ".getBytes(ISO_8859_1);
  private static final byte[] BINARY = "\r\n\r\n\0\r\nQUIT\n".getBytes(ISO_8859_1);
  private static final int FIXED = 16; // of version 2: the signature, 2 bytes, a length

  private static final int LOCAL = 0x20;
  private static final int PROXY = 0x21;

  private final byte[] held = new byte[LONGEST_TEXT];
  private int size;

  /** How many bytes are to be held: all of version 1, of version 2 those up to the addresses. */
  private int needed = LONGEST_TEXT;

  /** How many bytes of version 2 come after them. */
  private int toSkip;

  /**
   * Takes bytes up to the end of the header, and leaves those behind it in the buffer.
   *
   * @return the header, or null if more of it has to come; after that this is not called again
   * @throws ProtocolException if it is not a header; the message says why
   */
  @Nullable
  ProxyHeader read(ByteBuffer bytes) throws ProtocolException {
    while (bytes.hasRemaining()) {
      if (size == needed) {
        int skipped = Math.min(toSkip, bytes.remaining());
        bytes.position(bytes.position() + skipped);
        toSkip -= skipped;
      } else {
        held[size++] = bytes.get();
        if (held[0] == TEXT[0]) {
          if (isTextEnd()) {
            return text();
          }
          continue;
        }
        readBinary();
      }
      if (size == needed && toSkip == 0) {
        return binary();
      }
    }
    return null;
  }

  private void expect(byte[] signature) throws ProtocolException {
    int i = size - 1;
    if (i < signature.length && held[i] != signature[i]) {
      throw new ProtocolException(
          "no header of the PROXY protocol: " + Octets.describe(held[i] & 0xff) + " at index " + i);
    }
  }

  // ---- version 1

  private boolean isTextEnd() throws ProtocolException {
    expect(TEXT);
    boolean afterReturn = size > 1 && held[size - 2] == '\r';
    if (afterReturn != (held[size - 1] == '\n')) {
      throw new ProtocolException("a CR or LF alone in a PROXY header");
    }
    if (!afterReturn && size == LONGEST_TEXT) {
      throw new ProtocolException("a PROXY header of more than " + LONGEST_TEXT + " bytes");
    }
    return afterReturn;
  }

  private ProxyHeader text() throws ProtocolException {
    String line = new String(held, 0, size - 2, ISO_8859_1);
    String[] words = line.split(" ", -1);
    if (words[1].equals("UNKNOWN")) {
      return ProxyHeader.UNKNOWN; // The rest of the line is to be ignored.
    }
    boolean six = words[1].equals("TCP6");
    if (!six && !words[1].equals("TCP4") || words.length != 6) {
      throw malformed(line);
    }
    return new ProxyHeader(
        new InetSocketAddress(address(words[2], six, line), port(words[4], line)),
        new InetSocketAddress(address(words[3], six, line), port(words[5], line)));
  }

  private static InetAddress address(String text, boolean six, String line)
      throws ProtocolException {
    boolean fits = text.indexOf(':') >= 0 == six && text.indexOf('%') < 0;
    InetAddress address = fits ? Host.address(text) : null;
    if (address == null) {
      throw malformed(line);
    }
    return address;
  }

  private static int port(String text, String line) throws ProtocolException {
    boolean zeros = text.length() > 1 && text.charAt(0) == '0';
    byte[] digits = text.getBytes(ISO_8859_1);
    long port = zeros || digits.length > 5 ? -1 : Octets.decimal(digits, 0, digits.length);
    if (port < 0 || port > 65_535) {
      throw malformed(line);
    }
    return (int) port;
  }

  private static ProtocolException malformed(String line) {
    return new ProtocolException("a malformed PROXY header: " + Octets.quote(line));
  }

  // ---- version 2

  private void readBinary() throws ProtocolException {
    expect(BINARY);
    if (size == FIXED) {
      int length = (held[14] & 0xff) << 8 | held[15] & 0xff;
      int addresses = command() == LOCAL ? 0 : lengthOfAddresses();
      if (length < addresses || length > MOST_BINARY) {
        throw new ProtocolException("a PROXY header with " + length
            + " bytes behind the first 16, where " + addresses + " to " + MOST_BINARY + " may be");
      }
      needed = FIXED + (isInet() ? addresses : 0);
      toSkip = length - (needed - FIXED);
    }
  }

  private int command() throws ProtocolException {
    int command = held[12] & 0xff;
    if (command != LOCAL && command != PROXY) {
      throw new ProtocolException("a PROXY header of an unknown version or command: " + command);
    }
    return command;
  }

  /** How long both addresses with their ports are, by family and transport. */
  private int lengthOfAddresses() throws ProtocolException {
    int family = held[13] & 0xff;
    return switch (family) {
      case 0x00 -> 0; // unspecified
      case 0x11, 0x12 -> 12; // IPv4
      case 0x21, 0x22 -> 36; // IPv6
      case 0x31, 0x32 -> 216; // Unix domain sockets
      default -> throw new ProtocolException("a PROXY header of an unknown family: " + family);
    };
  }

  /** Whether there are addresses to be used: those of TCP. */
  private boolean isInet() {
    return held[12] == PROXY && (held[13] == 0x11 || held[13] == 0x21);
  }

  private ProxyHeader binary() {
    if (!isInet()) {
      return ProxyHeader.UNKNOWN;
    }
    int length = held[13] == 0x11 ? 4 : 16;
    int ports = FIXED + 2 * length;
    return new ProxyHeader(
        address(FIXED, length, ports), address(FIXED + length, length, ports + 2));
  }

  private InetSocketAddress address(int at, int length, int portAt) {
    try {
      InetAddress address = InetAddress.getByAddress(Arrays.copyOfRange(held, at, at + length));
      return new InetSocketAddress(address, (held[portAt] & 0xff) << 8 | held[portAt + 1] & 0xff);
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e); // Not for 4 or 16 bytes.
    }
  }
}
