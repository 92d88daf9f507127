package heddle.codec.http2;

import heddle.codec.HeadTooLargeException;
import heddle.codec.hpack.HpackEncoder;
import heddle.codec.hpack.HpackField;
import heddle.codec.hpack.HpackOutput;
import heddle.codec.hpack.Pseudo;
import heddle.codec.http2.frame.Frame;
import heddle.codec.http2.frame.FrameHeader;
import heddle.codec.http2.frame.Settings;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Status;
import heddle.http.syntax.Octets;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Heads and trailers as HEADERS frames. A head that repeats is sent as the bytes it was encoded to
 * before, as long as the HPACK table is the same. A block that has begun and cannot be ended is
 * abandoned, because the peer never sees what it added to that table. Guarded by the driver's lock.
 */
final class HeadSender {
  /** The largest HPACK table that we use, whatever the peer allows. */
  private static final int TABLE_BYTES = 4_096;

  private static final int KEPT = 8;
  private static final int MOST_KEPT_BYTES = 1_024;

  /** In the order in which they are sent. */
  private static final Pseudo[] PSEUDOS = {
    Pseudo.STATUS, Pseudo.METHOD, Pseudo.PROTOCOL, Pseudo.SCHEME, Pseudo.AUTHORITY, Pseudo.PATH
  };

  /** What a head, or a trailer section, is made of; and the bytes of one that repeats. */
  private static final class Head {
    /** A method or a status; those that are not cached are equal by value. Null for trailers. */
    private @Nullable Object subject;

    /** Null for a CONNECT without a protocol, as is the path, and in what is no request. */
    private @Nullable String scheme;

    private @Nullable String authority;
    private @Nullable String path;
    private @Nullable String protocol;

    private Headers headers = Headers.empty();
    private long contentLength;
    private int generation;
    private byte @Nullable [] block;

    /** Whether it is the same; one with a protocol is never kept. */
    boolean isSame(Head other) {
      return headers == other.headers
          && Objects.equals(path, other.path)
          && Objects.equals(subject, other.subject)
          && Objects.equals(authority, other.authority)
          && Objects.equals(scheme, other.scheme);
    }

    @Nullable
    String value(Pseudo pseudo) {
      return switch (pseudo) {
        case STATUS -> subject instanceof Status status ? Integer.toString(status.code()) : null;
        case METHOD -> subject instanceof Method method ? method.name() : null;
        case PROTOCOL -> protocol;
        case SCHEME -> scheme;
        case AUTHORITY -> authority;
        case PATH -> path;
      };
    }
  }

  private final HpackEncoder encoder = new HpackEncoder(TABLE_BYTES);
  private final Head[] kept = new Head[KEPT];
  private int last;
  private int next;

  /** What is sent now. */
  private Head current = new Head();

  private Settings peer = Settings.INITIAL;

  HeadSender() {
    Arrays.setAll(kept, i -> new Head());
  }

  /** Applies the peer's SETTINGS for HPACK's table, and for what a section and a frame may be. */
  void settings(Settings now) {
    encoder.setMaxTableBytes(now.headerTableSize());
    if (peer.maxHeaderListSize() != now.maxHeaderListSize()) {
      for (Head head : kept) {
        head.block = null; // its size was not held against this bound
      }
    }
    peer = now;
  }

  /**
   * Appends the head of a request.
   *
   * @param scheme null for a CONNECT without a protocol, as is the path
   * @param protocol that of an extended CONNECT, or null
   * @return its Content-Length, or -1
   * @throws HeadTooLargeException if the head is larger than the peer accepts
   * @throws IllegalArgumentException if a part cannot be sent
   */
  long request(
      HpackOutput out,
      int streamId,
      boolean endStream,
      Method method,
      @Nullable String scheme,
      String authority,
      @Nullable String path,
      @Nullable String protocol,
      Headers headers) {
    set(method, headers);
    current.scheme = scheme;
    current.authority = authority;
    current.path = path;
    current.protocol = protocol;
    return send(out, streamId, endStream);
  }

  /**
   * Appends the head of a response.
   *
   * @return its Content-Length, or -1
   * @throws HeadTooLargeException if the head is larger than the peer accepts
   * @throws IllegalArgumentException if a part cannot be sent
   */
  long response(HpackOutput out, int streamId, boolean endStream, Status status, Headers headers) {
    set(status, headers);
    return send(out, streamId, endStream);
  }

  /**
   * Appends a trailer section.
   *
   * @throws HeadTooLargeException if the section is larger than the peer accepts
   */
  void trailers(HpackOutput out, int streamId, Headers headers) {
    set(null, headers);
    send(out, streamId, true);
  }

  private void set(@Nullable Object subject, Headers headers) {
    current.subject = subject;
    current.scheme = null;
    current.authority = null;
    current.path = null;
    current.protocol = null;
    current.headers = headers;
    current.block = null;
  }

  private long send(HpackOutput out, int streamId, boolean endStream) {
    Head head = find();
    byte[] block = head.generation == encoder.generation() ? head.block : null;
    int at = out.length();
    if (block != null) {
      FrameHeader.reserve(out);
      out.put(block, 0, block.length);
    } else {
      encode(out, head);
    }
    Frame.Headers.finish(out, at, streamId, endStream, peer.maxFrameSize());
    return head.contentLength;
  }

