package heddle.client.call;

import heddle.connection.Exchange;
import heddle.connection.InterruptScope;
import heddle.http.failure.ClientClosedException;
import heddle.transport.Roster;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What calls do that may take long and ends at once when their client is closed. */
final class Abortable {
  /** One such thing, which an interrupt ends. */
  interface Step<T> {
    T run() throws IOException;
  }

  /** Calls that do it now. */
  private final Roster<InterruptScope> running = new Roster<>();

  /** Set before those who do it are interrupted; who begins looks here afterwards. */
  private volatile boolean aborted;

  /** It fails from now on, also where it is under way. Does not wait. */
  void abort() {
    aborted = true;
    running.inOrder().forEach(InterruptScope::interrupt);
  }

  /**
   * Does it on the calling thread.
   *
   * @throws ClientClosedException when it is aborted
   */
  <T> T run(Exchange exchange, Step<T> step) throws IOException {
    InterruptScope scope = new InterruptScope();
    running.add(scope);
    try {
      if (!scope.enter() || aborted) {
        throw closed(exchange, null);
      }
      return step.run();
    } catch (IOException e) {
      throw scope.leave() ? closed(exchange, e) : e;
    } finally {
      scope.leave();
      running.remove(scope);
    }
  }

  private static ClientClosedException closed(Exchange exchange, @Nullable Throwable cause) {
    return new ClientClosedException(
        "the client was closed before the call ended", exchange.point(), cause);
  }
}
