package heddle.bench.load;

import heddle.bench.driver.Answer;
import heddle.bench.driver.AsyncClientDriver;
import heddle.bench.driver.AsyncClientDriver.AsyncExchange;
import heddle.bench.driver.AsyncClientDriver.Completion;
import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.ClientDriver.Exchange;
import heddle.bench.driver.Driver;
import heddle.bench.driver.DriverRequest;
import heddle.bench.load.Gate.Pass;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Callers that each send when their last request has ended: for a blocking client a virtual thread
 * each in a plain loop, for an asynchronous one a chain of completions.
 */
final class ClosedLoad {

  /** How long a caller waits after a failure, so that a dead server is not hammered. */
  private static final long PAUSE_AFTER_FAILURE_MILLIS = 10;

  private final Tally tally;
  private final Gate gate;
  private final CountDownLatch running;
  private final List<Thread> threads = new ArrayList<>();

  ClosedLoad(Tally tally, Gate gate, int callers) {
    this.tally = tally;
    this.gate = gate;
    this.running = new CountDownLatch(callers);
  }

  void start(Driver driver, DriverRequest request, int callers) throws Exception {
    switch (driver) {
      case ClientDriver blocking -> {
        Exchange exchange = blocking.prepare(request);
        for (int i = 0; i < callers; i++) {
          threads.add(Thread.ofVirtual().unstarted(() -> call(exchange)));
        }
        threads.forEach(Thread::start);
      }
      case AsyncClientDriver async -> {
        AsyncExchange exchange = async.prepare(request);
        for (int i = 0; i < callers; i++) {
          new Chain(exchange).next();
        }
      }
    }
  }

  /** Whether all callers have ended within the time given. */
  boolean awaitEnd(long millis) throws InterruptedException {
    return running.await(millis, TimeUnit.MILLISECONDS);
  }

  /** Interrupts callers that are still waiting for an answer. */
  void interrupt() {
    threads.forEach(Thread::interrupt);
  }

  private void call(Exchange exchange) {
    try {
      for (Pass pass = gate.enter(); pass != Pass.STOP; pass = gate.enter()) {
        long start = System.nanoTime();
        try {
          Answer answer = exchange.exchange();
          long latency = System.nanoTime() - start;
          if (gate.counts(pass)) {
            tally.answered(answer, latency);
          }
        } catch (Exception e) {
          if (gate.counts(pass)) {
            tally.failed(e);
          }
          Thread.sleep(PAUSE_AFTER_FAILURE_MILLIS);
        }
      }
    } catch (InterruptedException e) {
      // The load is over; the thread ends here.
      Thread.currentThread().interrupt();
    } finally {
      running.countDown();
    }
  }

  /** One caller of an asynchronous client. Each completion happens before the next begin. */
  private final class Chain implements Completion {

    private final AsyncExchange exchange;
    private Pass pass = Pass.STOP;
    private long start;

    Chain(AsyncExchange exchange) {
      this.exchange = exchange;
    }

    void next() {
      pass = gate.enter();
      if (pass == Pass.STOP) {
        running.countDown();
        return;
      }
      start = System.nanoTime();
      exchange.begin(this);
    }

    @Override
    public void answered(Answer answer) {
      long latency = System.nanoTime() - start;
      if (gate.counts(pass)) {
        tally.answered(answer, latency);
      }
      next();
    }

    @Override
    public void failed(Throwable cause) {
      if (gate.counts(pass)) {
        tally.failed(cause);
      }
      Thread.startVirtualThread(this::nextAfterPause);
    }

    private void nextAfterPause() {
      try {
        Thread.sleep(PAUSE_AFTER_FAILURE_MILLIS);
        next();
      } catch (InterruptedException e) {
        running.countDown();
      }
    }
  }
}
