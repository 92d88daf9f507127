package heddle.bench.worker;

import heddle.bench.driver.AsyncClientDriver;
import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.Driver;
import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.ForwardingAsyncClientDriver;
import heddle.bench.driver.ForwardingClientDriver;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the requests that clients should send, to compare them with the server's count. Safe for
 * use by many threads.
 */
final class Sent {

  private final LongAdder count = new LongAdder();

  /** The count so far, of all counted drivers. */
  long count() {
    return count.sum();
  }

  /** Wraps a driver so that its requests are counted. */
  Driver counting(Driver driver) {
    return switch (driver) {
      case ClientDriver blocking -> new Blocking(blocking, count);
      case AsyncClientDriver async -> new Async(async, count);
    };
  }

  private record Blocking(ClientDriver driver, LongAdder count) implements ForwardingClientDriver {

    @Override
    public Exchange prepare(DriverRequest request) throws Exception {
      Exchange exchange = driver.prepare(request);
      return () -> {
        count.increment();
        return exchange.exchange();
      };
    }
  }

  private record Async(AsyncClientDriver driver, LongAdder count)
      implements ForwardingAsyncClientDriver {

    @Override
    public AsyncExchange prepare(DriverRequest request) throws Exception {
      AsyncExchange exchange = driver.prepare(request);
      return completion -> {
        count.increment();
        exchange.begin(completion);
      };
    }
  }
}
