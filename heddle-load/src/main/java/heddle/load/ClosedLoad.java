package heddle.load;

import heddle.bench.driver.Answer;
import heddle.bench.driver.ClientDriver.Exchange;
import heddle.load.Gate.Pass;
import heddle.load.schedule.Strand;
import heddle.load.schedule.Think;
import heddle.load.schedule.Think.Pauses;
import heddle.load.schedule.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Callers that each send the next request when the last one has ended and their think time is over.
 * For a blocking client each is a thread in a plain loop; for an asynchronous client, or on a pool
 * of threads, each is a chain of completions.
 */
final class ClosedLoad {

  /** How long a caller waits after a failure, so that a dead server is not hammered. */
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(10);

  /** After this many failures a caller counts as ready even without an answer. */
  private static final int FAILURES_UNTIL_READY = 3;

  private final Prepared prepared;
  private final Strand strand;
  private final Launch launch;
  private final Tally tally;
  private final Gate gate;
  private final long shift;
  private final CountDownLatch running;
  private final CountDownLatch ready;
  private final LongAdder pausing = new LongAdder();
  private final List<Place> places = new ArrayList<>();
  private volatile boolean answered;
  private volatile @Nullable Throwable failure;

  /**
   * Creates a load that has not started.
   *
   * @param shape the load, with the segment that these callers belong to
   * @param pace the pace of these callers
   * @param shift after how many requests a fresh caller replaces each one, but on platform threads
   */
  ClosedLoad(
      Prepared prepared, LoadShape shape, Pace.Closed pace, Tally tally, Gate gate, long shift) {
    int callers = pace.callers();
    this.prepared = prepared;
    this.strand = shape.strand();
    this.launch = Launch.of(prepared, strand, Timing.system());
    this.tally = tally;
    this.gate = gate;
    // Only virtual threads keep frames that were interpreted. And hundreds of threads that start
    // platform threads starve the one that starts the callers.
    this.shift = strand instanceof Strand.Platform ? Long.MAX_VALUE : shift;
    this.running = new CountDownLatch(callers);
    this.ready = new CountDownLatch(callers);
    for (int i = 0; i < callers; i++) {
      places.add(new Place(pace.think(), Math.toIntExact(shape.segment().numberOf(i))));
    }
  }

  /** The place of one caller at a time. The next caller sees what the one before has written. */
  private static final class Place {
    private volatile @Nullable Thread thread;
    private final @Nullable Pauses pauses;
    private boolean isReady;
    private int failures;

    Place(Think think, int number) {
      pauses = think.isNone() ? null : think.of(number);
    }
  }

  void start() {
    for (Place place : places) {
      if (prepared instanceof Prepared.Blocking(Exchange exchange)
          && !(strand instanceof Strand.Pool)) {
        start(exchange, place);
      } else {
        new Chain(place).next();
      }
    }
  }

  private void start(Exchange exchange, Place place) {
    Thread.Builder builder =
        strand instanceof Strand.Platform ? Thread.ofPlatform().daemon() : Thread.ofVirtual();
    Thread thread = builder.unstarted(() -> call(exchange, place));
    place.thread = thread;
    try {
      thread.start();
    } catch (OutOfMemoryError e) {
      // The JVM throws this if the machine allows no more threads.
      failed(place, Pass.MEASURED, e);
      if (!place.isReady) {
        ready(place);
      }
      running.countDown();
    }
  }

  /**
   * Waits until each caller has had an answer, and therefore is connected, or has failed several
   * times.
   *
   * @return how many had neither within the timeout
   */
  long awaitReady(long millis) throws InterruptedException {
    return ready.await(millis, TimeUnit.MILLISECONDS) ? 0 : ready.getCount();
  }

  /** Whether any request was answered, counted or not. */
  boolean isAnswered() {
    return answered;
  }

  /** The last failure of a request, counted or not; null if there was none. */
  @Nullable
  Throwable failure() {
    return failure;
  }

  /** Waits until all callers have ended; returns false after the timeout. */
  boolean awaitEnd(long millis) throws InterruptedException {
    return running.await(millis, TimeUnit.MILLISECONDS);
  }

  /** How many callers have not ended. */
  long running() {
    return running.getCount();
  }

  /** How many callers wait for an answer and do not pause; may be called by any thread. */
  long inFlight() {
    return Math.max(0, running.getCount() - pausing.sum());
  }

  /** Interrupts callers that are still waiting for an answer. */
  void interrupt() {
    launch.close();
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
          pause(PAUSE_AFTER_FAILURE);
        }
        if (place.pauses != null) {
          pause(place.pauses.next());
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

  private void pause(Duration time) throws InterruptedException {
    pausing.increment();
    try {
      gate.pause(time);
    } finally {
      pausing.decrement();
    }
  }

  private void answered(Place place, Pass pass, Answer answer, long latency) {
    answered(place, pass, answer, latency, latency);
  }

  private void answered(Place place, Pass pass, Answer answer, long response, long service) {
    if (gate.counts(pass)) {
      tally.answered(answer, response, service);
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

  /** A caller without a thread. Each completion happens before the next request begins. */
  private final class Chain implements Launch.Ending {

    private final Place place;
    private long left = shift;
    private Pass pass = Pass.STOP;
    private long asked;
    private long start;

    Chain(Place place) {
      this.place = place;
    }

    void next() {
      pass = gate.enter();
      if (pass == Pass.STOP) {
        running.countDown();
        return;
      }
      asked = System.nanoTime();
      launch.begin(this);
    }

    @Override
    public void started() {
      start = System.nanoTime();
    }

    @Override
    public void answered(Answer answer) {
      long now = System.nanoTime();
      ClosedLoad.this.answered(place, pass, answer, now - asked, now - start);
      Chain next = --left == 0 ? new Chain(place) : this;
      if (place.pauses == null) {
        next.next();
      } else {
        next.after(place.pauses.next());
      }
    }

    @Override
    public void failed(Throwable cause) {
      ClosedLoad.this.failed(place, pass, cause);
      after(PAUSE_AFTER_FAILURE);
    }

    private void after(Duration pause) {
      Thread.startVirtualThread(() -> {
        try {
          pause(pause);
          next();
        } catch (InterruptedException e) {
          running.countDown();
        }
      });
    }
  }
}
