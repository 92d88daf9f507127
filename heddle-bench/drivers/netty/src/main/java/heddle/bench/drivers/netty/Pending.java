package heddle.bench.drivers.netty;

import heddle.bench.driver.AsyncClientDriver.Completion;

/** A request and whom to tell of its answer. */
record Pending(Outgoing request, Completion completion) {}
