package heddle.client.call;

import heddle.connection.Exchange;
import heddle.connection.InterruptScope;
import heddle.http.failure.ClientClosedException;
import heddle.transport.InsertionOrderedSet;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A kind of operation of calls that may take long and ends at once when the client is closed. */
final class Abortable {
  /** One such operation, which an interrupt ends. */
  interface Step<T> {
    T run() throws IOException;
  }

  /** The operations that are running. */
  private final InsertionOrderedSet<InterruptScope> running = new InsertionOrderedSet<>();

  /** Set before the running operations are interrupted; a new one checks it after it was added. */
  private volatile boolean aborted;

  /** Running operations fail, and so do all that begin from now on. Does not wait. */
  void abort() {
    aborted = true;
    running.inOrder().forEach(InterruptScope::interrupt);
  }

  /**
   * Runs an operation on the calling thread.
   *
   * @throws ClientClosedException if it is aborted
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
