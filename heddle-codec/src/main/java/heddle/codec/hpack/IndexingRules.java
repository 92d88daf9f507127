package heddle.codec.hpack;

import heddle.http.HeaderName;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * What an encoder knows of fields by their names: where the static table has the name, and whether
 * the field is worth a place in the dynamic one.
 */
final class IndexingRules {
  /** Cookies of this length or more are safe from guessing, RFC 7541 §7.1.3; others are secrets. */
  private static final int SAFE_COOKIE_LENGTH = 20;

  /**
   * Values that belong to one message or resource would evict entries that repeat. Date, Expires
   * and Last-Modified are not among these names: under load many responses have the same, and if
   * they do not, the encoder learns that indexing them is fruitless.
   */
  private static final Set<String> PASSING =
      Set.of(("age content-length content-range etag if-match if-modified-since if-none-match "
              + "if-range if-unmodified-since location range")
          .split(" ", -1));

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

  /** The rule for a name: how a field is sent depends on whether its value could be guessed. */
  record Rule(int staticIndex, Indexing ifShort, Indexing ifLong) {
    Indexing indexing(int valueLength) {
      return valueLength < SAFE_COOKIE_LENGTH ? ifShort : ifLong;
    }
  }

  private static final Rule UNKNOWN = common(0);

  static final IndexingRules DEFAULTS = new IndexingRules(true);

  /** Everything is indexed, as in the examples of RFC 7541 appendix C.3 to C.6. */
  static final IndexingRules INDEX_ALL = new IndexingRules(false);

  private final Map<HeaderName, Rule> rules = new HashMap<>();
  private final boolean isSelective;

  private IndexingRules(boolean isSelective) {
    this.isSelective = isSelective;
    for (int index = StaticTable.SIZE; index >= 1; index--) {
      HeaderName name = StaticTable.get(index).name();
      if (name != null) {
        rules.put(name, isSelective ? rule(name, index) : common(index));
      }
    }
    if (isSelective) {
      rules.put(HeaderName.TRACEPARENT, passing(0));
      rules.put(HeaderName.X_REQUEST_ID, passing(0));
    }
  }

  private static Rule rule(HeaderName name, int index) {
    // An attacker who can add fields could guess a secret from the length of the block.
    return switch (name.lowerCase()) {
      case "authorization", "proxy-authorization" ->
        new Rule(index, Indexing.NEVER, Indexing.NEVER);
      case "cookie" -> new Rule(index, Indexing.NEVER, Indexing.INCREMENTAL);
      case "set-cookie" -> new Rule(index, Indexing.NEVER, Indexing.WITHOUT);
      default -> PASSING.contains(name.lowerCase()) ? passing(index) : common(index);
    };
  }

  private static Rule common(int index) {
    return new Rule(index, Indexing.INCREMENTAL, Indexing.INCREMENTAL);
  }

  private static Rule passing(int index) {
    return new Rule(index, Indexing.WITHOUT, Indexing.WITHOUT);
  }

  /** The rule for a name; one without an entry in the static table has 0 for its index. */
  Rule find(HeaderName name) {
    return rules.getOrDefault(name, UNKNOWN);
  }

  /** How a pseudo-header field is sent: a query is likely to be another one each time. */
  Indexing indexing(Pseudo pseudo, String value) {
    return isSelective && pseudo == Pseudo.PATH && value.indexOf('?') >= 0
        ? Indexing.WITHOUT
        : Indexing.INCREMENTAL;
  }
}
