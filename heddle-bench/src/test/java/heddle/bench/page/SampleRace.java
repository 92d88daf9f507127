package heddle.bench.page;

import heddle.bench.result.CellInfo;
import heddle.bench.result.Design;
import heddle.bench.result.Effects;
import heddle.bench.result.Environment;
import heddle.bench.result.Figure;
import heddle.bench.result.LoadKind;
import heddle.bench.result.Measurement;
import heddle.bench.result.Medians;
import heddle.bench.result.Method;
import heddle.bench.result.RaceResult;
import heddle.bench.result.Recording;
import heddle.bench.result.Run;
import heddle.bench.result.RunFigures;
import heddle.bench.result.Series;
import heddle.bench.result.Soundness;
import heddle.bench.result.Story;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** A race that looks like a real one; its figures are drawn, and say nothing of any client. */
final class SampleRace {

  static final long SEED = 20_260_102;

  private static final int ROUNDS = 5;

  /**
   * A made-up client.
   *
   * @param speed beside the baseline: 2 is twice as fast
   * @param memory beside the baseline
   * @param isJvm whether it has a heap
   * @param noise of its figures, as a share
   */
  private record Made(String name, double speed, double memory, boolean isJvm, double noise) {}

  private static final Design DESIGN =
      new Design(Method.FRESH, "tuned", ROUNDS, SEED, "heddle", true);

  private static final List<Made> CLIENTS = List.of(
      new Made("heddle", 1, 1, true, 0.02),
      new Made("heddle-async", 0.97, 1.05, true, 0.02),
      new Made("netty", 1.16, 0.7, true, 0.03),
      new Made("jdk", 0.52, 2.6, true, 0.03),
      new Made("okhttp", 0.45, 2.2, true, 0.05),
      new Made("apache", 0.61, 1.9, true, 0.04),
      new Made("jetty", 0.7, 1.5, true, 0.12),
      new Made("wrk", 1.6, 0, false, 0.02),
      new Made("heddle(control)", 1, 1, true, 0.02));

  private static final List<CellInfo> CELLS = List.of(
      http1("h1-16", 16, "/hello", LoadKind.CLOSED, 16),
      http1("h1-64", 64, "/hello", LoadKind.CLOSED, 64),
      http1("h1-512", 512, "/hello", LoadKind.CLOSED, 512),
      http1("paced-1k", 2_000, "/delay/1000", LoadKind.OPEN, 1_000),
      http2("get-1k-h2tls", 1 << 10),
      http2("get-64k-h2tls", 1 << 16),
      http2("get-1m-h2tls", 1 << 20));

  private static final Story STORY = new Story(
      "paced-1k",
      "A thousand requests a second, each answered after a second",
      "Callers that block hold a thousand requests at any time. The question is what carries them:"
          + " a platform thread each, or a virtual one.",
      0.1,
      List.of(
          new Story.Then("Apache, a platform thread each", "maximum and average", "7139, 2359 ms"),
          new Story.Then("Apache, a fiber each", "maximum and average", "1138, 1002 ms")),
      new Story.Chart(Figure.CPU, List.of("h1-64", "paced-1k")));

  private static CellInfo http1(
      String name, int connections, String path, LoadKind kind, int inFlight) {
    return new CellInfo(name, "HTTP/1.1", false, connections, 1, "GET", path, 6, kind, inFlight);
  }

  private static CellInfo http2(String name, long bytes) {
    return new CellInfo(
        name, "HTTP/2", true, 1, 4, "GET", "/bytes/" + bytes, bytes, LoadKind.CLOSED, 4);
  }

  private final SplittableRandom random = new SplittableRandom(SEED);

  private SampleRace() {}

  static RaceResult result() {
    return new SampleRace().make();
  }

  /** A race of two cells, such as the usual one. */
  static RaceResult ofCells() {
    RaceResult all = result();
    List<String> cells = List.of("h1-64", "get-1k-h2tls");
    return new RaceResult(
        all.environment(),
        all.results().stream()
            .filter(each -> cells.contains(each.cell().name()))
            .map(SampleRace::brief)
            .toList(),
        all.failures(),
        all.omissions());
  }

  /** Runs of a second are too short for a series. */
  private static Measurement brief(Measurement of) {
    List<Run> runs = new ArrayList<>();
    for (Run each : of.runs()) {
      Recording recording = each.recording();
      runs.add(new Run(
          each.round(),
          each.figures(),
          each.soundness(),
          new Recording(
              recording.response(),
              recording.service(),
              recording.sendLag(),
              Series.NONE,
              null,
              recording.failures(),
              recording.remarks())));
    }
    return new Measurement(of.cell(), of.client(), runs, of.medians(), of.effects());
  }

  private RaceResult make() {
    List<Measurement> measurements = new ArrayList<>();
    for (CellInfo cell : CELLS) {
      double[] rounds = random.doubles(ROUNDS, 0.85, 1.1).toArray();
      for (Made client : CLIENTS) {
        if (!(client.name().equals("apache") && cell.protocol().equals("HTTP/2"))) {
          measurements.add(Medians.of(cell, client.name(), runs(cell, client, rounds)));
        }
      }
    }
    return new RaceResult(
        environment(),
        Effects.of(measurements, DESIGN),
        List.of("h1-512 jetty, round 4: 37 requests failed: 30 ConnectException, 7 timeout"),
        List.of(
            "apache in get-1k-h2tls: its blocking client has no HTTP/2",
            "apache in get-64k-h2tls: its blocking client has no HTTP/2",
            "apache in get-1m-h2tls: its blocking client has no HTTP/2"),
        STORY,
        false);
  }

