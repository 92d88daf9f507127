package heddle.bench.machine;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * CPU times of some cores so far, in ticks of the kernel's clock; see /proc/stat in proc(5).
 *
 * @param busy in programs and in the kernel on their behalf, without interrupts
 * @param stolen by the hypervisor for other guests
 * @param all the total, idle times included
 */
public record CoreTimes(long busy, long stolen, long all) {

  private static final int USER = 1;
  private static final int NICE = 2;
  private static final int SYSTEM = 3;
  private static final int STEAL = 8;

  /**
   * Reads the table.
   *
   * @param cores which cores; empty for all
   */
  static CoreTimes of(List<String> table, List<Integer> cores) {
    Set<String> names = cores.isEmpty()
        ? Set.of("cpu")
        : cores.stream().map(core -> "cpu" + core).collect(Collectors.toSet());
    long busy = 0;
    long stolen = 0;
    long all = 0;
    for (String line : table) {
      String[] fields = line.strip().split("\\s+", -1);
      if (names.contains(fields[0]) && fields.length > STEAL) {
        busy += number(fields, USER) + number(fields, NICE) + number(fields, SYSTEM);
        stolen += number(fields, STEAL);
        // The fields after that, guest times, are already included in the user's time.
        for (int i = USER; i <= STEAL; i++) {
          all += number(fields, i);
        }
      }
    }
    return new CoreTimes(busy, stolen, all);
  }

  private static long number(String[] fields, int index) {
    return Long.parseLong(fields[index]);
  }
}
