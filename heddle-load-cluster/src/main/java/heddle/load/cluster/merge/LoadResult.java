package heddle.load.cluster.merge;

import heddle.load.LoadReport;
import heddle.load.schedule.Segment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * The result of a load, with its target.
 *
 * @param source its name in messages, such as the name of its file
 * @param target what was sent and how, the same for all segments of a load
 * @param report the measurement
 * @param host the name of the machine, or of all machines
 * @param processes how many processes made the load
 */
public record LoadResult(
    String source, Map<String, Object> target, LoadReport report, String host, int processes) {

  private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

  /** Creates the result of this process. */
  public static LoadResult ofThisProcess(Map<String, Object> target, LoadReport report) {
    return new LoadResult("this process", target, report, hostName(), 1);
  }

  /** The same with the times of another clock, which is behind that of the result by this much. */
  public LoadResult byClockBehind(Duration ahead) {
    return new LoadResult(source, target, report.earlierBy(ahead), host, processes);
  }

  /** The share of the load that it covers. */
  public Segment segment() {
    return report.shape().segment();
  }

  /** Does not ask the network, which may not answer. */
  private static String hostName() {
    try {
      return Files.isReadable(HOST_NAME) ? Files.readString(HOST_NAME).strip() : "";
    } catch (IOException e) {
      // The name only serves to group the results of one machine.
      return "";
    }
  }
}
