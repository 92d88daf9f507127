package heddle.client.call;

import heddle.http.Response;
import heddle.transport.DeadlinePassedException;
import heddle.transport.EventLoop;
import heddle.transport.Waiting;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Calls that are made at the same time for one caller, who waits for their outcomes. They begin on
 * the caller's thread, so that listeners and inherited deadlines are those of the caller, and run
 * each on a virtual thread. For the thread that has created it.
 */
public final class Race {
  /** A call that takes part. */
  public interface Entrant {
    /** Begins the call, on the thread of the race's caller. */
    void begin();

    /** Makes the call, on a thread that it has to itself. */
    Response run() throws IOException;

    /**
     * Ends the call and closes its response, also one that comes later. From any thread, more than
     * once. Does not wait.
     */
    void cancel();
  }

  /**
   * How a call has ended.
   *
   * @param number of the call, from 0 on, in the order in which they were started
   * @param response null if the call has failed
   * @param failure null if there is a response
   */
  public record Outcome(int number, @Nullable Response response, @Nullable Throwable failure) {}

  private final EventLoop loop;
  private final Thread caller = Thread.currentThread();
  private final List<Entrant> entrants = new ArrayList<>();

  /** Added to by the threads of the calls; taken by the caller. */
  private final Queue<Outcome> outcomes = new ConcurrentLinkedQueue<>();

  /** The calls whose outcome was taken. */
  private final BitSet ended = new BitSet();

  /** A race without calls, whose caller waits by the clock of this loop. */
  public Race(EventLoop loop) {
    this.loop = loop;
  }

  /** Starts a call. */
  public void start(Entrant entrant) {
    entrant.begin();
    int number = entrants.size();
    entrants.add(entrant);
    try {
      Thread.ofVirtual().name("heddle-call").start(() -> run(number, entrant));
    } catch (Throwable e) {
      outcomes.add(new Outcome(number, null, e)); // There was no memory for a thread.
    }
  }

  private void run(int number, Entrant entrant) {
    Outcome outcome;
    try {
      outcome = new Outcome(number, entrant.run(), null);
    } catch (Throwable e) {
      outcome = new Outcome(number, null, e);
    }
    outcomes.add(outcome);
    loop.unpark(caller);
  }

  /** How many calls have no outcome yet that {@link #next} has returned. */
  public int running() {
    return entrants.size() - ended.cardinality();
  }

  /**
   * Waits for the next outcome.
   *
   * @return null if the deadline passes first
   * @throws InterruptedIOException when the thread is interrupted; its flag is set again
   */
  public @Nullable Outcome next(Deadline deadline) throws InterruptedIOException {
    try {
      Waiting.until(() -> !outcomes.isEmpty(), loop, deadline, "waiting for calls");
    } catch (DeadlinePassedException e) {
      return null;
    }
    return take();
  }

  private @Nullable Outcome take() {
    Outcome outcome = outcomes.poll();
    if (outcome != null) {
      ended.set(outcome.number());
    }
    return outcome;
  }

  /**
   * Cancels the calls that were started.
   *
   * @param but whose response the caller gets; null for none
   */
  public void cancel(@Nullable Outcome but) {
    for (int i = 0; i < entrants.size(); i++) {
      if (but == null || but.number() != i) {
        entrants.get(i).cancel();
      }
    }
  }

  /** Waits until a call that was cancelled has ended, even if the thread is interrupted. */
  void awaitEnd(int number) {
    boolean interrupted = false;
    while (number < entrants.size() && !ended.get(number)) {
      if (take() == null) {
        loop.park(this, Deadline.NEVER_NANOS);
        interrupted |= Thread.interrupted();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** What a call has failed with, to be thrown; throws it itself if it is unchecked. */
  public static IOException thrown(Outcome outcome) {
    return switch (outcome.failure()) {
      case IOException failure -> failure;
      case RuntimeException failure -> throw failure;
      case Error failure -> throw failure;
      case null, default -> new IOException("the call failed", outcome.failure());
    };
  }
}
