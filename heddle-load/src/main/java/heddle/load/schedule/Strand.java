package heddle.load.schedule;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The kind of threads that carry the requests of a blocking client. An asynchronous client needs
 * none.
 */
public sealed interface Strand {

  /** A virtual thread per request of an open load, or per caller of a closed one. */
  record Virtual() implements Strand {
    @Override
    public String toString() {
      return "virtual";
    }
  }

  /** A platform thread per request or caller. */
  record Platform() implements Strand {
    @Override
    public String toString() {
      return "thread";
    }
  }

  /**
   * A fixed number of platform threads; requests wait for a free one.
   *
   * @param threads at least 1
   */
  record Pool(int threads) implements Strand {

    /** Throws {@link IllegalArgumentException} if a value is out of range. */
    public Pool {
      if (threads < 1) {
        throw new IllegalArgumentException("a pool has at least 1 thread, not " + threads);
      }
    }

    @Override
    public String toString() {
      return "pool:" + threads;
    }
  }

  /** The default. */
  Strand VIRTUAL = new Virtual();

  /**
   * Reads {@code virtual}, {@code thread} or a pool such as {@code pool:200}.
   *
   * @throws IllegalArgumentException if it is malformed; the message says what is allowed
   */
  static Strand parse(String text) {
    Matcher pool = Pattern.compile("pool:(\\d{1,6})").matcher(text);
    if (pool.matches()) {
      return new Pool(Integer.parseInt(pool.group(1)));
    }
    return switch (text) {
      case "virtual" -> VIRTUAL;
      case "thread" -> new Platform();
      default ->
        throw new IllegalArgumentException("a strand is virtual, thread or pool:N, not " + text);
    };
  }
}
