package heddle.bench.server;

import heddle.bench.driver.Protocol;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A server that is wanted.
 *
 * @param program which
 * @param protocol that it will be asked in
 * @param tls whether connections are encrypted
 * @param threads what runs its requests: {@code virtual}, or {@code pool:N} for N platform threads
 * @param copies how many processes, each at a port of its own: a process here may hold some 20,000
 *     connections, and a client has some 28,000 to one port
 */
public record ServerSpec(
    Program program, Protocol protocol, boolean tls, String threads, int copies) {

  /** A virtual thread for each request. */
  public static final String VIRTUAL = "virtual";

  private static final Pattern THREADS = Pattern.compile("virtual|pool:[1-9]\\d{0,4}");
  private static final int MOST_COPIES = 64;

  /** What serves. */
  public enum Program {
    /** Heddle's own server with the routes for experiments. */
    HEDDLE,
    /** The JDK's, {@code com.sun.net.httpserver}, with the same routes; HTTP/1.1 alone. */
    JDK,
    /** nghttpd, of nghttp2: HTTP/2 alone, files alone, and no count. */
    NGHTTPD,
    /**
     * A node of OpenSearch, or what stands in for one where that cannot be had: HTTP/1.1 alone, in
     * cleartext. Its index is {@link SearchNode#INDEX}.
     */
    SEARCH;

    /** The name in files and options: lower case. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Throws {@link IllegalArgumentException} for what no program is. */
  public ServerSpec {
    require(THREADS.matcher(threads).matches(), "threads are virtual or pool:N, not " + threads);
    require(
        copies >= 1 && copies <= MOST_COPIES,
        "a server has 1 to " + MOST_COPIES + " copies, not " + copies);
    boolean isPlain = threads.equals(VIRTUAL) && copies == 1;
    boolean isHttp2 = protocol == Protocol.HTTP_2;
    switch (program) {
      case HEDDLE -> {}
      case JDK -> require(!isHttp2, "the JDK's server speaks HTTP/1.1 alone");
      case NGHTTPD -> {
        require(isHttp2, "nghttpd speaks HTTP/2 alone");
        require(isPlain, "nghttpd has no threads to choose, and one copy");
      }
      case SEARCH -> {
        require(!isHttp2 && !tls, "the search engine speaks HTTP/1.1 in cleartext alone");
        require(isPlain, "the search engine has no threads to choose, and one copy");
      }
    }
  }

  /** One process. */
  public ServerSpec(Program program, Protocol protocol, boolean tls, String threads) {
    this(program, protocol, tls, threads, 1);
  }

  /** One process with a virtual thread for each request. */
  public static ServerSpec of(Program program, Protocol protocol, boolean tls) {
    return new ServerSpec(program, protocol, tls, VIRTUAL);
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
