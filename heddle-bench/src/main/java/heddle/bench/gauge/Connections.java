package heddle.bench.gauge;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts the connections of all processes in the network namespace; see proc(5). */
final class Connections {

  private static final Path TABLE = Path.of("/proc/self/net/snmp");
  private static final String ROW = "Tcp:";
  private static final String COLUMN = "ActiveOpens";

  private Connections() {}

  /** How many were begun by this machine so far; null if the kernel does not say. */
  static @Nullable Long begun() throws IOException {
    return Files.isReadable(TABLE) ? begun(Files.readAllLines(TABLE)) : null;
  }

  /** Reads a row of names followed by a row of values. */
  static @Nullable Long begun(List<String> table) {
    List<String[]> rows = table.stream()
        .filter(line -> line.startsWith(ROW))
        .map(line -> line.strip().split(" ", -1))
        .toList();
    if (rows.size() != 2) {
      return null;
    }
    int column = List.of(rows.getFirst()).indexOf(COLUMN);
    return column < 0 || column >= rows.getLast().length
        ? null
        : Long.valueOf(rows.getLast()[column]);
  }
}
