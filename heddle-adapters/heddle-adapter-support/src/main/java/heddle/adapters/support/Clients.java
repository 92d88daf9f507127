package heddle.adapters.support;

import heddle.client.HttpClient;
import heddle.client.settings.PoolLimits;
import heddle.client.settings.Timeouts;
import heddle.transport.tls.TlsOptions;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/** Clients for libraries that limit only the time of connecting and of reading. */
public final class Clients {
  /** No limit: 100 years, which a clock in nanoseconds can still hold. */
  public static final Duration FOREVER = Duration.ofDays(36_500);

  /** Limits of the machine: a caller that reaches them waits. */
  public static final PoolLimits LIMITS = PoolLimits.builder()
      .maxTotal(10_000)
      .maxPerRoute(5_000)
      .maxQueuedPerRoute(100_000)
      .acquireTimeout(Duration.ofSeconds(10))
      .maxInFlightPerRoute(100_000)
      .build();

  private Clients() {}

  /** Returns a builder of a {@linkplain HttpClient.Builder#plain plain} client. */
  public static HttpClient.Builder plain() {
    return HttpClient.builder().plain();
  }

  /**
   * Returns a {@linkplain #plain() plain} builder of a client whose calls have no deadline.
   *
   * @param connect the limit for opening a connection, and for its TLS handshake; zero for none
   * @param read how long the server may be silent before or within a response; zero for no limit
   * @throws IllegalArgumentException if one of them is negative; the message names it
   */
  public static HttpClient.Builder builder(Duration connect, Duration read) {
    return plain().poolLimits(LIMITS).timeouts(timeouts(connect, read));
  }

  /** The timeouts of such a client. */
  public static Timeouts timeouts(Duration connect, Duration read) {
    Duration connecting = bounded(connect, "connect timeout");
    return Timeouts.builder()
        .call(FOREVER)
        .connect(connecting)
        .tls(connecting)
        .silence(bounded(read, "read timeout"))
        .build();
  }

  /**
   * The TLS settings of a library's own context, which decides about trust: host names are verified
   * by its trust managers, and RSA keys may be as short as the JVM allows.
   */
  public static TlsOptions.Builder tls(SSLContext context) {
    return TlsOptions.builder().context(context).hostNamesByTrustManagers().allowShortRsaKeys();
  }

  /**
   * The same, with a verifier that decides whether a server is the intended one.
   *
   * @param verifier null for the rules of HTTPS
   */
  public static TlsOptions.Builder tls(SSLContext context, @Nullable HostnameVerifier verifier) {
    TlsOptions.Builder options = tls(context);
    return verifier == null
        ? options
        : options.serverChecks((host, port) -> engine -> verify(verifier, host, engine));
  }

  /** The default context of the JVM. */
  public static SSLContext defaultContext() {
    try {
      return SSLContext.getDefault();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("the default SSLContext cannot be made: " + e, e);
    }
  }

  private static void verify(HostnameVerifier verifier, String host, SSLEngine engine)
      throws SSLException {
    boolean accepted;
    try {
      accepted = verifier.verify(host, engine.getSession());
    } catch (RuntimeException e) {
      SSLException failed =
          new SSLHandshakeException("the HostnameVerifier of the client failed for " + host);
      failed.initCause(e);
      throw failed;
    }
    if (!accepted) {
      throw new SSLPeerUnverifiedException("Hostname " + host
          + " not verified: the HostnameVerifier of the client rejected the server");
    }
  }

  /**
   * Returns a timeout that Heddle's settings take.
   *
   * @param timeout zero for no limit
   * @throws IllegalArgumentException if it is negative; the message has the name
   */
  public static Duration bounded(Duration timeout, String name) {
    if (timeout.isNegative()) {
      throw new IllegalArgumentException(
          "the " + name + " must not be negative, but was " + timeout + "; use zero for no limit");
    }
    return timeout.isZero() || timeout.compareTo(FOREVER) > 0 ? FOREVER : timeout;
  }
}
