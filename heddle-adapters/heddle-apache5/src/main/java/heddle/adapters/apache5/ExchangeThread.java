package heddle.adapters.apache5;

import heddle.adapters.support.TimeLimit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A virtual thread that makes exchanges, one after the other. A caller that sends its next request
 * when it has the response to the one before does so on the thread of an exchange that has nothing
 * else to do. The thread makes the next exchange itself then, which saves the start of another one.
 * If the caller keeps the thread, for example to wait for the next response, another thread makes
 * the exchange.
 */
final class ExchangeThread implements Runnable {
  private static final ThreadLocal<@Nullable ExchangeThread> CURRENT = new ThreadLocal<>();

  /** How long an exchange waits for the thread: 5 ms. */
  private static final long MOST_WAIT_NANOS = 5_000_000;

  private final Runnable first;
  private final AtomicReference<@Nullable Runnable> next = new AtomicReference<>();
  private final TimeLimit wait = new TimeLimit(MOST_WAIT_NANOS, this::handOver);

  /** Whether the exchange has nothing to do but to tell its caller. Used by this thread. */
  private boolean ending;

  private ExchangeThread(Runnable first) {
    this.first = first;
  }

  /** Makes an exchange: on the current thread after the current exchange, or on a new thread. */
  static void start(Runnable exchange) {
    ExchangeThread here = CURRENT.get();
    if (here != null && here.ending && here.next.compareAndSet(null, exchange)) {
      here.wait.end();
      here.wait.begin();
    } else {
      Thread.ofVirtual().name("heddle-apache5-call").start(new ExchangeThread(exchange));
    }
  }

  /** Called by an exchange before its caller gets the outcome. */
  static void ending() {
    ExchangeThread here = CURRENT.get();
    if (here != null) {
      here.ending = true;
    }
  }

  @Override
  public void run() {
    CURRENT.set(this);
    try {
      for (Runnable now = first; now != null; now = next.getAndSet(null)) {
        ending = false;
        now.run();
        wait.end();
      }
    } finally {
      handOver(); // what came during an exchange that has broken down
    }
  }

  private void handOver() {
    Runnable waiting = next.getAndSet(null);
    if (waiting != null) {
      Thread.ofVirtual().name("heddle-apache5-call").start(new ExchangeThread(waiting));
    }
  }
}
