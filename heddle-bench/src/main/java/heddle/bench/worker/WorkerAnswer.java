package heddle.bench.worker;

import heddle.bench.result.Outcome;

/** An answer of a worker, one line of JSON on its standard output. */
public sealed interface WorkerAnswer {

  /** The worker's first line: its client. */
  record Hello(String client, String version) implements WorkerAnswer {}

  /** The order was carried out. */
  record Done() implements WorkerAnswer {}

  /** The client cannot run the load, for this reason. */
  record Refusal(String reason) implements WorkerAnswer {}

  /** The measurement of a load. */
  record Measured(Outcome outcome) implements WorkerAnswer {}

  /** The order could not be carried out; the worker accepts further ones. */
  record Failure(String cause) implements WorkerAnswer {}
}
