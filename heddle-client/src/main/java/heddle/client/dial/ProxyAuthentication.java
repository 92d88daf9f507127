package heddle.client.dial;

import heddle.client.spi.Authenticator;
import heddle.client.spi.Proxy;
import heddle.client.step.AuthenticationRound;
import heddle.connection.Exchange;
import heddle.connection.Failures;
import heddle.http.Headers;
import heddle.http.Request;
import heddle.http.failure.ProxyException;
import heddle.transport.DeadlinePassedException;
import heddle.transport.time.Clock;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The authentication with one proxy for one request. If an authenticator fails, the call fails with
 * an exception after which neither another proxy nor another attempt is tried. Used by one thread.
 */
final class ProxyAuthentication {
  private final AuthenticationRound round;
  private final Proxy proxy;
  private final Request request;
  private final Exchange exchange;
  private final Clock clock;
  private long asking;

  /**
   * @param asked the authenticators, asked in order
   * @param request to the proxy, without credentials that we add
   */
  ProxyAuthentication(
      List<Authenticator> asked, Proxy proxy, Request request, Exchange exchange, Clock clock) {
    this.round = AuthenticationRound.withProxy(asked, ProxyCredentials.asOrigin(proxy));
    this.proxy = proxy;
    this.request = request;
    this.exchange = exchange;
    this.clock = clock;
  }

  /** Asks for credentials to send without a challenge. */
  void begin() throws IOException {
    ask(null);
  }

  /** The request with the current credentials. */
  Request dressed() {
    return round.dress(request);
  }

  /** Called after a 407: whether there are other credentials to send. */
  boolean hasOtherCredentials(Headers response) throws IOException {
    return ask(response);
  }

  /** A deadline for the proxy, extended by the time that authenticators took. */
  Deadline extended(Deadline limit) {
    return limit.isNever()
        ? limit
        : new Deadline(limit.nanos() + asking).earlier(exchange.deadline());
  }

  private boolean ask(@Nullable Headers refusal) throws IOException {
    long began = clock.nanoTime();
    try {
      if (refusal != null) {
        return round.refused(request, refusal);
      }
      round.begin(request);
      return true;
    } catch (IOException e) {
      boolean interrupted =
          e instanceof InterruptedIOException && Thread.currentThread().isInterrupted();
      throw interrupted ? e : explain(e);
    } finally {
      asking += clock.nanoTime() - began;
    }
  }

  private IOException explain(IOException cause) {
    if (exchange.deadline().isPast(clock)) {
      IOException passed = new DeadlinePassedException(
          "the call's deadline passed while an Authenticator was asked for the proxy " + proxy);
      passed.addSuppressed(cause);
      return Failures.explain(passed, exchange.point());
    }
    String message = cause.getMessage();
    return new ProxyException(
        ProxyException.Reason.AUTHENTICATION,
        "an Authenticator was asked for credentials for the proxy %s and failed: %s"
            .formatted(proxy, message == null ? cause.toString() : message),
        proxy.toString(),
        null,
        exchange.point(),
        cause);
  }
}
