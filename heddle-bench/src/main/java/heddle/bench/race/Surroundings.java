package heddle.bench.race;

import heddle.bench.contender.Jvm;
import heddle.bench.result.Design;
import heddle.bench.result.Environment;
import heddle.load.cluster.process.Cores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** Reads the description of this machine. */
final class Surroundings {

  private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

  private Surroundings() {}

  static Environment describe(
      Design design,
      Cores cores,
      Map<String, String> versions,
      Map<String, String> servers,
      String date,
      Duration wall) {
    return new Environment(
        date,
        System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"),
        System.getProperty("os.name")
            + " "
            + System.getProperty("os.version")
            + " "
            + System.getProperty("os.arch"),
        cpuName(),
        Runtime.getRuntime().availableProcessors(),
        Cores.label(cores.server()),
        Cores.label(cores.client()),
        Jvm.FLAGS,
        new TreeMap<>(versions),
        servers,
        design,
        wall.toMillis() / 1e3);
  }

  private static String cpuName() {
    if (!Files.isReadable(CPU_INFO)) {
      return "unknown";
    }
    try (var lines = Files.lines(CPU_INFO)) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .findFirst()
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .orElse("unknown");
    } catch (IOException e) {
      return "unknown (" + e.getMessage() + ")";
    }
  }
}
