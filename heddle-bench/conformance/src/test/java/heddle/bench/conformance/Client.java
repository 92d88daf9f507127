package heddle.bench.conformance;

import heddle.bench.driver.Answer;
import heddle.bench.driver.AsyncClientDriver;
import heddle.bench.driver.AsyncClientDriver.AsyncExchange;
import heddle.bench.driver.AsyncClientDriver.Completion;
import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.ClientDriver.Exchange;
import heddle.bench.driver.Driver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** A started driver, blocking or not, behind one face. */
final class Client implements AutoCloseable {

  /** For what takes milliseconds, on a machine that is busy. */
  static final long PATIENCE_SECONDS = 20;

  private final Driver driver;

  Client(Driver driver, DriverConfig config) throws Exception {
    this.driver = driver;
    driver.start(config);
  }

  /** One exchange; {@link java.util.concurrent.TimeoutException} where it hangs. */
  Answer exchange(DriverRequest request) throws Exception {
    try (ExecutorService caller = callers()) {
      Future<Answer> answer = caller.submit(() -> once(request).exchange());
      try {
        return answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      } finally {
        caller.shutdownNow();
      }
    }
  }

  private Exchange once(DriverRequest request) throws Exception {
    return switch (driver) {
      case ClientDriver blocking -> blocking.prepare(request);
      case AsyncClientDriver async -> async.prepare(request)::await;
    };
  }

  /** Runs this many exchanges, as many at a time as there are callers. */
  List<Answer> load(DriverRequest request, int callers, int each) throws Exception {
    List<Future<List<Answer>>> chains = new ArrayList<>();
    List<Answer> all = new ArrayList<>();
    try (ExecutorService threads = callers()) {
      switch (driver) {
        case ClientDriver blocking -> {
          Exchange exchange = blocking.prepare(request);
          for (int i = 0; i < callers; i++) {
            chains.add(threads.submit(() -> inTurn(exchange, each)));
          }
        }
        case AsyncClientDriver async -> {
          AsyncExchange exchange = async.prepare(request);
          for (int i = 0; i < callers; i++) {
            Chain chain = new Chain(exchange, each);
            chains.add(chain.end);
            chain.begin();
          }
        }
      }
      try {
        for (Future<List<Answer>> chain : chains) {
          all.addAll(chain.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
        }
      } finally {
        threads.shutdownNow();
      }
    }
    return all;
  }

  private static List<Answer> inTurn(Exchange exchange, int times) throws Exception {
    List<Answer> answers = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      answers.add(exchange.exchange());
    }
    return answers;
  }

  /** Platform threads, which see the client as the caller does. */
  private static ExecutorService callers() {
    return Executors.newCachedThreadPool();
  }

  /** Begins each exchange where the one before has ended, as a load does. */
  private static final class Chain implements Completion {

    private final AsyncExchange exchange;
    private final int times;
    private final List<Answer> answers = new ArrayList<>();
    private final CompletableFuture<List<Answer>> end = new CompletableFuture<>();

    Chain(AsyncExchange exchange, int times) {
      this.exchange = exchange;
      this.times = times;
    }

    void begin() {
      exchange.begin(this);
    }

    @Override
    public void answered(Answer answer) {
      answers.add(answer);
      if (answers.size() == times) {
        end.complete(answers);
      } else {
        begin();
      }
    }

    @Override
    public void failed(Throwable cause) {
      end.completeExceptionally(cause);
    }
  }

  @Override
  public void close() {
    try {
      driver.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
