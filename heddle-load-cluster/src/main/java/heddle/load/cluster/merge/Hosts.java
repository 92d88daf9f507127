package heddle.load.cluster.merge;

import heddle.load.record.GeneratorCost;
import heddle.load.record.Validity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The cost of the processes of a load per machine: processes on one machine share its cores. */
final class Hosts {

  private Hosts() {}

  private static Map<String, List<LoadResult>> byHost(List<LoadResult> parts) {
    var hosts = new LinkedHashMap<String, List<LoadResult>>();
    for (LoadResult part : parts) {
      // Parts without a host name are treated as separate machines.
      String name = part.host().isEmpty() ? part.source() : part.host();
      hosts.computeIfAbsent(name, _ -> new ArrayList<>()).add(part);
    }
    return hosts;
  }

  static List<String> names(List<LoadResult> parts) {
    return parts.stream()
        .map(LoadResult::host)
        .filter(host -> !host.isEmpty())
        .distinct()
        .toList();
  }

  /** The total cost; null if it was not measured. */
  static @Nullable GeneratorCost cost(List<LoadResult> parts) {
    List<GeneratorCost> hosts = byHost(parts).values().stream()
        .map(Hosts::ofOneHost)
        .filter(Objects::nonNull)
        .toList();
    return hosts.isEmpty()
        ? null
        : sum(hosts, hosts.stream().mapToInt(GeneratorCost::cores).sum());
  }

  private static @Nullable GeneratorCost ofOneHost(List<LoadResult> parts) {
    List<GeneratorCost> costs = parts.stream()
        .map(part -> part.report().generator())
        .filter(Objects::nonNull)
        .toList();
    return costs.isEmpty()
        ? null
        : sum(costs, costs.stream().mapToInt(GeneratorCost::cores).max().orElse(1));
  }

  /** Each part has reported its own pauses; the worst counts. */
  private static GeneratorCost sum(List<GeneratorCost> costs, int cores) {
    return new GeneratorCost(
        most(costs.stream().map(GeneratorCost::wall).toList()),
        costs.stream().map(GeneratorCost::cpu).reduce(Duration.ZERO, Duration::plus),
        cores,
        costs.stream().map(GeneratorCost::collecting).reduce(Duration.ZERO, Duration::plus),
        most(costs.stream().map(GeneratorCost::stalled).toList()),
        most(costs.stream().map(GeneratorCost::longestStall).toList()));
  }

  /** The longest; zero if there are none. */
  static Duration most(List<Duration> all) {
    return all.stream().max(Comparator.naturalOrder()).orElse(Duration.ZERO);
  }

  /** Doubts that no part could detect alone: several together had too few cores. */
  static List<String> doubts(List<LoadResult> parts, boolean isPaced) {
    List<String> doubts = new ArrayList<>();
    byHost(parts).forEach((host, here) -> {
      GeneratorCost cost = here.size() > 1 ? ofOneHost(here) : null;
      if (cost != null) {
        GeneratorCost cpuAlone = new GeneratorCost(
            cost.wall(), cost.cpu(), cost.cores(), Duration.ZERO, Duration.ZERO, Duration.ZERO);
        for (String doubt : Validity.DEFAULT.doubts(cpuAlone, isPaced, 0)) {
          doubts.add(here.size() + " segments on " + host + " together: " + doubt);
        }
      }
    });
    return doubts;
  }
}
