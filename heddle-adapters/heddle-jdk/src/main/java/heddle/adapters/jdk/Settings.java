package heddle.adapters.jdk;

import heddle.adapters.support.Clients;
import heddle.client.settings.PoolLimits;
import heddle.client.settings.RetryBudget;
import heddle.client.settings.RetryPolicy;
import heddle.http.Method;
import heddle.http.Status;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.InetAddress;
import java.net.ProxySelector;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.time.Duration;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * The options of a client.
 *
 * @param ownContext null for the default one, which is made when it is first needed
 * @param priority 1 to 256, or 0 if not set
 * @param proxy the selector that was set; null if none was
 * @param routes the selector in use: the one that was set, or the system's when the client was
 *     built; null for none
 * @param local local address of connections; null to have the system choose one
 * @param timesContent whether requests' timeouts cover content for which the handler waits
 */
record Settings(
    @Nullable CookieHandler cookies,
    @Nullable Duration connectTimeout,
    @Nullable SSLContext ownContext,
    @Nullable SSLParameters parameters,
    @Nullable Executor executor,
    Redirect redirects,
    Version version,
    int priority,
    @Nullable ProxySelector proxy,
    @Nullable ProxySelector routes,
    @Nullable Authenticator authenticator,
    @Nullable InetAddress local,
    boolean timesContent) {
  /** What requests' timeouts cover if the builder does not say. */
  static final boolean TIMES_CONTENT = timesContent(
      System.getProperty("heddle.jdk.timeoutCoversContent"), Runtime.version().feature());

  /** From JDK 26 on, the timeout of a request covers the content (JDK-8208693). */
  static boolean timesContent(@Nullable String property, int feature) {
    return property == null ? feature >= 26 : Boolean.parseBoolean(property);
  }

  private static final PoolLimits LIMITS = Clients.LIMITS.toBuilder()
      .acquireTimeout(Clients.FOREVER)
      .idleTimeout(idleTimeout(Long.getLong("jdk.httpclient.keepalive.timeout")))
      .build();

  /** The overhead that HTTP/2 counts per field (RFC 9113 section 6.5.2). */
  private static final int LEAST_FIELD_BYTES = 32;

  /**
   * The JDK's own property, with its default of 384 KiB; a value that is not positive means no
   * limit.
   */
  private static final int MAX_HEAD_BYTES =
      maxHeadBytes(Integer.getInteger("jdk.http.maxHeaderSize", 384 * 1024));

  static int maxHeadBytes(int property) {
    return property <= 0 ? Integer.MAX_VALUE : Math.max(64, property);
  }

  /** The JDK's own property, in seconds; without it the default is Heddle's. */
  private static Duration idleTimeout(@Nullable Long seconds) {
    return seconds == null || seconds <= 0
        ? PoolLimits.DEFAULTS.idleTimeout()
        : Duration.ofSeconds(seconds);
  }

  /** The JDK's client has no retry budget. */
  private static final RetryBudget NO_BUDGET = new RetryBudget(1, 100_000);

  /** Whether a property of the JDK's is true or empty. */
  static boolean isOn(String property) {
    String value = System.getProperty(property);
    return value != null && (value.isEmpty() || Boolean.parseBoolean(value));
  }

  /**
   * Builds Heddle's client with these settings.
   *
   * @throws IllegalArgumentException if one of them cannot be honoured
   */
  heddle.client.HttpClient client() {
    Duration connect = connectTimeout == null ? Duration.ZERO : connectTimeout; // Zero is none.
    heddle.client.HttpClient.Builder builder = Clients.plain()
        .poolLimits(LIMITS)
        .timeouts(Clients.timeouts(connect, Duration.ZERO).toBuilder()
            .close(Duration.ZERO)
            .build())
        .proxies(origin -> Route.chosen())
        .maxResponseHead(MAX_HEAD_BYTES, MAX_HEAD_BYTES / LEAST_FIELD_BYTES)
        .upgradeToH2c(true) // Not for requests of version HTTP/1.1, which set it.
        .retries(new Repetition())
        .retryBudget(NO_BUDGET);
    if (ownContext == null && parameters == null) {
      builder.tls(() -> Tls.options(context(), null));
    } else {
      builder.tls(Tls.options(context(), parameters));
    }
    if (local != null) {
      builder.localAddress(local);
    }
    return builder.build();
  }

  /** The context that was given, or the default one. */
  SSLContext context() {
    return ownContext == null ? Clients.defaultContext() : ownContext;
  }

  /**
   * Repeats requests as the JDK's client does: those that provably were not processed, and a GET or
   * HEAD whose connection was lost before there was a response, even if the connection was new.
   */
  private static final class Repetition implements RetryPolicy {
    private static final int ATTEMPTS = 2;

    /**
     * The JDK's own property, which allows repeating requests of any method unless it is unset or
     * false.
     */
    private static final boolean ALL_METHODS = isOn("jdk.httpclient.enableAllMethodRetry");

    private final RetryPolicy safe = RetryPolicy.provablySafe();

    @Override
    public boolean isAskedAbout(Status status) {
      return safe.isAskedAbout(status);
    }

    /** False: callers of the JDK's client expect to get the 417 response. */
    @Override
    public boolean repeatsWithoutExpectation() {
      return false;
    }

    @Override
    public Decision decide(Attempt attempt) {
      Decision decision = safe.decide(attempt);
      boolean again = decision instanceof Stop
          && Failures.isWithoutResponse(attempt.failure())
          && attempt.number() < ATTEMPTS
          && (ALL_METHODS || isRead(attempt.request().method()));
      return again ? Decision.repeat() : decision;
    }

    private static boolean isRead(Method method) {
      return method.equals(Method.GET) || method.equals(Method.HEAD);
    }
  }
}
