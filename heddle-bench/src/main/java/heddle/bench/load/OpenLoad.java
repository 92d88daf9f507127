package heddle.bench.load;

import heddle.bench.driver.Answer;
import heddle.bench.driver.AsyncClientDriver;
import heddle.bench.driver.AsyncClientDriver.AsyncExchange;
import heddle.bench.driver.AsyncClientDriver.Completion;
import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.ClientDriver.Exchange;
import heddle.bench.driver.Driver;
import heddle.bench.driver.DriverRequest;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * Requests at given instants, whatever becomes of earlier ones: for a blocking client each on a
 * virtual thread of its own. One platform thread keeps the pace.
 */
final class OpenLoad {

  private final Tally tally;
  private final Schedule schedule;
  private final CountDownLatch warm = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final AtomicLong unfinished = new AtomicLong(1);
  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong lastSend = new AtomicLong(Long.MIN_VALUE);
  private final long begin = System.nanoTime();
  private volatile boolean stopped;

  OpenLoad(Tally tally, Schedule schedule) {
    this.tally = tally;
    this.schedule = schedule;
  }

  void start(Driver driver, DriverRequest request) throws Exception {
    LongConsumer launch =
        switch (driver) {
          case ClientDriver blocking -> {
            Exchange exchange = blocking.prepare(request);
            yield offset -> Thread.startVirtualThread(() -> call(exchange, offset));
          }
          case AsyncClientDriver async -> {
            AsyncExchange exchange = async.prepare(request);
            yield offset -> beginOne(exchange, offset);
          }
        };
    Thread.ofPlatform().daemon().name("load-pace").start(() -> keepPace(launch));
  }

  private void keepPace(LongConsumer launch) {
    for (long offset = schedule.next(); offset >= 0 && !stopped; offset = schedule.next()) {
      long wait = begin + offset - System.nanoTime();
      while (wait > 0 && !stopped) {
        LockSupport.parkNanos(wait);
        wait = begin + offset - System.nanoTime();
      }
      if (schedule.counts(offset)) {
        warm.countDown();
        unfinished.incrementAndGet();
      }
      launch.accept(offset);
    }
    warm.countDown();
    finishOne();
  }

  private void call(Exchange exchange, long offset) {
    noteSend(offset);
    try {
      answered(exchange.exchange(), offset);
    } catch (Exception e) {
      failed(e, offset);
    }
  }

  private void beginOne(AsyncExchange exchange, long offset) {
    noteSend(offset);
    exchange.begin(new Completion() {
      @Override
      public void answered(Answer answer) {
        OpenLoad.this.answered(answer, offset);
      }

      @Override
      public void failed(Throwable cause) {
        OpenLoad.this.failed(cause, offset);
      }
    });
  }

  private void noteSend(long offset) {
    if (schedule.counts(offset)) {
      long now = System.nanoTime() - begin;
      tally.sent(now - offset);
      sent.incrementAndGet();
      lastSend.accumulateAndGet(now, Math::max);
    }
  }

  private void answered(Answer answer, long offset) {
    long latency = System.nanoTime() - begin - offset;
    if (schedule.counts(offset)) {
      tally.answered(answer, latency);
      finishOne();
    }
  }

  private void failed(Throwable cause, long offset) {
    if (schedule.counts(offset)) {
      tally.failed(cause);
      finishOne();
    }
  }

  private void finishOne() {
    if (unfinished.decrementAndGet() == 0) {
      ended.countDown();
    }
  }

  void awaitWarm() throws InterruptedException {
    warm.await();
  }

  /** Whether every measured request has ended within the time given. */
  boolean awaitEnd(long millis) throws InterruptedException {
    return ended.await(millis, TimeUnit.MILLISECONDS);
  }

  void stop() {
    stopped = true;
  }

  /** How many measured requests have not ended. */
  long unfinished() {
    return unfinished.get();
  }

  long sent() {
    return sent.get();
  }

  /** When the last measured request was really sent, in nanoseconds from the start of the load. */
  long lastSendNanos() {
    return lastSend.get();
  }
}
