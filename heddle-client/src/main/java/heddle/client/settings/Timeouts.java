package heddle.client.settings;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long the parts of a call may take, except waiting for a connection: see {@link PoolLimits}.
 *
 * <p>By default a call may take 60 s until the caller has the response, whose content may then take
 * any time in which the server is not silent. A limit for the whole call, to the last byte of the
 * content, is set with {@code call}, or for one request with its {@linkplain
 * heddle.http.Request.Builder#deadline deadline}, which replaces both {@code call} and {@code
 * head}.
 *
 * <pre>{@code
 * Timeouts timeouts = Timeouts.builder().call(Duration.ofSeconds(10)).build();
 * }</pre>
 *
 * @param call the whole call, to the last byte of the response's content, redirects and retries
 *     included; null, the default, for no limit
 * @param head from the start of the call until the caller has the response, redirects and retries
 *     included. While the request's content is sent, this time begins anew with each 64 KiB of it,
 *     so that a large upload that goes on does not fail. Null, the default, for 60 s, or for no
 *     limit other than {@code call} if that is set
 * @param connect opening a connection
 * @param tls the TLS handshake on a new connection
 * @param settings from the first request on an HTTP/2 connection until the server acknowledges our
 *     SETTINGS (RFC 9113 section 6.5.3); after that it is closed with SETTINGS_TIMEOUT
 * @param firstByte from when the server got the request to the first byte of its response; may be
 *     shorter or longer than {@code silence}, which null, the default, stands for
 * @param expectContinue how long the content of a request that expects 100 (Continue) waits for an
 *     answer before it is sent anyway (RFC 9110 section 10.1.1)
 * @param silence how long the server may send nothing of a response that the client waits for
 * @param close how long closing the client waits for running calls before it aborts them
 */
public record Timeouts(
    @Nullable Duration call,
    @Nullable Duration head,
    Duration connect,
    Duration tls,
    Duration settings,
    @Nullable Duration firstByte,
    Duration expectContinue,
    Duration silence,
    Duration close) {
  /**
   * Head 60 s, connect 5 s, TLS 5 s, SETTINGS 10 s, 100 (Continue) 1 s, silence 30 s, close 5 s.
   */
  public static final Timeouts DEFAULTS = new Timeouts(
      null,
      null,
      Duration.ofSeconds(5),
      Duration.ofSeconds(5),
      Duration.ofSeconds(10),
      null,
      Duration.ofSeconds(1),
      Duration.ofSeconds(30),
      Duration.ofSeconds(5));

  /**
   * @throws IllegalArgumentException if a timeout is not positive, or close negative
   */
  public Timeouts {
    if (call != null) {
      requirePositive(call, "call");
    }
    if (head != null) {
      requirePositive(head, "head");
    }
    requirePositive(connect, "connect");
    requirePositive(tls, "tls");
    requirePositive(settings, "settings");
    if (firstByte != null) {
      requirePositive(firstByte, "firstByte");
    }
    requirePositive(expectContinue, "expectContinue");
    requirePositive(silence, "silence");
    if (close.isNegative()) {
      throw new IllegalArgumentException(
          "Timeouts.close must not be negative (0 aborts at once), but was " + close);
    }
  }

  private static void requirePositive(Duration value, String name) {
    if (!value.isPositive()) {
      throw new IllegalArgumentException(
          "Timeouts." + name + " must be positive, but was " + value);
    }
  }

  /** A builder with the defaults. */
  public static Builder builder() {
    return new Builder(DEFAULTS);
  }

  /** A builder with these timeouts. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /** Collects timeouts. Not safe for use by several threads. */
  public static final class Builder {
    private @Nullable Duration call;
    private @Nullable Duration head;
    private Duration connect;
    private Duration tls;
    private Duration settings;
    private @Nullable Duration firstByte;
    private Duration expectContinue;
    private Duration silence;
    private Duration close;

    private Builder(Timeouts timeouts) {
      call = timeouts.call;
      head = timeouts.head;
      connect = timeouts.connect;
      tls = timeouts.tls;
      settings = timeouts.settings;
      firstByte = timeouts.firstByte;
      expectContinue = timeouts.expectContinue;
      silence = timeouts.silence;
      close = timeouts.close;
    }

    /** How long the whole call may take, to the last byte; null for no limit. */
    public Builder call(@Nullable Duration time) {
      call = time;
      return this;
    }

    /** How long the call may take until there is a response; null for 60 s unless call is set. */
    public Builder head(@Nullable Duration time) {
      head = time;
      return this;
    }

    /** How long opening a connection may take; positive. */
    public Builder connect(Duration time) {
      connect = time;
      return this;
    }

    /** How long the TLS handshake may take; positive. */
    public Builder tls(Duration time) {
      tls = time;
      return this;
    }

    /** How long a server may take to acknowledge SETTINGS (HTTP/2); positive. */
    public Builder settings(Duration time) {
      settings = time;
      return this;
    }

    /** How long the server may take to begin its response; null for {@code silence}. */
    public Builder firstByte(@Nullable Duration time) {
      firstByte = time;
      return this;
    }

    /** How long content waits for 100 (Continue); positive. */
    public Builder expectContinue(Duration time) {
      expectContinue = time;
      return this;
    }

    /** How long the server may send nothing; positive. */
    public Builder silence(Duration time) {
      silence = time;
      return this;
    }

    /** How long closing the client waits for running calls; 0 aborts them at once. */
    public Builder close(Duration time) {
      close = time;
      return this;
    }

    /**
     * The timeouts.
     *
     * @throws IllegalArgumentException if one of them is out of its range
     */
    public Timeouts build() {
      return new Timeouts(
          call, head, connect, tls, settings, firstByte, expectContinue, silence, close);
    }
  }
}
