package heddle.client.dial;

import heddle.client.spi.Authenticator;
import heddle.client.spi.Proxy;
import heddle.client.step.AuthenticationRound;
import heddle.connection.Exchange;
import heddle.connection.Failures;
import heddle.http.Headers;
import heddle.http.Request;
import heddle.http.failure.ProxyException;
import heddle.transport.Clock;
import heddle.transport.Deadline;
import heddle.transport.DeadlinePassedException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;

/**
 * What one proxy is shown for one request. Where an authenticator fails, the call does: with an
 * exception that no other proxy and no further attempt is the answer to. Used by one thread.
 */
final class ProxyAuthentication {
  private final AuthenticationRound round;
  private final Proxy proxy;
  private final Request request;
  private final Exchange exchange;
  private final Clock clock;
  private long asking;

  /** Asks for something. */
  @FunctionalInterface
  private interface Step {
    boolean run() throws IOException;
  }

  /**
   * @param asked one after the other
   * @param request what the proxy gets, without credentials of ours
   */
  ProxyAuthentication(
      List<Authenticator> asked, Proxy proxy, Request request, Exchange exchange, Clock clock) {
    this.round = AuthenticationRound.withProxy(asked, ProxyCredentials.asOrigin(proxy));
    this.proxy = proxy;
    this.request = request;
    this.exchange = exchange;
    this.clock = clock;
  }

  /** Looks for what is to be shown without being asked for. */
  void begin() throws IOException {
    ask(() -> {
      round.begin(request);
      return true;
    });
  }

  /** The request with what is to be shown now. */
  Request dressed() {
    return round.dress(request);
  }

  /** The proxy has answered 407: whether there is something else to show. */
  boolean isAnswered(Headers response) throws IOException {
    return ask(() -> round.refused(request, response));
  }

  /** A deadline for the proxy, which does not answer for the time that asking took. */
  Deadline extended(Deadline limit) {
    return limit.isNever()
        ? limit
        : new Deadline(limit.nanos() + asking).earlier(exchange.deadline());
  }

  private boolean ask(Step step) throws IOException {
    long began = clock.nanoTime();
    try {
      return step.run();
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
