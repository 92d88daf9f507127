package heddle.bench.schedule;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What carries a request of a blocking client. An asynchronous one needs none. */
public sealed interface Strand {

  /** A virtual thread for each request of an open load, and for each caller of a closed one. */
  record Virtual() implements Strand {
    @Override
    public String toString() {
      return "virtual";
    }
  }

  /** A platform thread for each. */
  record Platform() implements Strand {
    @Override
    public String toString() {
      return "thread";
    }
  }

  /**
   * So many platform threads for all; requests that find none free wait for one.
   *
   * @param threads at least 1
   */
  record Pool(int threads) implements Strand {

    /** Checks the range; throws {@link IllegalArgumentException} when it is left. */
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
   * Reads {@code virtual}, {@code thread} or {@code pool:200}, as strands are written.
   *
   * @throws IllegalArgumentException when it is something else; the message says what is allowed
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
