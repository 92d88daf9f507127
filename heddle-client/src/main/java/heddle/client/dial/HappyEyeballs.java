package heddle.client.dial;

import heddle.client.dial.NotConnectedException.Failed;
import heddle.transport.Channel;
import heddle.transport.DeadlinePassedException;
import heddle.transport.Network;
import heddle.transport.Waiting;
import heddle.transport.time.Clock;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

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
    if (addresses.size() > 1) {
      return new Race(addresses).run(deadline);
    }
    SocketAddress only = addresses.getFirst();
    try {
      return network.connect(only, deadline);
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      throw new NotConnectedException(
          List.of(new Failed(only, e)), e instanceof DeadlinePassedException);
    }
  }

  /** Concurrent attempts. The thread that makes the race starts them and waits for the result. */
  private final class Race {
    private final List<? extends SocketAddress> addresses;
    private final Thread waiter = Thread.currentThread();
    private final ReentrantLock lock = new ReentrantLock();

    // The following fields are guarded by the lock.
    private final Map<SocketAddress, Thread> running = new LinkedHashMap<>();
    private final List<Failed> failed = new ArrayList<>();
    private @Nullable Channel winner;

    /** Channels of attempts that succeed from now on are closed. */
    private boolean over;

    Race(List<? extends SocketAddress> addresses) {
      this.addresses = addresses;
    }

    Channel run(Deadline deadline) throws IOException {
      Clock clock = network.clock();
      int all = addresses.size();
      try {
        for (int i = 0; i < all && !isDecided(all); i++) {
          boolean last = i + 1 == all;
          int failures = begin(addresses.get(i));
          int enough = last ? all : failures + 1;
          long next = last ? Deadline.NEVER_NANOS : clock.nanoTime() + ATTEMPT_DELAY_NANOS;
          Waiting.until(
              () -> isDecided(enough) || clock.nanoTime() >= next,
              network.loop(),
              deadline.earlier(new Deadline(next)),
              "connecting");
        }
        return result(null);
      } catch (DeadlinePassedException e) {
        return result(e);
      } finally {
        end();
      }
    }

    /** Returns how many attempts had failed before this one. */
    private int begin(SocketAddress address) {
      Thread thread = Thread.ofVirtual().name("heddle-connect").unstarted(() -> attempt(address));
      int failures;
      lock.lock();
      try {
        running.put(address, thread);
        failures = failed.size();
      } finally {
        lock.unlock();
      }
      thread.start();
      return failures;
    }

    /**
     * On the attempt's thread. Has no deadline: the waiting thread ends it, so that the failure of
     * a race that timed out does not depend on which thread noticed first.
     */
    private void attempt(SocketAddress address) {
      Channel channel = null;
      Failed failure = null;
      try {
        channel = network.connect(address, Deadline.never());
      } catch (IOException e) {
        failure = new Failed(address, e);
      } catch (RuntimeException | Error e) {
        failure = new Failed(address, new IOException("connecting failed: " + e, e));
      }
      Channel unwanted = finished(address, channel, failure);
      if (unwanted != null) {
        unwanted.close();
      }
      network.loop().unpark(waiter);
    }

    /** Records the result of an attempt; returns its channel, to be closed, if it has not won. */
    private @Nullable Channel finished(
        SocketAddress address, @Nullable Channel channel, @Nullable Failed failure) {
      lock.lock();
      try {
        running.remove(address);
        if (failure != null && !over) {
          failed.add(failure);
        }
        if (over || winner != null) {
          return channel;
        }
        winner = channel;
        return null;
      } finally {
        lock.unlock();
      }
    }

    /** Whether an attempt has won, or this many have failed. */
    private boolean isDecided(int failures) {
      lock.lock();
      try {
        return winner != null || failed.size() >= failures;
      } finally {
        lock.unlock();
      }
    }

    /**
     * The channel of the attempt that won; the caller owns it.
     *
     * @param passed why the race is over before all have failed; null if they have
     * @throws NotConnectedException if none has won; it names the attempts without an answer too
     */
    private Channel result(@Nullable DeadlinePassedException passed) throws NotConnectedException {
      lock.lock();
      try {
        over = true;
        Channel won = winner;
        if (won != null) {
          winner = null;
          return won;
        }
        List<Failed> all = new ArrayList<>(failed);
        for (SocketAddress address : addresses) {
          if (passed != null && failed.stream().noneMatch(each -> each.address().equals(address))) {
            boolean begun = running.containsKey(address);
            IOException why = begun ? passed : new IOException("not tried: the time was up");
            all.add(new Failed(address, why));
          }
        }
        throw new NotConnectedException(all, passed != null);
      } finally {
        lock.unlock();
      }
    }

    /** Ends the running attempts, and closes the winner's channel if it was not taken. */
    private void end() {
      List<Thread> losers;
      Channel untaken;
      lock.lock();
      try {
        over = true;
        losers = List.copyOf(running.values());
        untaken = winner;
        winner = null;
      } finally {
        lock.unlock();
      }
      losers.forEach(Thread::interrupt);
      if (untaken != null) {
        untaken.close();
      }
    }
  }
}
