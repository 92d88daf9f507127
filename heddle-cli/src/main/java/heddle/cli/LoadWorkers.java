package heddle.cli;

import heddle.load.LoadListener;
import heddle.load.LoadReport;
import heddle.load.cluster.crew.Crew;
import heddle.load.cluster.crew.SameJvm;
import heddle.load.cluster.merge.LoadResult;
import heddle.load.cluster.merge.LogMerge;
import heddle.load.cluster.merge.Merge;
import heddle.load.cluster.remote.RemotePeer;
import heddle.load.cluster.remote.Secret;
import heddle.load.schedule.Segment;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/**
 * The workers of {@code heddle load --workers}. Used by one thread; {@link #stop} may be called by
 * any.
 */
final class LoadWorkers implements AutoCloseable {

  /** Options that the parent process handles itself or sets for each worker. */
  private static final Set<String> NOT_OF_WORKERS = Set.of(
      "--workers",
      "--workers-key",
      "--segment",
      "--start-at",
      "--json",
      "--csv",
      "--hdr",
      "--slo",
      "--no-tui");

  private final Crew crew;
  private final Segment segment;
  private final Map<Segment, Path> logs;

  /** The names of workers on other hosts; empty for those on this machine. */
  private final Map<Segment, String> names;

  private final Consumer<String> report;
  private Map<Segment, String> lost = Map.of();

  private LoadWorkers(
      Crew crew,
      Segment segment,
      Map<Segment, Path> logs,
      Map<Segment, String> names,
      Consumer<String> report) {
    this.crew = crew;
    this.segment = segment;
    this.logs = logs;
    this.names = names;
    this.report = report;
  }

  /**
   * Starts the workers.
   *
   * @param given the arguments of this process, which are passed to the workers
   * @param segment the share of the load that they divide among themselves
   * @param count the number of workers
   * @param isLogged whether each writes an interval log
   */
  static LoadWorkers start(ParseResult given, Segment segment, int count, boolean isLogged)
      throws IOException {
    List<String> options = arguments(given);
    var commands = new LinkedHashMap<Segment, List<String>>();
    var logs = new LinkedHashMap<Segment, Path>();
    for (int worker = 1; worker <= count; worker++) {
      Segment own = segment.part(worker, count);
      List<String> arguments = new ArrayList<>(List.of("load"));
      arguments.addAll(options);
      arguments.addAll(List.of("--segment", own.toString(), "--member", "--no-tui"));
      if (isLogged) {
        Path log = Files.createTempFile("heddle-load", ".hlog");
        log.toFile().deleteOnExit();
        logs.put(own, log);
        arguments.addAll(List.of("--hdr", log.toString()));
      }
      commands.put(own, SameJvm.command(Main.class.getName(), arguments));
    }
    return new LoadWorkers(Crew.start(commands), segment, logs, Map.of(), _ -> {});
  }

  /**
   * Connects to workers on other hosts, and orders each to make its share.
   *
   * @param given the arguments of this process, which are passed to the workers
   * @param segment the share of the load that they divide among themselves
   * @param report receives what is known of each worker: its clock, and later its own figures
   * @throws IOException if one cannot be reached or refuses the secret; no load runs then
   */
  static LoadWorkers connect(
      ParseResult given,
      Segment segment,
      List<InetSocketAddress> addresses,
      Secret secret,
      Consumer<String> report)
      throws IOException {
    var peers = new LinkedHashMap<Segment, RemotePeer>();
    var names = new LinkedHashMap<Segment, String>();
    boolean isOrdered = false;
    try {
      for (InetSocketAddress address : addresses) {
        Segment own = segment.part(peers.size() + 1, addresses.size());
        RemotePeer peer = RemotePeer.connect(address, secret);
        peers.put(own, peer);
        names.put(own, RemotePeer.name(address));
        report.accept(String.format(
            Locale.ROOT,
            "worker %s: its clock is %+.3f ms from ours, give or take %.3f ms",
            RemotePeer.name(address),
            peer.clock().ahead().toNanos() / 1e6,
            peer.clock().uncertainty().toNanos() / 1e6));
      }
      List<String> options = arguments(given);
      for (Map.Entry<Segment, RemotePeer> each : peers.entrySet()) {
        List<String> arguments = new ArrayList<>(options);
        arguments.addAll(List.of("--segment", each.getKey().toString()));
        each.getValue().load(arguments);
      }
      isOrdered = true;
      return new LoadWorkers(Crew.of(peers), segment, new LinkedHashMap<>(), names, report);
    } finally {
      if (!isOrdered) {
        peers.values().forEach(RemotePeer::close);
      }
    }
  }

  /** What each worker on another host has measured itself. */
  private void reportEach(List<LoadResult> results) {
    for (LoadResult each : results) {
      String name = names.get(each.segment());
      if (name != null) {
        LoadReport own = each.report();
        report.accept(String.format(
            Locale.ROOT,
            "worker %s, segment %s: %d answered, %d failed, send lag p99 %.3f ms, max %.3f ms%s",
            name,
            each.segment(),
            own.answered(),
            own.failed(),
            own.sendLag().p99() / 1e3,
            own.sendLag().max() / 1e3,
            own.isValid() ? "" : "; INVALID: " + String.join("; ", own.doubts())));
      }
    }
  }

  /** The arguments as they were given, without those that are not for workers. */
  private static List<String> arguments(ParseResult given) {
    List<String> arguments = new ArrayList<>();
    for (OptionSpec option : given.matchedOptionsSet()) {
      String name = option.longestName();
      if (NOT_OF_WORKERS.contains(name)) {
        continue;
      }
      if (option.arity().max() == 0) {
        arguments.add(name);
      } else {
        // In one argument, because a value may look like an option.
        option.originalStringValues().forEach(value -> arguments.add(name + "=" + value));
      }
    }
    for (PositionalParamSpec positional : given.matchedPositionals()) {
      arguments.addAll(positional.originalStringValues());
    }
    return arguments;
  }

  /**
   * Runs the load.
   *
   * @throws IOException if no worker has measured anything; the message says why
   */
  LoadResult run(@Nullable Instant begin, LoadListener listener)
      throws IOException, InterruptedException {
    Crew.Outcome outcome = crew.run(begin, listener);
    lost = outcome.lost();
    if (outcome.results().isEmpty()) {
      throw new IOException(
          "no worker has measured anything" + (lost.isEmpty() ? "" : "; " + told()));
    }
    reportEach(outcome.results());
    lost.keySet().forEach(logs::remove);
    return Merge.of(outcome.results(), segment, outcome.results().size() + lost.size(), lost);
  }

  /** The sum of the interval logs of workers that were not lost. */
  LogMerge logs() throws IOException {
    LogMerge merge = new LogMerge();
    for (Path log : logs.values()) {
      merge.add(log);
    }
    return merge;
  }

  /** Throws if a worker was lost, because its results are missing from the report. */
  void requireAll() throws IOException {
    if (!lost.isEmpty()) {
      throw new IOException(told());
    }
  }

  private String told() {
    List<String> all = new ArrayList<>();
    lost.forEach(
        (own, why) -> all.add("the worker " + (names.containsKey(own) ? names.get(own) + " " : "")
            + "of segment " + own + " was lost: " + why));
    return String.join("; ", all);
  }

  /** Ends the load early. */
  void stop() {
    crew.stop();
  }

  @Override
  public void close() throws IOException {
    crew.close();
    for (Path log : logs.values()) {
      Files.deleteIfExists(log);
    }
  }
}
