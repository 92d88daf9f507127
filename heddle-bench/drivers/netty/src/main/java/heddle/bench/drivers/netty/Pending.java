package heddle.bench.drivers.netty;

import heddle.bench.driver.AsyncClientDriver.Completion;

/** A request and its completion. */
record Pending(Outgoing request, Completion completion) {}