  private void encode(HpackOutput out, Head head) {
    check(head);
    boolean hasLength = head.scheme != null || head.subject instanceof Status;
    head.contentLength = hasLength ? contentLength(head.headers) : -1;
    int generation = encoder.generation();
    int at = FrameHeader.reserve(out);
    try {
      encoder.begin(out);
      for (Pseudo pseudo : PSEUDOS) {
        String value = head.value(pseudo);
        if (value != null) {
          encoder.field(pseudo, value);
        }
      }
      fields(head.headers);
    } catch (RuntimeException | Error e) {
      encoder.abandon();
      out.setLength(at);
      throw e;
    }
    keep(head, out, at + FrameHeader.BYTES, generation);
  }

  private void fields(Headers headers) {
    boolean nominates = headers.contains(HeaderName.CONNECTION);
    for (int i = 0; i < headers.size(); i++) {
      if (isSent(headers, i, nominates)) {
        encoder.field(headers.name(i), headers, i);
      }
    }
  }

  // ---- what may be sent

  private void check(Head head) {
    String scheme = head.scheme;
    String authority = head.authority;
    String path = head.path;
    String protocol = head.protocol;
    if (authority != null) {
      check("authority", authority, HeadRules.isAuthority(bytes(authority), scheme == null));
      check("scheme", scheme, scheme == null || HeadRules.isScheme(bytes(scheme)));
      boolean asterisk = head.subject == Method.OPTIONS;
      check("path", path, path == null || HeadRules.isPath(bytes(path), asterisk));
      check("protocol", protocol, protocol == null || HeadRules.isToken(bytes(protocol)));
    }
    if (peer.maxHeaderListSize() != Settings.UNLIMITED
        && (authority != null || !head.headers.isEmpty())) {
      checkSize(head);
    }
  }

  private static void check(String what, @Nullable String value, boolean valid) {
    if (!valid) {
      throw new IllegalArgumentException(
          "the " + what + " '" + value + "' cannot be sent: see RFC 9113 §8.3.1 for its form");
    }
  }

  /** RFC 9113 §10.5.1: what the peer says that it takes of a field section, as §6.5.2 counts. */
  private void checkSize(Head head) {
    long bytes = 0;
    for (Pseudo pseudo : PSEUDOS) {
      String value = head.value(pseudo);
      bytes += value == null ? 0 : HpackField.OVERHEAD + pseudo.length() + value.length();
    }
    Headers headers = head.headers;
    boolean nominates = headers.contains(HeaderName.CONNECTION);
    for (int i = 0; i < headers.size(); i++) {
      if (isSent(headers, i, nominates)) {
        bytes += HpackField.OVERHEAD + headers.name(i).length() + headers.valueLength(i);
      }
    }
    if (bytes > peer.maxHeaderListSize()) {
      throw new HeadTooLargeException(bytes, peer.maxHeaderListSize());
    }
  }

  /** Whether the field is sent: not if HTTP/2 forbids it, RFC 9113 §8.2.2. */
  private static boolean isSent(Headers headers, int i, boolean nominates) {
    HeaderName name = headers.name(i);
    if (name == HeaderName.TE) {
      // In HTTP/1.1 it is a connection option (RFC 9110 §10.1.4), and so nominated.
      return headers.valueEqualsIgnoreCase(i, "trailers");
    }
    return !FieldSection.isConnectionSpecific(name)
        && name != HeaderName.HOST
        && name != HeaderName.HTTP2_SETTINGS
        && !(nominates && headers.containsToken(HeaderName.CONNECTION, name.toString()));
  }

  private static long contentLength(Headers headers) {
    int at = headers.indexOf(HeaderName.CONTENT_LENGTH, 0);
    if (at < 0) {
      return -1;
    }
    byte[] digits = new byte[headers.valueLength(at)];
    headers.copyValue(at, digits, 0);
    long length = Octets.decimal(digits, 0, digits.length);
    if (length < 0 || headers.indexOf(HeaderName.CONTENT_LENGTH, at + 1) >= 0) {
      throw new IllegalArgumentException("Content-Length " + headers.value(at)
          + " is given twice or is no number from 0 to 2^63-1");
    }
    return length;
  }

  /** Chars above 0xFF become question marks, which no part here may hold unless it is a query. */
  private static byte[] bytes(String text) {
    byte[] octets = text.getBytes(StandardCharsets.ISO_8859_1);
    for (int i = 0; i < octets.length; i++) {
      if (text.charAt(i) > 0x7E) {
        octets[i] = 0x7F;
      }
    }
    return octets;
  }

  // ---- heads that repeat

  /** The kept head that is the same as the current one; that itself if there is none. */
  private Head find() {
    for (int i = 0; i < KEPT; i++) {
      Head head = kept[last + i & KEPT - 1];
      if (head.isSame(current)) {
        last = last + i & KEPT - 1;
        return head;
      }
    }
    return current;
  }

  /**
   * Keeps what a head is made of when it is seen first, and its bytes when it is seen again and has
   * left the table as it was: heads that never repeat cost no copy.
   */
  private void keep(Head head, HpackOutput out, int from, int generation) {
    if (head != current) {
      if (generation == encoder.generation() && out.length() - from <= MOST_KEPT_BYTES) {
        head.block = Arrays.copyOfRange(out.array(), from, out.length());
        head.generation = generation;
      }
    } else if (head.subject != null && head.subject != Method.CONNECT) {
      next = next + 1 & KEPT - 1;
      current = kept[next];
      kept[next] = head;
      last = next;
    }
  }
}
