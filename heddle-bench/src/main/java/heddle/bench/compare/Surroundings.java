package heddle.bench.compare;

import heddle.bench.result.Design;
import heddle.bench.result.Environment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Lists how the environments of two races differ: any difference may have caused a change. */
final class Surroundings {

  private Surroundings() {}

  /** One line per difference; date, seed and duration are ignored. */
  static List<String> differences(Environment before, Environment after) {
    List<String> lines = new ArrayList<>();
    note(lines, "JDK", before.jdk(), after.jdk());
    note(lines, "system", before.os(), after.os());
    note(lines, "processor", before.cpu(), after.cpu());
    note(lines, "cores", before.cores(), after.cores());
    note(lines, "cores of the server", before.serverCores(), after.serverCores());
    note(lines, "cores of the clients", before.clientCores(), after.clientCores());
    note(lines, "flags", String.join(" ", before.jvmFlags()), String.join(" ", after.jvmFlags()));
    Design then = before.design();
    Design now = after.design();
    note(lines, "method", then.method().label(), now.method().label());
    note(lines, "profile", then.profile(), now.profile());
    note(lines, "rounds", then.rounds(), now.rounds());
    noteAll(lines, "version of ", before.versions(), after.versions());
    noteAll(lines, "server of ", before.servers(), after.servers());
    return lines;
  }

  private static void noteAll(
      List<String> lines, String what, Map<String, String> before, Map<String, String> after) {
    new TreeMap<>(before).forEach((name, value) -> {
      String later = after.get(name);
      if (later != null) {
        note(lines, what + name, value, later);
      }
    });
  }

  private static void note(List<String> lines, String what, Object before, Object after) {
    if (!before.equals(after)) {
      lines.add(what + ": " + before + " before, " + after + " after");
    }
  }
}