  private List<Run> runs(CellInfo cell, Made client, double[] rounds) {
    List<Run> runs = new ArrayList<>();
    for (int i = 0; i < rounds.length; i++) {
      boolean isInvalid = client.name().equals("okhttp") && cell.name().equals("h1-64") && i == 2;
      boolean isNoisy = client.name().equals("jdk") && i == 1;
      Soundness soundness = isInvalid
          ? new Soundness.Invalid(
              List.of("the client counted 81,022 answers, the server 80,112 requests"))
          : isNoisy
              ? new Soundness.Noisy(List.of("other programs took 14% of the cores' time"))
              : new Soundness.Valid();
      double mood = rounds[i] * (isInvalid ? 0.4 : 1);
      RunFigures figures = figures(cell, client, mood, i);
      runs.add(new Run(i + 1, figures, soundness, recording(cell, client, figures)));
    }
    return runs;
  }

  private Recording recording(CellInfo cell, Made client, RunFigures figures) {
    Double median = figures.of(Figure.P50);
    if (!client.isJvm() || median == null) {
      return Recording.NONE;
    }
    Recording recording = SampleRecording.of(
        random, median, figures.requestsPerSecond(), client.memory(), cell.kind() == LoadKind.OPEN);
    return figures.errorsByCause().isEmpty() ? recording : SampleRecording.failing(recording);
  }

  private RunFigures figures(CellInfo cell, Made client, double mood, int round) {
    boolean isOpen = cell.kind() == LoadKind.OPEN;
    double weight = 1 + cell.contentBytes() / 20_000.0;
    double strain = 1 + Math.log(cell.inFlight() / 16.0 + 1) / 8;
    double rate = 48_000 * client.speed() * mood / weight / strain;
    Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    figures.put(Figure.RATE, isOpen ? 1_000 * near(0.001) : rate * near(client.noise()));
    double latency = isOpen ? 1_000_400 / client.speed() : 1e6 * cell.inFlight() / rate;
    figures.put(Figure.P50, latency * near(client.noise()));
    figures.put(Figure.P99, latency * 2.4 * near(4 * client.noise()));
    figures.put(Figure.MEAN, latency * 1.1 * near(client.noise()));
    figures.put(Figure.MAX, latency * 6 * near(6 * client.noise()));
    figures.put(Figure.ANSWERED, Math.rint(isOpen ? 10_000 : 2 * rate));
    figures.put(Figure.CPU, 19 * weight * strain / client.speed() / mood * near(client.noise()));
    figures.put(Figure.PEAK_RSS, (40 + 60 * client.memory()) * (1 << 20) * near(0.03));
    if (client.isJvm()) {
      figures.put(Figure.ALLOCATED, 1_100 * weight * client.memory() * near(0.004));
      figures.put(Figure.PEAK_HEAP, 52e6 * client.memory() * near(0.1));
      figures.put(Figure.LIVE_SET, 6e6 * client.memory() * near(0.02));
      figures.put(Figure.GC_COUNT, Math.rint(8 * client.memory() * near(0.2)));
      figures.put(Figure.GC_MILLIS, Math.rint(20 * client.memory() * near(0.3)));
      figures.put(Figure.THREADS, client.name().equals("okhttp") ? 96.0 : 18 + 4 * client.memory());
      figures.put(Figure.VOLUNTARY_SWITCHES, 0.12 / client.speed() * near(0.1));
      figures.put(Figure.COMPILING, 0.02 * near(0.3));
    }
    figures.put(Figure.CONNECTIONS, (double) cell.connections());
    if (!cell.protocol().equals("HTTP/2")) {
      figures.put(Figure.SERVER_REQUESTS, Math.rint(2.1 * rate));
    }
    figures.put(Figure.STEAL, 0.01 * near(0.5));
    return new RunFigures(figures, errors(cell, client, round));
  }

  private static Map<String, Long> errors(CellInfo cell, Made client, int round) {
    return client.name().equals("jetty") && cell.name().equals("h1-512") && round == 3
        ? Map.of("ConnectException", 30L, "timeout", 7L)
        : Map.of();
  }

  /** A factor around 1 that differs by about so much. */
  private double near(double noise) {
    double sum = 0;
    for (int i = 0; i < 6; i++) {
      sum += random.nextDouble(-1, 1);
    }
    return Math.max(0.1, 1 + noise * sum / 1.4);
  }

  private static Environment environment() {
    Map<String, String> versions = new LinkedHashMap<>(new TreeMap<>(Map.of(
        "apache", "5.5",
        "heddle", "0.1.0-SNAPSHOT",
        "jdk", "25.0.1",
        "jetty", "12.1.2",
        "netty", "4.2.7.Final",
        "okhttp", "5.2.1",
        "wrk", "4.1.0 & epoll")));
    return new Environment(
        "2026-01-02T03:04:05Z",
        "OpenJDK 64-Bit Server VM 25.0.1+8",
        "Linux 6.12.0",
        "A processor <of two cores> & no more",
        2,
        "0",
        "1",
        List.of("-Xmx512m", "-XX:+UseSerialGC"),
        versions,
        Map.of("HTTP/1.1", "heddle", "HTTP/2 over TLS", "nghttpd 1.52.0"),
        DESIGN,
        1_812.4);
  }
}
