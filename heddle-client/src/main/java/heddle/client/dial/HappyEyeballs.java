package heddle.client.dial;

import heddle.transport.Channel;
import heddle.transport.DeadlinePassedException;
import heddle.transport.Network;
import heddle.transport.Waiting;
import heddle.transport.time.Clock;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Connects to the first address that answers (RFC 8305 §5). Attempts begin in the order of the
 * addresses, each {@link #ATTEMPT_DELAY_NANOS} after the previous one, or as soon as an attempt has
 * failed. The first that succeeds ends the others. Each attempt runs on a new virtual thread; if
 * there is only one address, the calling thread connects. Safe for use by many threads.
 */
final class HappyEyeballs {
  /** RFC 8305 §5: the recommended Connection Attempt Delay. */
  static final long ATTEMPT_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private final Network network;

  HappyEyeballs(Network network) {
    this.network = network;
  }

  /**
   * Opens a channel to one of the addresses; parks the calling thread until it is connected. When
   * this returns or throws, the other attempts have ended or are about to, and their channels are
   * closed.
   *
   * @param addresses in the order in which to try them, at least one
   * @throws NotConnectedException if none accepts a connection in time
   * @throws InterruptedIOException when the thread is interrupted; its flag is set again
   */
  Channel connect(List<? extends SocketAddress> addresses, Deadline deadline) throws IOException {
    return addresses.size() == 1
        ? connectToOnly(addresses.getFirst(), deadline)
        : race(addresses, deadline);
  }

  private Channel connectToOnly(SocketAddress address, Deadline deadline) throws IOException {
    try {
      return network.connect(address, deadline);
    } catch (InterruptedIOException e) {
      throw e;
    } catch (DeadlinePassedException e) {
      throw NotConnectedException.inTime(List.of(new NotConnectedException.Failed(address, e)));
    } catch (IOException e) {
      throw NotConnectedException.atAll(List.of(new NotConnectedException.Failed(address, e)));
    }
  }

  private Channel race(List<? extends SocketAddress> addresses, Deadline deadline)
      throws IOException {
    Clock clock = network.clock();
    AttemptRace race = new AttemptRace(network, Thread.currentThread());
    try {
      for (int i = 0; i < addresses.size(); i++) {
        int failures = race.failures();
        race.begin(addresses.get(i));
        if (i + 1 == addresses.size()) {
          Waiting.until(race::isDecided, network.loop(), deadline, "connecting");
        } else {
          long next = clock.nanoTime() + ATTEMPT_DELAY_NANOS;
          Waiting.until(
              () -> race.isWon() || race.failures() > failures || clock.nanoTime() >= next,
              network.loop(),
              deadline.earlier(new Deadline(next)),
              "connecting");
        }
        if (race.isWon()) {
          break;
        }
      }
      return race.winner();
    } catch (DeadlinePassedException e) {
      if (race.isWon()) {
        return race.winner();
      }
      throw race.notInTime(addresses, e);
    } finally {
      race.end();
    }
  }
}
