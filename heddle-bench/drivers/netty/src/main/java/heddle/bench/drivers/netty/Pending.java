package heddle.bench.drivers.netty;

import heddle.bench.driver.AsyncClientDriver.Completion;
import io.netty.handler.codec.http.FullHttpRequest;

/** A request and whom to tell of its answer. */
record Pending(FullHttpRequest request, Completion completion) {}
