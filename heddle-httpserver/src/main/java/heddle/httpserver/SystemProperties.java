package heddle.httpserver;

import heddle.http.Limits;
import heddle.server.HttpServer;
import java.lang.System.Logger.Level;
import java.time.Duration;

/**
 * The system properties that the JDK's server knows, as they are when a server is created, and our
 * own.
 *
 * @param http2 {@code heddle.httpserver.http2}
 * @param wholeSegments {@code sun.net.httpserver.pathMatcher}
 * @param attributesOfContext {@code jdk.httpserver.attributes}
 * @param idle {@code sun.net.httpserver.idleInterval}
 * @param maxRequestSeconds {@code sun.net.httpserver.maxReqTime}; 0 for no limit
 * @param maxResponseSeconds {@code sun.net.httpserver.maxRspTime}; 0 for no limit
 * @param maxConnections {@code jdk.httpserver.maxConnections}; 0 for the default of Heddle
 * @param maxFields {@code sun.net.httpserver.maxReqHeaders}
 * @param maxHeadBytes {@code sun.net.httpserver.maxReqHeaderSize}
 * @param drainBytes {@code sun.net.httpserver.drainAmount}
 */
record SystemProperties(
    boolean http2,
    boolean wholeSegments,
    boolean attributesOfContext,
    Duration idle,
    long maxRequestSeconds,
    long maxResponseSeconds,
    int maxConnections,
    int maxFields,
    int maxHeadBytes,
    int drainBytes) {
  private static final String PATH_MATCHER = "sun.net.httpserver.pathMatcher";
  private static final int FIELDS = 200;
  private static final int HEAD_BYTES = 380 * 1024;

  /** What "no limit" means: a peer must not be able to use up the memory. */
  private static final int MOST_HEAD_BYTES = 16 << 20;

  private static final long MOST_SECONDS = Duration.ofDays(365).toSeconds();

  /** Reads them. */
  static SystemProperties read() {
    int fields = Integer.getInteger("sun.net.httpserver.maxReqHeaders", FIELDS);
    int head = Integer.getInteger("sun.net.httpserver.maxReqHeaderSize", HEAD_BYTES);
    long discard = Long.getLong("sun.net.httpserver.drainAmount", 64 * 1024);
    long idle = seconds("sun.net.httpserver.idleInterval");
    return new SystemProperties(
        Boolean.getBoolean("heddle.httpserver.http2"),
        comparesSegments(),
        sharesAttributes(),
        Duration.ofSeconds(idle > 0 ? idle : 30),
        seconds("sun.net.httpserver.maxReqTime"),
        seconds("sun.net.httpserver.maxRspTime"),
        Math.max(0, Integer.getInteger("jdk.httpserver.maxConnections", 0)),
        fields > 0 ? fields : FIELDS,
        head > 0 ? Math.clamp(head, 64, MOST_HEAD_BYTES) : MOST_HEAD_BYTES,
        Math.clamp(discard, 0, Integer.MAX_VALUE));
  }

  private static long seconds(String property) {
    return Math.clamp(Long.getLong(property, 0), 0, MOST_SECONDS);
  }

  /** The JDK's server compares whole segments since JDK 27. */
  private static boolean comparesSegments() {
    boolean usual = Runtime.version().feature() >= 27;
    String value = System.getProperty(PATH_MATCHER);
    if (value != null && !value.equals("pathPrefix") && !value.equals("stringPrefix")) {
      ServerLifecycle.LOG.log(
          Level.WARNING,
          PATH_MATCHER + " is " + value + ", must be pathPrefix or stringPrefix: ignored");
      return usual;
    }
    return value == null ? usual : value.equals("pathPrefix");
  }

  /** The JDK's server has attributes for each exchange since JDK 26. */
  private static boolean sharesAttributes() {
    return Runtime.version().feature() < 26
        || "context".equals(System.getProperty("jdk.httpserver.attributes"));
  }

  /** A server with these settings. */
  HttpServer.Builder server() {
    Limits limits = Limits.SERVER_DEFAULTS.toBuilder()
        .maxFields(maxFields)
        .maxHeadBytes(maxHeadBytes)
        .maxStartLineBytes(maxHeadBytes)
        .build();
    HttpServer.Builder builder = HttpServer.builder()
        .http2(http2)
        .hostRequired(false)
        .headLimits(limits)
        .maxBodyBytes(Long.MAX_VALUE)
        .maxDiscardBytes(Math.max(0, drainBytes - 1)) // As many or more close it.
        .idleTimeout(idle)
        .headTimeout(idle);
    if (maxRequestSeconds > 0) {
      Duration most = Duration.ofSeconds(maxRequestSeconds);
      builder.headTimeout(most.compareTo(idle) < 0 ? most : idle).bodyTimeout(most);
    }
    if (maxResponseSeconds > 0) {
      Duration most = Duration.ofSeconds(maxResponseSeconds);
      builder.handlerTimeout(most).writeTimeout(most);
    }
    if (maxConnections > 0) {
      builder.maxConnections(maxConnections);
    }
    return builder;
  }
}
