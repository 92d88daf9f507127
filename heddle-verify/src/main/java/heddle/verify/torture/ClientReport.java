package heddle.verify.torture;

import java.util.List;
import java.util.Locale;

/**
 * What the process of a client says of its calls to a hostile server, and to a good one meanwhile.
 *
 * @param longestMillis of the calls to the hostile server
 * @param taken calls to the hostile server that did not fail
 * @param late calls to it that ended only because of their deadline
 * @param errors calls to it that ended with an error of the JVM
 * @param heapBytes the most above what was live before
 * @param othersFailed calls to the good server that failed
 * @param inFlight calls that the pool believes to be under way although all have ended
 * @param seconds until a call to the good server was as fast as ever; NaN if it never was
 * @param connectionsLeft in the pool, once idle ones were closed
 * @param threadsLeft more than there were before, platform threads and virtual ones of the engine
 * @param heapLeft bytes more than before
 * @param failure how the last failed call to the hostile server ended
 */
record ClientReport(
    long longestMillis,
    long taken,
    long late,
    long errors,
    long heapBytes,
    double idleP50,
    double idleP99,
    double p50,
    double p99,
    long othersFailed,
    long inFlight,
    double seconds,
    long connectionsLeft,
    long threadsLeft,
    long heapLeft,
    String failure) {
  static final String FIRST = "ended ";
  private static final int PARTS = 16;
  private static final double MOST_SECONDS = 2;
  private static final long MARGIN_MILLIS = 250;
  private static final int THREADS_BESIDES = 3;

  String line() {
    return FIRST
        + String.format(
            Locale.ROOT,
            "%d %d %d %d %d %f %f %f %f %d %d %f %d %d %d %s",
            longestMillis,
            taken,
            late,
            errors,
            heapBytes,
            idleP50,
            idleP99,
            p50,
            p99,
            othersFailed,
            inFlight,
            seconds,
            connectionsLeft,
            threadsLeft,
            heapLeft,
            failure.replace('\n', ' '));
  }

  static ClientReport parse(String line) {
    String[] said = line.substring(FIRST.length()).split(" ", PARTS);
    return new ClientReport(
        Long.parseLong(said[0]),
        Long.parseLong(said[1]),
        Long.parseLong(said[2]),
        Long.parseLong(said[3]),
        Long.parseLong(said[4]),
        Double.parseDouble(said[5]),
        Double.parseDouble(said[6]),
        Double.parseDouble(said[7]),
        Double.parseDouble(said[8]),
        Long.parseLong(said[9]),
        Long.parseLong(said[10]),
        Double.parseDouble(said[11]),
        Long.parseLong(said[12]),
        Long.parseLong(said[13]),
        Long.parseLong(said[14]),
        said[15]);
  }

  /** Adds what must not be, whatever was done to the client. */
  void judge(List<String> failures) {
    long deadline = TortureClient.DEADLINE.toMillis();
    if (longestMillis > deadline + MARGIN_MILLIS) {
      failures.add("a call took " + longestMillis + " ms");
    }
    if (!(seconds <= MOST_SECONDS)) {
      failures.add("no normal service within " + MOST_SECONDS + " s");
    }
    if (inFlight > 0) {
      failures.add(inFlight + " calls are still counted as in flight");
    }
    if (connectionsLeft > 0) {
      failures.add(connectionsLeft + " connections are left in the pool");
    }
    if (threadsLeft > THREADS_BESIDES) {
      failures.add(threadsLeft + " threads are left");
    }
    if (heapLeft > ServerTrial.NOISE) {
      failures.add(heapLeft + " bytes of heap are left");
    }
  }
}
