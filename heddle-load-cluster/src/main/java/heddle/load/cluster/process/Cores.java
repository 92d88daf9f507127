package heddle.load.cluster.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Which cores the server and the clients are pinned to: half each, so that neither takes time from
 * the other. Both are empty if there is one core, or no {@code taskset}.
 *
 * @param server cores of the server
 * @param client cores of the clients
 */
public record Cores(List<Integer> server, List<Integer> client) {

  private static final String ALLOWED = "Cpus_allowed_list:";

  /** Half the cores that this process may use for each. */
  public static Cores ofThisMachine() {
    Path status = Path.of("/proc/self/status");
    if (!Files.isReadable(status) || Executables.find("taskset").isEmpty()) {
      return new Cores(List.of(), List.of());
    }
    try (var lines = Files.lines(status)) {
      return lines
          .filter(line -> line.startsWith(ALLOWED))
          .findFirst()
          .map(line -> split(parse(line.substring(ALLOWED.length()).strip())))
          .orElse(new Cores(List.of(), List.of()));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + status, e);
    }
  }

  /** The cores of the server and of the clients. */
  public List<Integer> all() {
    List<Integer> all = new ArrayList<>(server);
    all.addAll(client);
    return all;
  }

  /** Reads the kernel's form of a set of cores, such as {@code 0-3,8}. */
  static List<Integer> parse(String list) {
    List<Integer> cores = new ArrayList<>();
    for (String part : list.split(",", -1)) {
      String[] ends = part.split("-", -1);
      int first = Integer.parseInt(ends[0]);
      int last = Integer.parseInt(ends[ends.length - 1]);
      for (int core = first; core <= last; core++) {
        cores.add(core);
      }
    }
    return cores;
  }

  static Cores split(List<Integer> cores) {
    if (cores.size() < 2) {
      return new Cores(List.of(), List.of());
    }
    int half = cores.size() / 2;
    return new Cores(
        List.copyOf(cores.subList(0, half)), List.copyOf(cores.subList(half, cores.size())));
  }

  /** The command, pinned to these cores; unchanged if there are none. */
  public static List<String> pin(List<Integer> cores, List<String> command) {
    if (cores.isEmpty()) {
      return command;
    }
    List<String> pinned = new ArrayList<>(List.of("taskset", "-c", label(cores)));
    pinned.addAll(command);
    return pinned;
  }

  /** Such as {@code 0,1}. */
  public static String label(List<Integer> cores) {
    return cores.stream().map(String::valueOf).collect(Collectors.joining(","));
  }
}
