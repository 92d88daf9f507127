package heddle.bench.merge;

import heddle.bench.load.LoadReport;
import heddle.bench.schedule.Segment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * What a load measured, with what it was sent to.
 *
 * @param source what to call it when something is wrong with it, such as the name of its file
 * @param target what was sent, and how: the same for all segments of a load
 * @param report what was measured
 * @param host the name of the machine, or of all machines
 * @param processes how many processes made the load
 */
public record LoadResult(
    String source, Map<String, Object> target, LoadReport report, String host, int processes) {

  private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

  /** What this process has measured. */
  public static LoadResult ofThisProcess(Map<String, Object> target, LoadReport report) {
    return new LoadResult("this process", target, report, hostName(), 1);
  }

  /** Which share of the load it is. */
  public Segment segment() {
    return report.shape().segment();
  }

  /** Without asking the network, which may not answer. */
  private static String hostName() {
    try {
      return Files.isReadable(HOST_NAME) ? Files.readString(HOST_NAME).strip() : "";
    } catch (IOException e) {
      // It only tells which results are of one machine.
      return "";
    }
  }
}
