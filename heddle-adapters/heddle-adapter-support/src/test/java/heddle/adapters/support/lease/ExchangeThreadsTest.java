package heddle.adapters.support.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Exchanges that callbacks begin, and the threads they run on. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ExchangeThreadsTest {
  private static final long LONG = TimeUnit.HOURS.toNanos(1);
  private static final long SHORT = TimeUnit.MILLISECONDS.toNanos(1);

  private final AtomicLong nanoTime = new AtomicLong();

  private ExchangeThreads threads(long patienceNanos) {
    return new ExchangeThreads(nanoTime::get, patienceNanos, 2);
  }

  /** Begins an exchange, and returns its thread. */
  private static CompletableFuture<Thread> begin(ExchangeThreads threads) {
    CompletableFuture<Thread> ran = new CompletableFuture<>();
    threads.start("next", () -> ran.complete(Thread.currentThread()));
    return ran;
  }

  /**
   * Runs a callback on the thread of an exchange that another one has begun, and returns that
   * thread.
   */
  private static CompletableFuture<Thread> inCallback(
      ExchangeThreads threads, Consumer<ExchangeThreads> callback) {
    CompletableFuture<Thread> ended = new CompletableFuture<>();
    threads.start(
        "first",
        () -> threads.start("second", () -> {
          try {
            callback.accept(threads);
            ended.complete(Thread.currentThread());
          } catch (Throwable e) {
            ended.completeExceptionally(e);
          }
        }));
    return ended;
  }

  /** Begins an exchange in a callback that does not block. Returns whether both had one thread. */
  private static boolean runsOnTheSameThread(ExchangeThreads threads) {
    CompletableFuture<CompletableFuture<Thread>> next = new CompletableFuture<>();
    Thread callback = inCallback(threads, each -> next.complete(begin(each))).join();
    return next.join().join() == callback;
  }

  @Test
  void anExchangeThatACallbackBeginsRunsAfterItOnItsThread() {
    CompletableFuture<CompletableFuture<Thread>> next = new CompletableFuture<>();
    Thread callback = inCallback(threads(LONG), threads -> {
          CompletableFuture<Thread> begun = begin(threads);
          assertFalse(begun.isDone());
          next.complete(begun);
        })
        .join();

    assertTrue(callback.isVirtual());
    assertSame(callback, next.join().join());
  }

  @Test
  void onlyOneExchangeWaitsForAThread() {
    inCallback(threads(LONG), threads -> {
          CompletableFuture<Thread> one = begin(threads);
          assertNotSame(Thread.currentThread(), begin(threads).join());
          assertFalse(one.isDone());
        })
        .join();
  }

  @Test
  void aCallbackMayWaitForTheExchangeThatItBegins() {
    inCallback(
            threads(SHORT),
            threads -> assertNotSame(Thread.currentThread(), begin(threads).join()))
        .join();
  }

  @Test
  void afterACallbackThatBlocksExchangesDoNotWaitForASecond() {
    ExchangeThreads threads = threads(SHORT);
    inCallback(threads, each -> begin(each).join()).join();

    assertFalse(runsOnTheSameThread(threads));
  }

  @Test
  void exchangesThatSeldomFollowEachOtherDoNotWait() {
    inCallback(threads(LONG), threads -> {
          nanoTime.addAndGet(TimeUnit.MILLISECONDS.toNanos(1));
          assertNotSame(Thread.currentThread(), begin(threads).join());
        })
        .join();
  }

  @Test
  void anInterruptInACallbackDoesNotReachTheNextExchange() {
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    inCallback(threads(LONG), threads -> {
      threads.start("next", () -> interrupted.complete(Thread.currentThread().isInterrupted()));
      Thread.currentThread().interrupt();
    });

    assertFalse(interrupted.join());
  }

  @Test
  void anExchangeIsNotLostWithTheThreadForWhichItWaits() {
    ExchangeThreads threads = threads(LONG);
    CompletableFuture<Thread> next = new CompletableFuture<>();
    threads.start(
        "first",
        () -> threads.start("second", () -> {
          threads.start("next", () -> next.complete(Thread.currentThread()));
          Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> {});
          throw new IllegalStateException("thrown by a callback");
        }));

    assertEquals("next", next.join().getName());
  }
}
