package heddle.bench.client;

import heddle.bench.driver.Answer;
import heddle.bench.driver.ClientDriver.Exchange;
import heddle.load.Load;
import heddle.load.LoadReport;
import heddle.load.record.GeneratorCost;
import heddle.load.schedule.Strand;
import java.time.Duration;
import java.util.List;

/**
 * What the generator itself costs, measured with requests that are answered at once and without
 * I/O. The figures of any client include it.
 *
 * @param what the load
 * @param requestsPerSecond requests per second
 * @param cpuMicrosPerRequest CPU time of the process per request, its monitoring included
 * @param lagP99Micros the 99th percentile of the send lag; 0 in a closed load
 * @param doubts why these figures do not count; none if it kept its pace
 */
public record Calibration(
    String what,
    double requestsPerSecond,
    double cpuMicrosPerRequest,
    double lagP99Micros,
    List<String> doubts) {

  private static final int OK = 200;

  /**
   * A closed load.
   *
   * @param time how long it is measured; its warm-up takes as long again
   */
  public static Calibration closed(int callers, Strand strand, Duration time)
      throws InterruptedException {
    Load load = Load.of(atOnce()).callers(callers);
    return of("closed, " + callers + " callers on " + strand, load.strand(strand), time);
  }

  /** An open load at this rate. */
  public static Calibration open(double rate, Strand strand, Duration time)
      throws InterruptedException {
    Load load = Load.of(atOnce()).rate(rate).strand(strand);
    return of("open, %.0f a second on %s".formatted(rate, strand), load, time);
  }

  /**
   * Answers at once, but yields, as any exchange that waits for its answer does. Callers on virtual
   * threads that never yield would keep the carriers from all others.
   */
  @SuppressWarnings("ThreadPriorityCheck") // It is this that a virtual thread must do to be fair.
  private static Exchange atOnce() {
    Answer answer = new Answer(OK, 0);
    return () -> {
      Thread.yield();
      return answer;
    };
  }

  private static Calibration of(String what, Load load, Duration time) throws InterruptedException {
    LoadReport report = load.warmUp(time).lasting(time).run();
    GeneratorCost cost = report.generator();
    double cpuNanos = cost == null ? 0 : cost.cpu().toNanos();
    return new Calibration(
        what,
        report.requestsPerSecond(),
        cpuNanos / 1e3 / Math.max(1, report.answered()),
        report.sendLag().p99(),
        report.doubts());
  }
}
