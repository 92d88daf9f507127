package heddle.bench.driver;

import heddle.bench.driver.AsyncClientDriver.AsyncExchange;
import heddle.bench.driver.AsyncClientDriver.Completion;
import heddle.bench.driver.ClientDriver.Exchange;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Shares exchanges among clients of one connection each, none of which gets more than so many at
 * once: for a client that cannot be told how many connections to open. Safe for use by many
 * threads.
 */
public final class Spread {

  private final AtomicIntegerArray running;
  private final int limit;

  /** Of all members together. */
  private final Semaphore places;

  private final AtomicInteger turn = new AtomicInteger();

  private Spread(int members, int limit) {
    this.running = new AtomicIntegerArray(members);
    this.limit = limit;
    this.places = new Semaphore(members * limit);
  }

  /**
   * Runs each exchange once, so that its client has its connection before many ask for one: several
   * clients open a connection for each caller that finds none, although one would do.
   *
   * @param openings each of another client, and of {@link DriverConfig#opening()}: a request of the
   *     load may wait for others that would come after it. An answer of any status will do
   * @throws Exception what the first of them that fails has thrown
   */
  public static void connect(List<Exchange> openings) throws Exception {
    for (Exchange each : openings) {
      each.exchange();
    }
  }

  /** The same for exchanges that are not waited for; each but these. */
  public static void connectAsync(List<AsyncExchange> openings) throws Exception {
    List<Exchange> waiting = new ArrayList<>();
    for (AsyncExchange each : openings) {
      waiting.add(each::await);
    }
    connect(waiting);
  }

  /** One exchange of the same exchange with several clients; a single one is left as it is. */
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

  /** The same for exchanges that are not waited for. */
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
   * Takes a place at the next client that has one, and waits while none has. One that another
   * thread takes first is looked for again.
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
