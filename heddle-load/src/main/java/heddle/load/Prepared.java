package heddle.load;

import heddle.bench.driver.AsyncClientDriver;
import heddle.bench.driver.AsyncClientDriver.AsyncExchange;
import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.ClientDriver.Exchange;
import heddle.bench.driver.Driver;
import heddle.bench.driver.DriverRequest;

/** A request that a driver has built, ready for callers to send. */
sealed interface Prepared {

  /** Blocks the calling thread. */
  record Blocking(Exchange exchange) implements Prepared {}

  /** Completes on a thread of the client. */
  record Async(AsyncExchange exchange) implements Prepared {}

  static Prepared of(Driver driver, DriverRequest request) throws Exception {
    return switch (driver) {
      case ClientDriver blocking -> new Blocking(blocking.prepare(request));
      case AsyncClientDriver async -> new Async(async.prepare(request));
    };
  }
}
