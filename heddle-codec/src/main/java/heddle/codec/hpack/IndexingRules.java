package heddle.codec.hpack;

import heddle.http.HeaderName;
import org.jspecify.annotations.Nullable;

/**
 * What an encoder knows of fields by their names: where the static table has the name, and whether
 * the field is worth a place in the dynamic one.
 */
final class IndexingRules {
  static final IndexingRules DEFAULTS = new IndexingRules(true);

  /** Everything is indexed, as in the examples of RFC 7541 appendix C.3 to C.6. */
  static final IndexingRules INDEX_ALL = new IndexingRules(false);

  /** Cookies of this length or more are safe from guessing, RFC 7541 §7.1.3; others are secrets. */
  private static final int SAFE_COOKIE_LENGTH = 20;

  private static final int TABLE_SIZE = 256;

  /** How an encoder represents a field that no table holds yet, RFC 7541 §6.2. */
  enum Indexing {
    /** It is added to the dynamic table. */
    INCREMENTAL(0x40, 6),
    /** It is not, because it is not likely to come again. */
    WITHOUT(0x00, 4),
    /** It is not, and no intermediary may do so either, because it is a secret, §7.1.3. */
    NEVER(0x10, 4);

    final int flags; // what the representation begins with
    final int prefixBits; // of its first byte, left for the index of the name

    Indexing(int flags, int prefixBits) {
      this.flags = flags;
      this.prefixBits = prefixBits;
    }
  }

  /** The rule for a name. */
  record Rule(HeaderName name, int staticIndex, Kind kind) {

    /** How a field with this name and a value of {@code valueLength} bytes is sent. */
    Indexing indexing(int valueLength) {
      return switch (kind) {
        case COMMON -> Indexing.INCREMENTAL;
        case PASSING -> Indexing.WITHOUT;
        case CREDENTIAL -> Indexing.NEVER;
        case COOKIE -> valueLength < SAFE_COOKIE_LENGTH ? Indexing.NEVER : Indexing.INCREMENTAL;
        case SET_COOKIE -> valueLength < SAFE_COOKIE_LENGTH ? Indexing.NEVER : Indexing.WITHOUT;
      };
    }
  }

  /** For unknown names; the name given here has no meaning. */
  private static final Rule UNKNOWN = new Rule(HeaderName.of("unknown"), 0, Kind.COMMON);

  enum Kind {
    COMMON,
    /** Its value belongs to one message or resource: it would evict entries that repeat. */
    PASSING,
    /** An attacker who can add fields could guess it from the length of the block. */
    CREDENTIAL,
    COOKIE,
    SET_COOKIE
  }

  private final @Nullable Rule[] rules = new @Nullable Rule[TABLE_SIZE];
  private final boolean isSelective;

  private IndexingRules(boolean isSelective) {
    this.isSelective = isSelective;
    for (int index = StaticTable.SIZE; index >= 1; index--) {
      HeaderName name = StaticTable.get(index).name();
      if (name != null) {
        put(new Rule(name, index, isSelective ? kind(name) : Kind.COMMON));
      }
    }
    if (isSelective) {
      put(new Rule(HeaderName.TRACEPARENT, 0, Kind.PASSING));
      put(new Rule(HeaderName.X_REQUEST_ID, 0, Kind.PASSING));
    }
  }

  // Date, Expires and Last-Modified are not among the passing ones: under load many responses have
  // the same, and if they do not, the encoder learns that indexing them is fruitless.
  private static Kind kind(HeaderName name) {
    return switch (name.lowerCase()) {
      case "authorization", "proxy-authorization" -> Kind.CREDENTIAL;
      case "cookie" -> Kind.COOKIE;
      case "set-cookie" -> Kind.SET_COOKIE;
      case "age",
          "content-length",
          "content-range",
          "etag",
          "if-match",
          "if-modified-since",
          "if-none-match",
          "if-range",
          "if-unmodified-since",
          "location",
          "range" -> Kind.PASSING;
      default -> Kind.COMMON;
    };
  }

  private void put(Rule rule) {
    int slot = slot(rule.name);
    while (rules[slot] != null) {
      slot = (slot + 1) % TABLE_SIZE;
    }
    rules[slot] = rule;
  }

  private static int slot(HeaderName name) {
    return (name.hashCode() * 0x9E3779B1) >>> 24;
  }

  /** The rule for a name; one without an entry in the static table has 0 for its index. */
  Rule find(HeaderName name) {
    int slot = slot(name);
    for (Rule rule; (rule = rules[slot]) != null; slot = (slot + 1) % TABLE_SIZE) {
      if (rule.name.equals(name)) {
        return rule;
      }
    }
    return UNKNOWN;
  }

  /** How a pseudo-header field is sent: a query is likely to be another one each time. */
  Indexing indexing(Pseudo pseudo, String value) {
    return isSelective && pseudo == Pseudo.PATH && value.indexOf('?') >= 0
        ? Indexing.WITHOUT
        : Indexing.INCREMENTAL;
  }
}
