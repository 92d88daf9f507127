package heddle.bench.race;

import heddle.bench.contender.Contender;
import heddle.bench.experiment.Cell;
import heddle.bench.experiment.Target;
import heddle.bench.server.ServerSpec;
import heddle.bench.server.Servers;
import heddle.bench.server.Servers.Counting;
import heddle.bench.server.Servers.Endpoint;
import heddle.bench.server.Serving;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Starts and finds the servers of the cells. Used by one thread. */
final class Places {

  private final Servers servers;
  private final @Nullable Target target;
  private final Map<String, Set<String>> names = new LinkedHashMap<>();

  Places(Servers servers, @Nullable Target target) {
    this.servers = servers;
    this.target = target;
  }

  /** The server for a contender in a cell, which is started if it does not run. */
  Endpoint of(Contender contender, Cell cell) throws RaceException, InterruptedException {
    Serving serving = serving(contender, cell);
    try {
      Endpoint endpoint = endpoint(serving, cell);
      names.computeIfAbsent(cell.info().group(), _ -> new LinkedHashSet<>()).add(endpoint.server());
      return endpoint;
    } catch (IOException e) {
      throw new RaceException("the server for " + cell.label() + ": " + e.getMessage(), e);
    }
  }

  private Endpoint endpoint(@Nullable Serving serving, Cell cell)
      throws IOException, InterruptedException {
    Target asked = target;
    if (asked != null) {
      return new Endpoint(
          List.of(asked.base()), asked.trust(), asked.base().toString(), Counting.NOTHING);
    }
    return serving == null
        ? servers.endpoint(cell.protocol(), cell.tls())
        : servers.endpoint(serving.spec(cell.protocol(), cell.tls(), cell.processes()));
  }

  /** The same, but ends the running server first, with all its pending work. */
  Endpoint anew(Contender contender, Cell cell) throws RaceException, InterruptedException {
    Serving serving = serving(contender, cell);
    if (serving != null) {
      ServerSpec spec = serving.spec(cell.protocol(), cell.tls(), cell.processes());
      servers.close(spec);
    }
    return of(contender, cell);
  }

  private static @Nullable Serving serving(Contender contender, Cell cell) {
    Serving own = contender.serving();
    return own == null ? cell.serving() : own;
  }

  /** The names of the servers by group of cells. */
  Map<String, String> serverNames() {
    Map<String, String> joined = new LinkedHashMap<>();
    names.forEach((group, all) -> joined.put(group, String.join(", ", all)));
    return joined;
  }

  /** Whether every server that was started still runs. */
  boolean areAlive() {
    return servers.areAlive();
  }
}
