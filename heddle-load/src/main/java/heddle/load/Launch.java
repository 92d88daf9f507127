package heddle.load;

import heddle.bench.driver.Answer;
import heddle.bench.driver.AsyncClientDriver.AsyncExchange;
import heddle.bench.driver.AsyncClientDriver.Completion;
import heddle.bench.driver.ClientDriver.Exchange;
import heddle.load.schedule.Strand;
import heddle.load.schedule.Timing;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;

/** Begins requests on the threads that a load asks for. Safe for use by many threads. */
interface Launch extends AutoCloseable {

  /** One request in progress. */
  interface Ending extends Completion {

    /** Called when its exchange begins, on the thread that carries it. */
    void started();
  }

  /** Begins a request without waiting for it; {@code ending} is completed exactly once. */
  void begin(Ending ending);

  /** Ends the threads that are kept for further requests. */
  @Override
  default void close() {}

  /** Returns a launch for this kind of thread; an asynchronous client uses its own threads. */
  static Launch of(Prepared prepared, Strand strand, Timing timing) {
    return switch (prepared) {
      case Prepared.Async(AsyncExchange exchange) ->
        ending -> {
          ending.started();
          exchange.begin(ending);
        };
      case Prepared.Blocking(Exchange exchange) ->
        switch (strand) {
          case Strand.Virtual _ -> ending -> Thread.startVirtualThread(() -> run(exchange, ending));
          case Strand.Platform _ -> ending -> startPlatform(exchange, ending);
          case Strand.Pool(int threads) -> new OnPool(exchange, threads, timing);
        };
    };
  }

  private static void run(Exchange exchange, Ending ending) {
    ending.started();
    Answer answer;
    try {
      answer = exchange.exchange();
    } catch (Exception e) {
      ending.failed(e);
      return;
    }
    ending.answered(answer);
  }

  /** The JVM throws OutOfMemoryError if the machine allows no more threads. */
  private static void startPlatform(Exchange exchange, Ending ending) {
    try {
      Thread.ofPlatform().daemon().start(() -> run(exchange, ending));
    } catch (OutOfMemoryError e) {
      ending.failed(e);
    }
  }

  /** A fixed number of platform threads, started with the first requests. */
  final class OnPool implements Launch {

    private final Exchange exchange;
    private final ExecutorService threads;

    private OnPool(Exchange exchange, int size, Timing timing) {
      this.exchange = exchange;
      this.threads = Executors.newFixedThreadPool(size, timing.poolThreads());
    }

    @Override
    public void begin(Ending ending) {
      try {
        threads.execute(new Task(exchange, ending));
      } catch (RejectedExecutionException e) {
        ending.failed(e);
      }
    }

    @Override
    public void close() {
      for (Runnable each : threads.shutdownNow()) {
        if (each instanceof Task(Exchange _, Ending ending)) {
          ending.failed(new CancellationException("the load was over before it began"));
        }
      }
    }

    private record Task(Exchange exchange, Ending ending) implements Runnable {
      @Override
      public void run() {
        Launch.run(exchange, ending);
      }
    }
  }
}
