package heddle.bench.machine;

import heddle.bench.result.Figure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The state of the machine at some moment. All values are null on platforms without such tables.
 *
 * @param nanos on {@link System#nanoTime}
 * @param cores the times of the cores so far
 * @param raceTicks CPU time of this process and all that it started
 * @param stalledMicros how long some task has waited for each of {@link #PRESSURES} so far
 * @param throttledMicros how long the CPU limit of the container has throttled this process so far
 */
public record Moment(
    long nanos,
    @Nullable CoreTimes cores,
    @Nullable Long raceTicks,
    Map<Figure, Long> stalledMicros,
    @Nullable Long throttledMicros) {

  private static final Path STAT = Path.of("/proc/stat");
  private static final Path PRESSURE = Path.of("/proc/pressure");
  private static final Path CGROUP = Path.of("/sys/fs/cgroup/cpu.stat");
  private static final Pattern SOME = Pattern.compile("some .*total=(\\d+)");
  private static final Pattern THROTTLED = Pattern.compile("throttled_usec (\\d+)");

  /** The files with these values; see the kernel's documentation of pressure stall information. */
  private static final Map<Figure, String> PRESSURES = Map.of(
      Figure.CPU_PRESSURE, "cpu",
      Figure.MEMORY_PRESSURE, "memory",
      Figure.IO_PRESSURE, "io");

  /**
   * Reads the present state.
   *
   * @param cores the cores that the race runs on; empty for all
   * @throws IOException if a table exists but cannot be read
   */
  public static Moment now(List<Integer> cores) throws IOException {
    Map<Figure, Long> stalled = new EnumMap<>(Figure.class);
    for (Map.Entry<Figure, String> each : PRESSURES.entrySet()) {
      Long micros = number(PRESSURE.resolve(each.getValue()), SOME);
      if (micros != null) {
        stalled.put(each.getKey(), micros);
      }
    }
    boolean hasTimes = Files.isReadable(STAT);
    return new Moment(
        System.nanoTime(),
        hasTimes ? CoreTimes.of(Files.readAllLines(STAT), cores) : null,
        hasTimes ? ProcessTicks.ofTree(ProcessHandle.current()) : null,
        stalled,
        number(CGROUP, THROTTLED));
  }

  private static @Nullable Long number(Path file, Pattern pattern) throws IOException {
    if (!Files.isReadable(file)) {
      return null;
    }
    Matcher matcher = pattern.matcher(Files.readString(file, StandardCharsets.US_ASCII));
    return matcher.find() ? Long.valueOf(matcher.group(1)) : null;
  }

  /** The differences to an earlier moment, as shares of the time between. */
  public Map<Figure, Double> since(Moment before) {
    Map<Figure, Double> shares = new EnumMap<>(Figure.class);
    CoreTimes then = before.cores;
    CoreTimes now = cores;
    if (then != null && now != null && now.all() > then.all()) {
      double ticks = now.all() - then.all();
      shares.put(Figure.STEAL, share((now.stolen() - then.stolen()) / ticks));
      Long own = raceTicks;
      Long ownThen = before.raceTicks;
      if (own != null && ownThen != null) {
        double others = now.busy() - then.busy() - (own - ownThen);
        shares.put(Figure.FOREIGN_CPU, share(others / ticks));
      }
    }
    double micros = Math.max(1, (nanos - before.nanos) / 1e3);
    stalledMicros.forEach((figure, total) -> {
      Long earlier = before.stalledMicros.get(figure);
      if (earlier != null) {
        shares.put(figure, share((total - earlier) / micros));
      }
    });
    Long throttled = throttledMicros;
    Long throttledThen = before.throttledMicros;
    if (throttled != null && throttledThen != null) {
      shares.put(Figure.THROTTLED, share((throttled - throttledThen) / micros));
    }
    return shares;
  }

  private static double share(double value) {
    return Math.clamp(value, 0, 1);
  }
}
