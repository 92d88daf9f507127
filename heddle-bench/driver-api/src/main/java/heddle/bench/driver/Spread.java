package heddle.bench.driver;

import heddle.bench.driver.AsyncClientDriver.AsyncExchange;
import heddle.bench.driver.AsyncClientDriver.Completion;
import heddle.bench.driver.ClientDriver.Exchange;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Distributes exchanges over several clients with one connection each and a limit of concurrent
 * exchanges, for a client whose number of connections cannot be configured. Safe for use by many
 * threads.
 */
public final class Spread {

  private final AtomicIntegerArray running;
  private final int limit;

  /** Places of all members together. */
  private final Semaphore places;

  private final AtomicInteger turn = new AtomicInteger();

  private Spread(int members, int limit) {
    this.running = new AtomicIntegerArray(members);
    this.limit = limit;
    this.places = new Semaphore(members * limit);
  }

  /** Combines the exchanges of several clients into one; returns a single one unchanged. */
  public static Exchange blocking(List<Exchange> members, int limit) {
    if (members.size() == 1) {
      return members.getFirst();
    }
    List<Exchange> all = List.copyOf(members);
    Spread spread = new Spread(all.size(), limit);
    return () -> {
      int member = spread.enter();
      try {
        return all.get(member).exchange();
      } finally {
        spread.leave(member);
      }
    };
  }

  /** The same for asynchronous exchanges. */
  public static AsyncExchange async(List<AsyncExchange> members, int limit) {
    if (members.size() == 1) {
      return members.getFirst();
    }
    List<AsyncExchange> all = List.copyOf(members);
    Spread spread = new Spread(all.size(), limit);
    return completion -> {
      int member = spread.enter();
      all.get(member).begin(spread.leaving(member, completion));
    };
  }

  private Completion leaving(int member, Completion completion) {
    return new Completion() {
      @Override
      public void answered(Answer answer) {
        leave(member);
        completion.answered(answer);
      }

      @Override
      public void failed(Throwable cause) {
        leave(member);
        completion.failed(cause);
      }
    };
  }

  /**
   * Takes a place at the next client that has one, and waits while none has. Retries if another
   * thread takes the place first.
   */
  private int enter() {
    places.acquireUninterruptibly();
    int members = running.length();
    int member = Math.floorMod(turn.getAndIncrement(), members);
    while (running.incrementAndGet(member) > limit) {
      running.decrementAndGet(member);
      Thread.onSpinWait();
      member = (member + 1) % members;
    }
    return member;
  }

  private void leave(int member) {
    running.decrementAndGet(member);
    places.release();
  }
}
