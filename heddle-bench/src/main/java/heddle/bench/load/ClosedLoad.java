package heddle.bench.load;

import heddle.bench.driver.Answer;
import heddle.bench.driver.AsyncClientDriver.AsyncExchange;
import heddle.bench.driver.AsyncClientDriver.Completion;
import heddle.bench.driver.ClientDriver.Exchange;
import heddle.bench.load.Gate.Pass;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Callers that each send when their last request has ended: for a blocking client a virtual thread
 * each in a plain loop, for an asynchronous one a chain of completions.
 */
final class ClosedLoad {

  /** How long a caller waits after a failure, so that a dead server is not hammered. */
  private static final long PAUSE_AFTER_FAILURE_MILLIS = 10;

  /** After so many failures it is not the first answer that a caller is still waiting for. */
  private static final int FAILURES_UNTIL_READY = 3;

  private final Prepared prepared;
  private final Tally tally;
  private final Gate gate;
  private final long shift;
  private final CountDownLatch running;
  private final CountDownLatch ready;
  private final List<Place> places = new ArrayList<>();
  private volatile boolean answered;
  private volatile @Nullable Throwable failure;

  /**
   * A load that has not started.
   *
   * @param shift after how many requests a caller's place is taken by a fresh one
   */
  ClosedLoad(Prepared prepared, Tally tally, Gate gate, int callers, long shift) {
    this.prepared = prepared;
    this.tally = tally;
    this.gate = gate;
    this.shift = shift;
    this.running = new CountDownLatch(callers);
    this.ready = new CountDownLatch(callers);
    for (int i = 0; i < callers; i++) {
      places.add(new Place());
    }
  }

  /** One caller at a time. What each has written, the next one sees. */
  private static final class Place {
    private volatile @Nullable Thread thread;
    private boolean isReady;
    private int failures;
  }

  void start() {
    for (Place place : places) {
      switch (prepared) {
        case Prepared.Blocking(Exchange exchange) -> start(exchange, place);
        case Prepared.Async(AsyncExchange exchange) -> new Chain(exchange, place).next();
      }
    }
  }

  private void start(Exchange exchange, Place place) {
    Thread thread = Thread.ofVirtual().unstarted(() -> call(exchange, place));
    place.thread = thread;
    thread.start();
  }

  /**
   * Waits until each caller has had an answer, and so is connected, or has failed several times.
   *
   * @return how many had neither within the time given
   */
  long awaitReady(long millis) throws InterruptedException {
    return ready.await(millis, TimeUnit.MILLISECONDS) ? 0 : ready.getCount();
  }

  /** Whether any request was answered, counted or not. */
  boolean isAnswered() {
    return answered;
  }

  /** How a request failed last, counted or not; null where none did. */
  @Nullable
  Throwable failure() {
    return failure;
  }

  /** Whether all callers have ended within the time given. */
  boolean awaitEnd(long millis) throws InterruptedException {
    return running.await(millis, TimeUnit.MILLISECONDS);
  }

  /** Interrupts callers that are still waiting for an answer. */
  void interrupt() {
    for (Place place : places) {
      Thread thread = place.thread;
      if (thread != null) {
        thread.interrupt();
      }
    }
  }

  private void call(Exchange exchange, Place place) {
    boolean isRelieved = false;
    try {
      long left = shift;
      for (Pass pass = gate.enter(); pass != Pass.STOP; pass = gate.enter()) {
        long start = System.nanoTime();
        try {
          Answer answer = exchange.exchange();
          answered(place, pass, answer, System.nanoTime() - start);
        } catch (Exception e) {
          failed(place, pass, e);
          Thread.sleep(PAUSE_AFTER_FAILURE_MILLIS);
        }
        if (--left == 0) {
          isRelieved = true;
          start(exchange, place);
          return;
        }
      }
    } catch (InterruptedException e) {
      // The load is over; the thread ends here.
      Thread.currentThread().interrupt();
    } finally {
      if (!isRelieved) {
        running.countDown();
      }
    }
  }

  private void answered(Place place, Pass pass, Answer answer, long latency) {
    if (gate.counts(pass)) {
      tally.answered(answer, latency);
    }
    if (!place.isReady) {
      answered = true;
      ready(place);
    }
  }

  private void failed(Place place, Pass pass, Throwable cause) {
    if (gate.counts(pass)) {
      tally.failed(cause);
    }
    failure = cause;
    if (!place.isReady && ++place.failures == FAILURES_UNTIL_READY) {
      ready(place);
    }
  }

  private void ready(Place place) {
    place.isReady = true;
    ready.countDown();
  }

  /** One caller of an asynchronous client. Each completion happens before the next begin. */
  private final class Chain implements Completion {

    private final AsyncExchange exchange;
    private final Place place;
    private long left = shift;
    private Pass pass = Pass.STOP;
    private long start;

    Chain(AsyncExchange exchange, Place place) {
      this.exchange = exchange;
      this.place = place;
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
      ClosedLoad.this.answered(place, pass, answer, System.nanoTime() - start);
      if (--left == 0) {
        new Chain(exchange, place).next();
      } else {
        next();
      }
    }

    @Override
    public void failed(Throwable cause) {
      ClosedLoad.this.failed(place, pass, cause);
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
