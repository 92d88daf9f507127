package heddle.codec.http2;

import heddle.codec.hpack.HpackField;
import heddle.codec.hpack.HpackSink;
import heddle.codec.hpack.Pseudo;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.failure.MalformedMessageException.Kind;
import heddle.http.syntax.Octets;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One field section decoded from HPACK: pseudo-header fields by kind, the other fields in order,
 * and what is malformed about them (RFC 9113 §8.2, §8.3). Reused for each section of a connection;
 * only the loop uses it.
 *
 * <p>Peers send the same fields again and again. So it keeps the last few sections, and returns the
 * same {@link Headers} for one that repeats, which costs no allocation and no check.
 */
final class FieldSection implements HpackSink {
  /** Sections that are kept. */
  private static final int KEPT = 4;

  /** A larger section is not kept: it would be held as long as the connection. */
  private static final int MOST_KEPT_BYTES = 2_048;

  /** After this many sections in a row that repeat nothing, only one in this many is kept. */
  private static final int PATIENCE = 16;

  /**
   * The fields of a section, without pseudo-header fields.
   *
   * @param contentLength the number in Content-Length, or -1
   */
  record Fields(Headers headers, long contentLength) {
    static final Fields NONE = new Fields(Headers.empty(), -1);
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Kept(HpackField[] from, Fields fields) {}

  /** The pseudo-header fields, by kind. */
  final Map<Pseudo, HpackField> pseudos = new EnumMap<>(Pseudo.class);

  private HpackField[] fields = {};
  private int size;
  private int bytes;

  /** What is malformed, or null. */
  @Nullable
  String fault;

  /** What kind of fault that is. */
  Kind faultKind = Kind.OTHER;

  private final @Nullable Kept[] kept = new @Nullable Kept[KEPT];
  private int lastHit;
  private int nextKept;
  private int misses;

  /** Prepares for the next section. */
  void begin() {
    pseudos.clear();
    Arrays.fill(fields, 0, size, null);
    size = 0;
    bytes = 0;
    fault = null;
  }

  @Override
  public void field(HpackField field) {
    Pseudo pseudo = field.pseudo();
    if (pseudo == null) {
      if (size == fields.length) {
        fields = Arrays.copyOf(fields, Math.max(16, 2 * size));
      }
      fields[size++] = field;
      bytes += field.size();
    } else if (size > 0) {
      malformed(
          Kind.MISPLACED_PSEUDO_FIELD,
          pseudo + " after a field that is no pseudo-header field (RFC 9113 §8.3)");
    } else if (pseudos.put(pseudo, field) != null) {
      malformed(Kind.MISPLACED_PSEUDO_FIELD, pseudo + " is given twice (RFC 9113 §8.3)");
    }
  }

  @Override
  public void malformed(Kind kind, String why) {
    if (fault == null) {
      fault = why;
      faultKind = kind;
    }
  }

  /** The fields; null when one of them is malformed: see {@link #fault}. */
  @Nullable
  Fields fields() {
    if (fault != null) {
      return null;
    }
    if (size == 0) {
      return Fields.NONE;
    }
    for (int i = 0; i < KEPT; i++) {
      Kept known = kept[lastHit + i & KEPT - 1];
      if (known != null && isSame(known.from)) {
        lastHit = lastHit + i & KEPT - 1;
        misses = 0;
        return known.fields;
      }
    }
    Fields made = make();
    if (made != null) {
      misses++;
      if (bytes <= MOST_KEPT_BYTES && (misses <= PATIENCE || misses % PATIENCE == 0)) {
        nextKept = nextKept + 1 & KEPT - 1;
        kept[nextKept] = new Kept(Arrays.copyOf(fields, size), made);
        lastHit = nextKept;
      }
    }
    return made;
  }

  private boolean isSame(HpackField[] other) {
    if (other.length != size) {
      return false;
    }
    for (int i = 0; i < size; i++) {
      HpackField a = fields[i];
      HpackField b = other[i];
      // A field that its sender does not index is a new instance each time.
      if (a != b && !(Arrays.equals(a.value(), b.value()) && Objects.equals(a.name(), b.name()))) {
        return false;
      }
    }
    return true;
  }

  private @Nullable Fields make() {
    Headers.Builder builder = Headers.builder();
    long contentLength = -1;
    int cookies = 0;
    for (int i = 0; i < size; i++) {
      HeaderName name = Objects.requireNonNull(fields[i].name());
      byte[] value = fields[i].value();
      if (name == HeaderName.CONTENT_LENGTH) {
        // Two that agree are refused as well, as in HTTP/1.1: no sender intends them.
        contentLength = contentLength >= 0 ? -1 : Octets.decimal(value, 0, value.length);
        if (contentLength < 0) {
          malformed(Kind.FRAMING, "Content-Length is given twice or is no number from 0 to 2^63-1");
          return null;
        }
      } else if (isConnectionSpecific(name)) {
        malformed(
            Kind.PROHIBITED_FIELD,
            name + " may not stand in a message of HTTP/2 (RFC 9113 §8.2.2)");
        return null;
      } else if (name == HeaderName.TE
          && !Octets.equalsIgnoreCase(value, 0, value.length, "trailers")) {
        malformed(Kind.BAD_FIELD, "TE says something other than trailers (RFC 9113 §8.2.2)");
        return null;
      }
      cookies += name == HeaderName.COOKIE ? 1 : 0;
      if (name != HeaderName.COOKIE || cookies == 1) {
        builder.add(name, value, 0, value.length);
      }
    }
    if (cookies > 1) {
      builder.set(HeaderName.COOKIE, joinedCookies());
    }
    return new Fields(builder.build(), contentLength);
  }

  /** RFC 9113 §8.2.3: crumbs are joined before code that knows only HTTP/1.1 sees them. */
  private String joinedCookies() {
    StringBuilder joined = new StringBuilder();
    for (int i = 0; i < size; i++) {
      if (fields[i].name() == HeaderName.COOKIE) {
        joined.append(joined.isEmpty() ? "" : "; ").append(text(fields[i]));
      }
    }
    return joined.toString();
  }

  /** Fields that belong to a connection of HTTP/1.1, RFC 9113 §8.2.2. */
  static boolean isConnectionSpecific(HeaderName name) {
    return name == HeaderName.CONNECTION
        || name == HeaderName.TRANSFER_ENCODING
        || name == HeaderName.KEEP_ALIVE
        || name == HeaderName.UPGRADE
        || name == HeaderName.PROXY_CONNECTION;
  }

  /** The value as text, one char for each octet. */
  static String text(HpackField field) {
    return new String(field.value(), StandardCharsets.ISO_8859_1);
  }
}
