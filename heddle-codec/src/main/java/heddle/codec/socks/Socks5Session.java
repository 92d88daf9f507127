package heddle.codec.socks;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import heddle.codec.socks.SocksException.Reason;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A client's side of SOCKS 5 (RFC 1928) until the connection leads to its destination: bytes in,
 * bytes to write out. Begins with {@link #greeting}. Takes input in pieces of any size, and reads
 * nothing beyond what it waits for. Used by one thread at a time.
 */
public final class Socks5Session {
  private static final int VERSION = 5;
  private static final int PASSWORD_VERSION = 1; // RFC 1929 section 2
  private static final int NO_AUTHENTICATION = 0;
  private static final int USER_AND_PASSWORD = 2;
  private static final int NO_METHOD = 0xFF;
  private static final int CONNECT = 1;
  private static final int IPV4 = 1;
  private static final int NAME = 3;
  private static final int IPV6 = 4;

  private static final int LONGEST = 255; // a length is one octet

  /** A reply's octets before the address: version, reply, reserved, type of the address. */
  private static final int REPLY_START = 4;

  private static final int PORT_BYTES = 2;

  /** What comes next from the proxy. */
  private enum State {
    METHOD,
    PASSWORD_STATUS,
    REPLY,
    OPEN,
    FAILED
  }

  /** A user's name and password, each 1 to 255 octets of UTF-8 (RFC 1929 section 2). */
  public record Credentials(String user, String password) {
    public Credentials {
      requireLength("user name", user);
      requireLength("password", password);
    }

    private static void requireLength(String what, String text) {
      int length = text.getBytes(UTF_8).length;
      if (length < 1 || length > LONGEST) {
        throw new IllegalArgumentException(
            "a SOCKS %s has 1 to 255 bytes of UTF-8 (RFC 1929), not %d".formatted(what, length));
      }
    }

    @Override
    public String toString() {
      return "Credentials[***]";
    }
  }

  private final ByteBuffer request;
  private final @Nullable Credentials credentials;
  private final byte[] held = new byte[REPLY_START + 1 + LONGEST + PORT_BYTES];
  private int heldBytes;
  private State state = State.METHOD;

  private Socks5Session(ByteBuffer request, @Nullable Credentials credentials) {
    this.request = request;
    this.credentials = credentials;
  }

  /**
   * A connection to a host whose name, 1 to 255 octets of ASCII, the proxy looks up.
   *
   * @throws IllegalArgumentException if the name is too long or not ASCII
   */
  public static Socks5Session toName(String name, int port, @Nullable Credentials credentials) {
    byte[] octets = name.getBytes(US_ASCII);
    if (octets.length < 1 || octets.length > LONGEST || !name.chars().allMatch(c -> c < 0x80)) {
      throw new IllegalArgumentException(
          "SOCKS 5 takes host names of 1 to 255 ASCII characters, not of " + name.length());
    }
    ByteBuffer address = ByteBuffer.allocate(octets.length + 1);
    address.put((byte) octets.length).put(octets).flip();
    return new Socks5Session(request(NAME, address, port), credentials);
  }

  /** A connection to an address of 4 or 16 octets. */
  public static Socks5Session toAddress(
      byte[] address, int port, @Nullable Credentials credentials) {
    int type =
        switch (address.length) {
          case 4 -> IPV4;
          case 16 -> IPV6;
          default ->
            throw new IllegalArgumentException(
                "an address has 4 or 16 octets, not " + address.length);
        };
    return new Socks5Session(request(type, ByteBuffer.wrap(address), port), credentials);
  }

  /** RFC 1928 section 4. */
  private static ByteBuffer request(int addressType, ByteBuffer address, int port) {
    ByteBuffer request = ByteBuffer.allocate(REPLY_START + address.remaining() + PORT_BYTES);
    request.put((byte) VERSION).put((byte) CONNECT).put((byte) 0).put((byte) addressType);
    return request.put(address).putShort((short) port).flip();
  }

  /** The first message, which offers the methods of authentication (RFC 1928 section 3). */
  public ByteBuffer greeting() {
    byte[] offer = credentials == null
        ? new byte[] {VERSION, 1, NO_AUTHENTICATION}
        : new byte[] {VERSION, 2, NO_AUTHENTICATION, USER_AND_PASSWORD};
    return ByteBuffer.wrap(offer);
  }

  /** Whether the connection leads to its destination. */
  public boolean isOpen() {
    return state == State.OPEN;
  }

  /**
   * Takes input. Returns what is to be written before anything more is read; null when more input
   * is needed, or the connection is {@linkplain #isOpen open}.
   *
   * @throws SocksException when the proxy refuses or breaks the protocol
   * @throws IllegalStateException after that
   */
  public @Nullable ByteBuffer next(ByteBuffer in) throws SocksException {
    try {
      return switch (state) {
        case METHOD -> method(in);
        case PASSWORD_STATUS -> passwordStatus(in);
        case REPLY -> {
          reply(in);
          yield null;
        }
        case OPEN -> null;
        case FAILED -> throw new IllegalStateException("the proxy has refused: close the channel");
      };
    } catch (SocksException e) {
      state = State.FAILED;
      throw e;
    }
  }

  /** RFC 1928 section 3: the proxy's choice among the methods that were offered. */
  private @Nullable ByteBuffer method(ByteBuffer in) throws SocksException {
    if (!holdTwo(in, VERSION, "its choice of a method")) {
      return null;
    }
    int chosen = octet(1);
    if (chosen == NO_METHOD) {
      throw new SocksException(
          Reason.AUTHENTICATION,
          credentials == null
              ? "it wants authentication, and there are no credentials for it"
              : "it accepts neither a user's password nor a client without one");
    }
    if (chosen == NO_AUTHENTICATION) {
      return turn(in, State.REPLY, request);
    }
    if (chosen == USER_AND_PASSWORD && credentials != null) {
      return turn(in, State.PASSWORD_STATUS, password(credentials));
    }
    throw malformed("it chose method 0x%02X, which was not offered".formatted(chosen));
  }

  /** RFC 1929 section 2. */
  private static ByteBuffer password(Credentials credentials) {
    byte[] user = credentials.user().getBytes(UTF_8);
    byte[] password = credentials.password().getBytes(UTF_8);
    return ByteBuffer.allocate(3 + user.length + password.length)
        .put((byte) PASSWORD_VERSION)
        .put((byte) user.length)
        .put(user)
        .put((byte) password.length)
        .put(password)
        .flip();
  }

  private @Nullable ByteBuffer passwordStatus(ByteBuffer in) throws SocksException {
    if (!holdTwo(in, PASSWORD_VERSION, "its answer to the password")) {
      return null;
    }
    if (octet(1) != 0) {
      throw new SocksException(
          Reason.AUTHENTICATION,
          "it refused the user name and password (status %d)".formatted(octet(1)));
    }
    return turn(in, State.REPLY, request);
  }

  /** RFC 1928 section 6. A refusal counts as soon as it can be read: some proxies send no more. */
  private void reply(ByteBuffer in) throws SocksException {
    if (holdTwo(in, VERSION, "its reply") && octet(1) != 0) {
      throw new SocksException(Reason.REFUSED, refusal(octet(1)));
    }
    hold(in, REPLY_START);
    if (heldBytes >= 3 && octet(2) != 0) {
      throw malformed("octet 3 of its reply is 0x%02X instead of 0".formatted(octet(2)));
    }
    if (heldBytes < REPLY_START) {
      return;
    }
    int address =
        switch (octet(3)) {
          case IPV4 -> 4;
          case IPV6 -> 16;
          case NAME -> hold(in, REPLY_START + 1) ? 1 + octet(REPLY_START) : LONGEST;
          default -> throw malformed("its reply has an address of type 0x%02X".formatted(octet(3)));
        };
    if (hold(in, REPLY_START + address + PORT_BYTES)) {
      state = State.OPEN;
    }
  }

  private static String refusal(int code) {
    return switch (code) {
      case 1 -> "it failed (general SOCKS server failure)";
      case 2 -> "its rules do not allow the connection";
      case 3 -> "it cannot reach the destination's network";
      case 4 -> "it cannot reach the destination's host";
      case 5 -> "the destination refused the connection";
      case 6 -> "the time to live expired on the way to the destination";
      case 7 -> "it does not know the command CONNECT";
      case 8 -> "it does not know this type of address";
      default -> "it refused with reply 0x%02X, which RFC 1928 does not define".formatted(code);
    };
  }

  /** It is our turn: the proxy has nothing to say before it has heard us. */
  private ByteBuffer turn(ByteBuffer in, State next, ByteBuffer message) throws SocksException {
    if (in.hasRemaining()) {
      throw malformed("it sent %d bytes before it was asked".formatted(in.remaining()));
    }
    heldBytes = 0;
    state = next;
    return message;
  }

  /** Takes input until {@code wanted} octets are held; returns whether they are. */
  private boolean hold(ByteBuffer in, int wanted) {
    int count = Math.min(wanted - heldBytes, in.remaining());
    if (count > 0) {
      in.get(held, heldBytes, count);
      heldBytes += count;
    }
    return heldBytes >= wanted;
  }

  private int octet(int index) {
    return held[index] & 0xFF;
  }

  /** Takes the first two octets of a message, of which one is its version. */
  private boolean holdTwo(ByteBuffer in, int version, String what) throws SocksException {
    boolean whole = hold(in, 2);
    if (heldBytes > 0 && octet(0) != version) {
      throw malformed("%s begins with 0x%02X instead of 0x%02X".formatted(what, octet(0), version));
    }
    return whole;
  }

  private static SocksException malformed(String what) {
    return new SocksException(Reason.MALFORMED, "this is not SOCKS 5: " + what);
  }
}
