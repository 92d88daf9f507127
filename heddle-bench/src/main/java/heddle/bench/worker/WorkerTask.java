package heddle.bench.worker;

import heddle.bench.driver.Profile;
import heddle.bench.load.Extent;
import heddle.bench.load.LoadPlan;
import heddle.bench.load.Pace;
import heddle.bench.load.Pace.Arrivals;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a worker is to do, as it travels on a command line: words of the form {@code key=value}, of
 * which those from one {@code uri} to the next describe one load.
 *
 * @param client the name of the driver to use
 * @param profile how the client is set up
 * @param warmUps loads to run first, of which nothing is reported
 * @param plans the loads to measure, one after the other; at least one
 * @param cores what to pin the process to after the warm-ups; empty to leave it as it is
 */
public record WorkerTask(
    String client,
    Profile profile,
    List<LoadPlan> warmUps,
    List<LoadPlan> plans,
    List<Integer> cores) {

  /** Copies the lists. */
  public WorkerTask {
    warmUps = List.copyOf(warmUps);
    plans = List.copyOf(plans);
    cores = List.copyOf(cores);
  }

  /** The words that {@link #parse} reads back. */
  public List<String> toArguments() {
    List<String> words = new ArrayList<>();
    words.add("client=" + client);
    words.add("profile=" + profile);
    words.add("warmUps=" + warmUps.size());
    words.add("cores=" + cores.stream().map(String::valueOf).collect(Collectors.joining(",")));
    warmUps.forEach(plan -> addArguments(plan, words));
    plans.forEach(plan -> addArguments(plan, words));
    return words;
  }

  private static void addArguments(LoadPlan plan, List<String> words) {
    words.add("uri=" + plan.uri());
    words.add("warmUpNanos=" + plan.warmUp().toNanos());
    switch (plan.pace()) {
      case Pace.Closed(int callers) -> words.add("callers=" + callers);
      case Pace.Open(double rate, int connections, Arrivals arrivals) -> {
        words.add("rate=" + rate);
        words.add("connections=" + connections);
        words.add("arrivals=" + arrivals);
      }
    }
    switch (plan.extent()) {
      case Extent.Requests(long count) -> words.add("requests=" + count);
      case Extent.Lasting(Duration duration) -> words.add("nanos=" + duration.toNanos());
    }
  }

  /**
   * Reads a task.
   *
   * @throws IllegalArgumentException when a word is missing or cannot be read
   */
  public static WorkerTask parse(List<String> words) {
    Map<String, String> common = new HashMap<>();
    List<Map<String, String>> loads = new ArrayList<>();
    for (String word : words) {
      int equals = word.indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException("expected key=value, not " + word);
      }
      String key = word.substring(0, equals);
      if (key.equals("uri")) {
        loads.add(new HashMap<>());
      }
      (loads.isEmpty() ? common : loads.getLast()).put(key, word.substring(equals + 1));
    }
    if (loads.isEmpty()) {
      throw new IllegalArgumentException("a worker's task lacks uri");
    }
    List<LoadPlan> plans = loads.stream().map(WorkerTask::plan).toList();
    int warmUps = Integer.parseInt(need(common, "warmUps"));
    String cores = need(common, "cores");
    return new WorkerTask(
        need(common, "client"),
        Profile.valueOf(need(common, "profile")),
        plans.subList(0, warmUps),
        plans.subList(warmUps, plans.size()),
        cores.isEmpty()
            ? List.of()
            : Stream.of(cores.split(",")).map(Integer::valueOf).toList());
  }

  private static LoadPlan plan(Map<String, String> values) {
    Pace pace = values.containsKey("rate")
        ? new Pace.Open(
            Double.parseDouble(need(values, "rate")),
            Integer.parseInt(need(values, "connections")),
            Arrivals.valueOf(need(values, "arrivals").toUpperCase(Locale.ROOT)))
        : new Pace.Closed(Integer.parseInt(need(values, "callers")));
    Extent extent = values.containsKey("requests")
        ? new Extent.Requests(Long.parseLong(need(values, "requests")))
        : new Extent.Lasting(Duration.ofNanos(Long.parseLong(need(values, "nanos"))));
    Duration warmUp = Duration.ofNanos(Long.parseLong(need(values, "warmUpNanos")));
    return new LoadPlan(URI.create(need(values, "uri")), pace, extent, warmUp);
  }

  private static String need(Map<String, String> values, String key) {
    String value = values.get(key);
    if (value == null) {
      throw new IllegalArgumentException("a worker's task lacks " + key);
    }
    return value;
  }
}
