package heddle.bench.client;

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

  /**
   * A closed load.
   *
   * @param time how long it is measured; its warm-up takes as long again
   */
  public static Calibration closed(int callers, Strand strand, Duration time)
      throws InterruptedException {
    Load load = Load.of(NoOpDriver.exchange(0)).callers(callers);
    return of("closed, " + callers + " callers on " + strand, load.strand(strand), time);
  }

  /** An open load at this rate. */
  public static Calibration open(double rate, Strand strand, Duration time)
      throws InterruptedException {
    Load load = Load.of(NoOpDriver.exchange(0)).rate(rate).strand(strand);
    return of("open, %.0f a second on %s".formatted(rate, strand), load, time);
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
