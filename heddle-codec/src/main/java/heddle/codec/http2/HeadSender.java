package heddle.codec.http2;

import heddle.codec.HeadTooLargeException;
import heddle.codec.hpack.HpackEncoder;
import heddle.codec.hpack.HpackField;
import heddle.codec.hpack.HpackOutput;
import heddle.codec.hpack.Pseudo;
import heddle.codec.http2.frame.FrameHeader;
import heddle.codec.http2.frame.HeadersFrame;
import heddle.codec.http2.frame.Settings;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Status;
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

  /** What a head is made of; compared with what is sent next. */
  private static final class Kept {
    @Nullable
    Object subject;

    String scheme = "";
    String authority = "";
    String path = "";

    @Nullable
    String protocol;

    Headers headers = Headers.empty();
    int generation;
    byte @Nullable [] block;
    long contentLength;

    /** The subject is a method or a status; those that are not cached are equal by value. */
    boolean is(Object what, String toScheme, String toAuthority, String toPath, Headers fields) {
      return headers == fields
          && path.equals(toPath)
          && what.equals(subject)
          && authority.equals(toAuthority)
          && scheme.equals(toScheme)
          && protocol == null;
    }
  }

  private final HpackEncoder encoder = new HpackEncoder(TABLE_BYTES);
  private final Kept[] kept = new Kept[KEPT];
  private int last;
  private int next;

  /** The Content-Length of the head sent last, or -1. */
  private long contentLength;

  /** The peer's SETTINGS_MAX_HEADER_LIST_SIZE. */
  private int maxListBytes = Integer.MAX_VALUE;

  HeadSender() {
    Arrays.setAll(kept, i -> new Kept());
  }

  /** Applies the peer's SETTINGS for HPACK's table and for the size of a field section. */
  void settings(Settings peer) {
    encoder.setMaxTableBytes(peer.headerTableSize());
    if (maxListBytes != peer.maxHeaderListSize()) {
      maxListBytes = peer.maxHeaderListSize();
      for (Kept entry : kept) {
        entry.block = null; // its size was not held against this bound
      }
    }
  }

  /** The Content-Length of the head sent last, or -1 if it has none. */
  long contentLength() {
    return contentLength;
  }

  /**
   * Appends the head of a request.
   *
   * @param protocol that of an extended CONNECT, or null
   * @throws HeadTooLargeException if the head is larger than the peer accepts
   * @throws IllegalArgumentException if a part cannot be sent
   */
  void request(
      HpackOutput out,
      Method method,
      String scheme,
      String authority,
      String path,
      @Nullable String protocol,
      Headers headers) {
    Kept entry = protocol == null ? find(method, scheme, authority, path, headers) : null;
    if (entry != null && replay(out, entry)) {
      return;
    }
    check("authority", authority, Target.isAuthority(bytes(authority), false));
    check("scheme", scheme, Target.isScheme(bytes(scheme)));
    check("path", path, Target.isPath(bytes(path), method == Method.OPTIONS));
    check("protocol", protocol, protocol == null || Target.isToken(bytes(protocol)));
    if (isListBounded()) {
      long list = size(Pseudo.METHOD, method.name())
          + size(Pseudo.SCHEME, scheme)
          + size(Pseudo.AUTHORITY, authority)
          + size(Pseudo.PATH, path);
      checkSize(protocol == null ? list : list + size(Pseudo.PROTOCOL, protocol), headers);
    }
    long length = contentLength(headers);
    int from = out.length();
    int generation = encoder.generation();
    encoder.begin(out);
    try {
      encoder.field(Pseudo.METHOD, method.name());
      if (protocol != null) {
        encoder.field(Pseudo.PROTOCOL, protocol);
      }
      encoder.field(Pseudo.SCHEME, scheme);
      encoder.field(Pseudo.AUTHORITY, authority);
      encoder.field(Pseudo.PATH, path);
      fields(headers);
    } catch (RuntimeException | Error e) {
      encoder.abandon();
      throw e;
    }
    contentLength = length;
    if (protocol == null) {
      keep(entry, out, from, generation, method, scheme, authority, path, headers);
    }
  }

  /** Appends the head of a CONNECT (RFC 9113 §8.5). */
  void connect(HpackOutput out, String authority, Headers headers) {
    check("authority", authority, Target.isAuthority(bytes(authority), true));
    if (isListBounded()) {
      String method = Method.CONNECT.name();
      checkSize(size(Pseudo.METHOD, method) + size(Pseudo.AUTHORITY, authority), headers);
    }
    encoder.begin(out);
    try {
      encoder.field(Pseudo.METHOD, Method.CONNECT.name());
      encoder.field(Pseudo.AUTHORITY, authority);
      fields(headers);
    } catch (RuntimeException | Error e) {
      encoder.abandon();
      throw e;
    }
    contentLength = -1;
  }

  /**
   * Appends the head of a response.
   *
   * @throws HeadTooLargeException if the head is larger than the peer accepts
   * @throws IllegalArgumentException if a part cannot be sent
   */
  void response(HpackOutput out, Status status, Headers headers) {
    Kept entry = find(status, "", "", "", headers);
    if (entry != null && replay(out, entry)) {
      return;
    }
    String code = Integer.toString(status.code());
    if (isListBounded() && !headers.isEmpty()) {
      checkSize(size(Pseudo.STATUS, code), headers);
    }
    long length = contentLength(headers);
    int from = out.length();
    int generation = encoder.generation();
    encoder.begin(out);
    try {
      encoder.field(Pseudo.STATUS, code);
      fields(headers);
    } catch (RuntimeException | Error e) {
      encoder.abandon();
      throw e;
    }
    contentLength = length;
    keep(entry, out, from, generation, status, "", "", "", headers);
  }

  /**
   * Appends a trailer section.
   *
   * @throws HeadTooLargeException if the section is larger than the peer accepts
   */
  void trailers(HpackOutput out, Headers headers) {
    if (isListBounded()) {
      checkSize(0, headers);
    }
    encoder.begin(out);
    try {
      fields(headers);
    } catch (RuntimeException | Error e) {
      encoder.abandon();
      throw e;
    }
  }

  // ---- RFC 9113 §10.5.1: what the peer says that it takes of a field section

  private boolean isListBounded() {
    return maxListBytes != Integer.MAX_VALUE;
  }

  /** As RFC 9113 §6.5.2 counts. */
  private static long size(Pseudo name, String value) {
    return (long) HpackField.OVERHEAD + name.length() + value.length();
  }

  private void checkSize(long pseudos, Headers headers) {
    boolean nominates = headers.contains(HeaderName.CONNECTION);
    long bytes = pseudos;
    for (int i = 0; i < headers.size(); i++) {
      if (isSent(headers, i, nominates)) {
        bytes += HpackField.OVERHEAD + headers.name(i).length() + headers.valueLength(i);
      }
    }
    if (bytes > maxListBytes) {
      throw new HeadTooLargeException(bytes, maxListBytes);
    }
  }

  private void fields(Headers headers) {
    boolean nominates = headers.contains(HeaderName.CONNECTION);
    for (int i = 0; i < headers.size(); i++) {
      if (isSent(headers, i, nominates)) {
        encoder.field(headers.name(i), headers, i);
      }
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
    String value = headers.value(at);
    long length = -1;
    try {
      length = Long.parseLong(value);
    } catch (NumberFormatException e) {
      // Said below, with what is wrong.
    }
    if (length < 0
        || value.charAt(0) == '+'
        || headers.indexOf(HeaderName.CONTENT_LENGTH, at + 1) >= 0) {
      throw new IllegalArgumentException(
          "Content-Length " + value + " is given twice or is no number from 0 to 2^63-1");
    }
    return length;
  }

  private static void check(String what, @Nullable String value, boolean valid) {
    if (!valid) {
      throw new IllegalArgumentException(
          "the " + what + " '" + value + "' cannot be sent: see RFC 9113 §8.3.1 for its form");
    }
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

  private @Nullable Kept find(
      Object subject, String scheme, String authority, String path, Headers headers) {
    for (int i = 0; i < KEPT; i++) {
      Kept entry = kept[last + i & KEPT - 1];
      if (entry.is(subject, scheme, authority, path, headers)) {
        last = last + i & KEPT - 1;
        return entry;
      }
    }
    return null;
  }

  private boolean replay(HpackOutput out, Kept entry) {
    byte[] block = entry.block;
    if (block == null || entry.generation != encoder.generation()) {
      return false;
    }
    out.put(block, 0, block.length);
    contentLength = entry.contentLength;
    return true;
  }

  /**
   * Keeps what a head is made of when it is seen first, and its bytes when it is seen again and has
   * left the table as it was: heads that never repeat cost no copy.
   */
  private void keep(
      @Nullable Kept known,
      HpackOutput out,
      int from,
      int generation,
      Object subject,
      String scheme,
      String authority,
      String path,
      Headers headers) {
    if (known == null) {
      next = next + 1 & KEPT - 1;
      Kept entry = kept[next];
      entry.subject = subject;
      entry.scheme = scheme;
      entry.authority = authority;
      entry.path = path;
      entry.headers = headers;
      entry.block = null;
      last = next;
      return;
    }
    int length = out.length() - from;
    if (generation == encoder.generation() && length <= MOST_KEPT_BYTES) {
      known.block = Arrays.copyOfRange(out.array(), from, out.length());
      known.generation = generation;
      known.contentLength = contentLength;
    }
  }

  /** Writes the frame headers of the block appended behind the one reserved at {@code at}. */
  static void frame(HpackOutput out, int at, int streamId, boolean endStream, int maxFrameSize) {
    Objects.checkIndex(at, out.length() - FrameHeader.BYTES + 1);
    HeadersFrame.finish(out, at, streamId, endStream, maxFrameSize);
  }
}
