package heddle.web.conditional;

import heddle.http.syntax.FieldParser;
import heddle.http.syntax.Octets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An entity tag (RFC 9110 section 8.8.3): names one version of a representation. A strong tag
 * changes with each octet of the content; a weak one may stay the same while the meaning does.
 *
 * <pre>{@code
 * EntityTag tag = EntityTag.strong("v" + article.version());
 * tag.toString(); // "v7", with the quotation marks
 * }</pre>
 *
 * @param opaque what stands between the quotation marks
 * @param isWeak whether {@code W/} stands before them
 */
public record EntityTag(String opaque, boolean isWeak) {
  private static final Duration COARSEST_TIME = Duration.ofSeconds(2);

  /**
   * Checks the tag.
   *
   * @throws IllegalArgumentException if {@code opaque} holds a quotation mark, a space, a control
   *     character or a char above 0xFF
   */
  public EntityTag {
    for (int i = 0; i < opaque.length(); i++) {
      if (!isTagChar(opaque.charAt(i))) {
        throw new IllegalArgumentException("%s at index %d may not stand in an entity tag"
            .formatted(Octets.describe(opaque.charAt(i)), i));
      }
    }
  }

  /**
   * A tag for content that is equal octet by octet.
   *
   * @throws IllegalArgumentException as the constructor does
   */
  public static EntityTag strong(String opaque) {
    return new EntityTag(opaque, false);
  }

  /**
   * A tag for content that is equal in its meaning.
   *
   * @throws IllegalArgumentException as the constructor does
   */
  public static EntityTag weak(String opaque) {
    return new EntityTag(opaque, true);
  }

  /**
   * The tag of a file: its size and the nanosecond of its last change. It is weak during the two
   * seconds after a change, in which another change may leave both as they are (RFC 9110 section
   * 8.8.1): file systems keep times as coarse as that.
   *
   * @param size in octets
   * @param now the time at which size and time of change were read
   */
  public static EntityTag ofFile(long size, Instant lastModified, Instant now) {
    long nanos = lastModified.getEpochSecond() * 1_000_000_000 + lastModified.getNano(); // may wrap
    String opaque = Long.toHexString(size) + "-" + Long.toHexString(nanos);
    return new EntityTag(opaque, lastModified.plus(COARSEST_TIME).isAfter(now));
  }

  /**
   * The tag of another representation of the same resource, such as one that is compressed.
   *
   * @param variant distinguishes it, such as {@code br}
   * @throws IllegalArgumentException as the constructor does
   */
  public EntityTag ofVariant(String variant) {
    return new EntityTag(opaque + "-" + variant, isWeak);
  }

  /** The tag that the value of a field consists of, such as ETag; null if it is not one tag. */
  public static @Nullable EntityTag parse(String text) {
    List<EntityTag> tags = parseList(text);
    return tags != null && tags.size() == 1 && text.endsWith("\"") ? tags.get(0) : null;
  }

  /**
   * The tags of a list, such as If-None-Match has it (RFC 9110 section 5.6.1: elements may be
   * empty); null if it is malformed, or has no tag.
   */
  static @Nullable List<EntityTag> parseList(String text) {
    FieldParser in = new FieldParser(text, "a list of entity tags");
    List<EntityTag> tags = new ArrayList<>();
    while (true) {
      in.skipBlanks();
      if (in.peek() >= 0 && in.peek() != ',') {
        boolean weak = text.startsWith("W/", in.at);
        int open = weak ? in.at + 2 : in.at;
        int close = in.after(EntityTag::isTagChar, open + 1);
        if (in.peek(open) != '"' || in.peek(close) != '"') {
          return null;
        }
        tags.add(new EntityTag(text.substring(open + 1, close), weak));
        in.at = close + 1;
        in.skipBlanks();
      }
      if (in.peek() < 0) {
        return tags.isEmpty() ? null : tags;
      }
      if (in.peek() != ',') {
        return null;
      }
      in.at++;
    }
  }

  /** RFC 9110 section 8.8.3: etagc. */
  private static boolean isTagChar(int c) {
    return c == '!' || (c > '"' && c < 0x7F) || (c >= 0x80 && c <= 0xFF);
  }

  /** Strong comparison (RFC 9110 section 8.8.3.2): equal, and neither is weak. */
  public boolean matchesStrongly(EntityTag other) {
    return !isWeak && !other.isWeak && opaque.equals(other.opaque);
  }

  /** Weak comparison (RFC 9110 section 8.8.3.2): equal whether weak or not. */
  public boolean matchesWeakly(EntityTag other) {
    return opaque.equals(other.opaque);
  }

  /** As sent in a field, with quotation marks. */
  @Override
  public String toString() {
    return (isWeak ? "W/\"" : "\"") + opaque + '"';
  }
}
