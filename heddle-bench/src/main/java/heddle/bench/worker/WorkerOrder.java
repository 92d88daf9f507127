package heddle.bench.worker;

import heddle.bench.driver.DriverRequest;
import heddle.load.LoadPlan;
import java.time.Duration;
import java.util.List;

/** An order to a worker, one line of JSON on its standard input. */
public sealed interface WorkerOrder {

  /**
   * Say whether the client can run the load. Answered by a refusal or by done.
   *
   * @param besideSlowReader whether the load also runs next to a slow reader
   */
  record Prepare(LoadPlan plan, boolean besideSlowReader) implements WorkerOrder {}

  /**
   * Run the load until the compilers are idle, with the client that is open for it, or with a new
   * client that replaces one for another load. Answered by done; the client stays open.
   *
   * @param plan the load, whose warm-up is the shortest time
   * @param most the longest time
   */
  record WarmUp(LoadPlan plan, Duration most) implements WorkerOrder {}

  /** Run the load, with the client that is open for it if there is one. Answered by a report. */
  record Measure(LoadPlan plan) implements WorkerOrder {}

  /** The same while an additional caller slowly reads a large answer. Answered by a report. */
  record MeasureBeside(LoadPlan plan, DriverRequest large) implements WorkerOrder {}

  /**
   * Wait until the compilers' queue is empty. Answered by done.
   *
   * @param most the longest time
   */
  record Settle(Duration most) implements WorkerOrder {}

  /** Close the client that is open, if there is one. Answered by done. */
  record Rest() implements WorkerOrder {}

  /** End the JVM in good order, so that it writes what its flags ask for. Answered by done. */
  record End() implements WorkerOrder {}

  /**
   * Run on these cores from now on. Answered by done.
   *
   * @param cores the cores of all threads but the compilers'
   * @param compilers the cores of the JVM's compilers
   */
  record Pin(List<Integer> cores, List<Integer> compilers) implements WorkerOrder {

    /** Copies the lists. */
    public Pin {
      cores = List.copyOf(cores);
      compilers = List.copyOf(compilers);
    }
  }
}
