package heddle.bench.server;

import heddle.bench.driver.Profile;
import heddle.bench.driver.Protocol;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The specification of a server.
 *
 * @param program the program
 * @param protocol the protocol of its clients
 * @param tls whether connections are encrypted
 * @param threads the threads of its requests, as {@link heddle.load.schedule.Strand#parse} reads
 *     them
 * @param profile whether limits of servers that are not Heddle's are raised to the load
 * @param copies the number of processes, each with its own port: with the usual limits a process
 *     may hold some 20,000 connections, and a client may open some 28,000 to one port
 */
public record ServerSpec(
    Program program, Protocol protocol, boolean tls, String threads, Profile profile, int copies) {

  /** A virtual thread per request. */
  public static final String VIRTUAL = "virtual";

  private static final Pattern THREADS = Pattern.compile("virtual|thread|pool:[1-9]\\d{0,4}");
  private static final int MOST_COPIES = 64;

  /** The server programs. */
  public enum Program {
    /** Heddle's server with the routes for experiments. */
    HEDDLE,
    /** The JDK's server, {@code com.sun.net.httpserver}, with the same routes; HTTP/1.1 only. */
    JDK,
    /** Robert Engels' server with the API of the JDK's, and the same routes, as those below. */
    ROBAHO,
    /** Jetty. */
    JETTY,
    /** Tomcat. */
    TOMCAT,
    /** Helidon, on virtual threads only. */
    HELIDON,
    /** Undertow. */
    UNDERTOW,
    /** Netty's codecs, which answer on their loops. */
    NETTY,
    /** nghttpd, of nghttp2: HTTP/2 only, files only, and no counts. */
    NGHTTPD,
    /** nginx: GET only and no counts, and HTTP/2 over TLS only. */
    NGINX,
    /** h2o: GET only and no counts. */
    H2O,
    /**
     * A node of OpenSearch, or a stand-in if that is not available: HTTP/1.1 in cleartext only. Its
     * index is {@link SearchNode#INDEX}.
     */
    SEARCH;

    /** The name in files and options: lower case. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Throws {@link IllegalArgumentException} if the program does not support this. */
  public ServerSpec {
    require(
        THREADS.matcher(threads).matches(),
        "threads are virtual, thread or pool:N, not " + threads);
    require(
        copies >= 1 && copies <= MOST_COPIES,
        "a server has 1 to " + MOST_COPIES + " copies, not " + copies);
    boolean isVirtual = threads.equals(VIRTUAL);
    boolean isPlain = isVirtual && copies == 1;
    boolean isHttp2 = protocol == Protocol.HTTP_2;
    switch (program) {
      case HEDDLE, TOMCAT, UNDERTOW -> {}
      case ROBAHO ->
        require(
            !threads.startsWith("pool"),
            "robaho's server leaves a thread with each connection: no pool");
      case HELIDON -> require(isVirtual, "Helidon runs requests on virtual threads only");
      case NETTY -> require(isVirtual, "Netty answers on its loops: there is no choice of threads");
      case JETTY ->
        require(!threads.equals("thread"), "Jetty has a pool or virtual threads, no thread each");
      case JDK -> require(!isHttp2, "the JDK's server supports HTTP/1.1 only");
      case NGHTTPD -> {
        require(isHttp2, "nghttpd supports HTTP/2 only");
        require(isPlain, "nghttpd has no threads to choose, and one copy");
      }
      case NGINX -> {
        require(!isHttp2 || tls, "nginx supports HTTP/2 over TLS only");
        require(isPlain, "nginx has no threads to choose, and one copy");
      }
      case H2O -> require(isPlain, "h2o has no threads to choose, and one copy");
      case SEARCH -> {
        require(!isHttp2 && !tls, "the search engine supports HTTP/1.1 in cleartext only");
        require(isPlain, "the search engine has no threads to choose, and one copy");
      }
    }
  }

  /** A tuned server of one process with a virtual thread per request. */
  public static ServerSpec of(Program program, Protocol protocol, boolean tls) {
    return new ServerSpec(program, protocol, tls, VIRTUAL, Profile.TUNED, 1);
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
