package heddle.client.dial;

import heddle.client.dial.NotConnectedException.Failed;
import heddle.transport.Channel;
import heddle.transport.DeadlinePassedException;
import heddle.transport.Network;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Concurrent attempts to connect, of which the first that succeeds wins. One thread starts them,
 * waits for the result and ends the race; each attempt runs on a new virtual thread.
 */
final class AttemptRace {
  private final Network network;
  private final Thread waiter;

  private final ReentrantLock lock = new ReentrantLock();

  // The following fields are guarded by the lock.
  private final Set<SocketAddress> begun = new HashSet<>();
  private final Map<SocketAddress, Thread> running = new LinkedHashMap<>();
  private final List<Failed> failed = new ArrayList<>();
  private @Nullable Channel winner;

  /** Channels of attempts that succeed from now on are closed. */
  private boolean over;

  /**
   * @param waiter the thread to wake when an attempt has ended
   */
  AttemptRace(Network network, Thread waiter) {
    this.network = network;
    this.waiter = waiter;
  }

  void begin(SocketAddress address) {
    Thread thread = Thread.ofVirtual().name("heddle-connect").unstarted(() -> attempt(address));
    lock.lock();
    try {
      begun.add(address);
      running.put(address, thread);
    } finally {
      lock.unlock();
    }
    thread.start();
  }

  /**
   * On the attempt's thread. Has no deadline: the waiting thread ends it, so that the failure of a
   * race that timed out does not depend on which thread noticed first.
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

  /**
   * Records the result of an attempt; returns its channel if that did not win, for the caller to
   * close.
   */
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

  /** How many attempts have failed. */
  int failures() {
    lock.lock();
    try {
      return failed.size();
    } finally {
      lock.unlock();
    }
  }

  /** Whether an attempt has won, or all have failed that were begun. */
  boolean isDecided() {
    lock.lock();
    try {
      return winner != null || running.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  boolean isWon() {
    lock.lock();
    try {
      return winner != null;
    } finally {
      lock.unlock();
    }
  }

  /**
   * The channel of the attempt that won; the caller owns it.
   *
   * @throws NotConnectedException if all have failed
   */
  Channel winner() throws NotConnectedException {
    lock.lock();
    try {
      over = true;
      Channel won = winner;
      if (won == null) {
        throw NotConnectedException.atAll(failed);
      }
      winner = null;
      return won;
    } finally {
      lock.unlock();
    }
  }

  /** The failure of a race that timed out; it names the attempts without an answer too. */
  NotConnectedException notInTime(
      List<? extends SocketAddress> addresses, DeadlinePassedException passed) {
    lock.lock();
    try {
      over = true;
      List<Failed> all = new ArrayList<>(failed);
      for (SocketAddress address : addresses) {
        if (failed.stream().noneMatch(each -> each.address().equals(address))) {
          all.add(new Failed(
              address,
              begun.contains(address) ? passed : new IOException("not tried: the time was up")));
        }
      }
      return NotConnectedException.inTime(all);
    } finally {
      lock.unlock();
    }
  }

  /** Ends the running attempts, and closes the winner's channel if it was not taken. */
  void end() {
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
