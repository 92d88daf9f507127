package heddle.bench.experiment;

import heddle.bench.driver.Protocol;
import heddle.bench.driver.Trust;
import heddle.bench.driver.Wire;
import heddle.bench.result.LoadKind;
import heddle.bench.server.Serving;
import heddle.load.Extent;
import heddle.load.Pace;
import heddle.load.Pace.Arrivals;
import heddle.load.schedule.RateCurve;
import heddle.load.schedule.Stage;
import heddle.load.schedule.Think;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the cells of an experiment. */
final class CellReader {

  private static final Pattern SCALED_PATH = Pattern.compile("(\\S*/)(\\d+\\s+scaled.*)");
  private static final Pattern PATH = Pattern.compile("/\\S*");
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9.-]*");
  private static final String REQUESTS = "requests-per-connection";
  private static final String EXPONENTIAL = "exp ";
  private static final int MOST = 1_000_000;

  /** Shorter than any batch, so that the warm-up is one batch. */
  private static final String ONE_BATCH = "1 ms";

  /** The time of a fresh JVM, from its start to its end. */
  private static final Times FIRST = Times.lasting(Duration.ZERO, Duration.ofSeconds(1));

  private final double scale;
  private final @Nullable Target target;

  CellReader(double scale, @Nullable Target target) {
    this.scale = scale;
    this.target = target;
  }

  /** One cell, or if it has {@code each}, one for each combination of the values there. */
  List<Cell> read(YamlMap map) throws ExperimentException {
    YamlMap each = map.map("each");
    if (each == null) {
      return List.of(cell(map));
    }
    List<Map<String, String>> combinations = List.of(Map.of());
    for (String variable : each.names()) {
      List<String> values = each.texts(variable);
      if (values.isEmpty()) {
        throw each.wrong(variable, "it must be a list of values");
      }
      combinations = times(combinations, variable, values);
    }
    List<Cell> cells = new ArrayList<>();
    for (Map<String, String> combination : combinations) {
      YamlMap one = map.with(combination);
      one.has("each");
      one.has(ExperimentReader.FROM_SCALE);
      cells.add(cell(one));
    }
    return cells;
  }

  private static List<Map<String, String>> times(
      List<Map<String, String>> combinations, String variable, List<String> values) {
    List<Map<String, String>> more = new ArrayList<>();
    for (Map<String, String> combination : combinations) {
      for (String value : values) {
        Map<String, String> one = new LinkedHashMap<>(combination);
        one.put(variable, value);
        more.add(one);
      }
    }
    return more;
  }

  private Cell cell(YamlMap map) throws ExperimentException {
    String name = map.as("name", CellReader::name);
    String how = map.text("wire", "h1");
    Wire wire = wire(map, how);
    Ask ask = ask(map);
    YamlMap load = load(map);
    Share share = load.has("rate") ? Share.read(load.text("rate")) : null;
    Pace pace = pace(load, wire, share != null);
    boolean isFirst = load.has("first");
    Times times = isFirst ? FIRST : times(map, pace);
    List<String> flags = map.texts("jvm");
    Serving serving = serving(map, how);
    map.done();
    return new Cell(
        name,
        how.endsWith("tls"),
        wire,
        ask,
        pace,
        0,
        times,
        flags,
        share,
        serving,
        isFirst ? LoadKind.FIRST : Cell.kind(pace));
  }

  /** The server of the cell; null if the experiment has a target. */
  private @Nullable Serving serving(YamlMap map, String how) throws ExperimentException {
    Serving serving = ServingReader.read(map);
    Target asked = target;
    if (asked == null) {
      return serving == null ? Serving.HEDDLE : serving;
    }
    if (serving != null) {
      throw map.wrong("server", "the experiment has a target, which serves all");
    }
    if (asked.isTls() != how.endsWith("tls")) {
      throw map.wrong(
          "wire",
          "the target is " + asked.base() + ": give "
              + (asked.isTls() ? "h1tls or h2tls" : "h1 or h2"));
    }
    return null;
  }

  private static String name(String text) {
    if (!NAME.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "a name has small letters, digits, points and hyphens, such as paced-1k, not " + text);
    }
    return text;
  }

  private Wire wire(YamlMap map, String how) throws ExperimentException {
    Protocol protocol =
        switch (how) {
          case "h1", "h1tls" -> Protocol.HTTP_1_1;
          case "h2", "h2tls" -> Protocol.HTTP_2;
          default -> throw map.wrong("wire", "it must be h1, h1tls, h2 or h2tls, not " + how);
        };
    int connections = map.as("connections", "1", this::count);
    int streams = map.as("streams", "1", this::count);
    int requests = map.has(REQUESTS) ? map.as(REQUESTS, this::count) : 0;
    if (requests > 0 && (protocol == Protocol.HTTP_2 || streams > 1)) {
      throw map.wrong(REQUESTS, "it is for HTTP/1.1 without pipelining only");
    }
    return new Wire(protocol, connections, streams, requests, new Trust.Default());
  }

  private int count(String text) {
    long count = Quantity.count(text, scale);
    if (count < 1 || count > MOST) {
      throw new IllegalArgumentException("it must be 1 to " + MOST + ", not " + text);
    }
    return (int) count;
  }

  private Ask ask(YamlMap map) throws ExperimentException {
    if (map.has("get") == map.has("post")) {
      throw map.wrong("it must have one of get and post, with a path such as /hello");
    }
    int answer = map.as("answer", "-1", text -> text.equals("-1") ? -1 : Quantity.bytes(text));
    if (map.has("get")) {
      if (map.has("content")) {
        throw map.wrong("content", "a get has none: give post");
      }
      return Ask.get(map.as("get", this::path), answer);
    }
    int content = map.as("content", Quantity::bytes);
    if (content == 0) {
      throw map.wrong("content", "a post has 1 B or more");
    }
    String type = map.has("content-type") ? map.text("content-type") : null;
    return new Ask(map.as("post", this::path), content, answer, type);
  }

  /** The number at its end may be scaled: {@code /delay/5000 scaled}. */
  private String path(String text) {
    Matcher scaled = SCALED_PATH.matcher(text);
    String path =
        scaled.matches() ? scaled.group(1) + Quantity.count(scaled.group(2), scale) : text;
    if (!PATH.matcher(path).matches()) {
      throw new IllegalArgumentException(
          "it must be a path such as /hello or /delay/5000 scaled, not " + text);
    }
    return path;
  }

  private static YamlMap load(YamlMap map) throws ExperimentException {
    YamlMap load = map.map("load");
    if (load == null) {
      throw map.wrong("it lacks the key load, such as load: {callers: 64}");
    }
    long given = List.of("callers", "rate", "stages", "batch", "hold", "first").stream()
        .filter(load::has)
        .count();
    if (given != 1) {
      throw load.wrong("it must have one of callers, rate, stages, batch, hold and first");
    }
    return load;
  }

  /** If the rate is a share of another cell's, a placeholder stands in until that is known. */
  private Pace pace(YamlMap load, Wire wire, boolean isShared) throws ExperimentException {
    Pace pace;
    if (load.has("callers")) {
      pace = new Pace.Closed(load.as("callers", this::count), load.as("think", "0", this::think));
    } else if (load.has("first")) {
      pace = load.as("first", CellReader::first);
    } else if (load.has("batch")) {
      pace = new Pace.Batch(load.as("batch", this::count));
    } else if (load.has("hold")) {
      pace = held(load, wire);
    } else {
      RateCurve curve = load.has("rate")
          ? load.as("rate", text -> RateCurve.constant(isShared ? 1 : Quantity.rate(text)))
          : stages(load);
      pace = new Pace.Open(
          curve,
          load.as("arrivals", "constant", CellReader::arrivals),
          Pace.Open.DEFAULT_SEED,
          wire.exchanges(),
          load.as("max-in-flight", "" + Pace.Open.DEFAULT_MAX_IN_FLIGHT, this::count));
    }
    load.done();
    return pace;
  }

  private Pace held(YamlMap load, Wire wire) throws ExperimentException {
    int count = load.as("hold", this::count);
    if (count > wire.exchanges()) {
      throw load.wrong(
          "hold",
          count + " cannot be held at once by " + wire.connections() + " connections with "
              + wire.streams() + " at a time each: give more of them");
    }
    return new Pace.Held(count);
  }

  private static Pace first(String text) {
    if (!text.equals("true")) {
      throw new IllegalArgumentException("it must be true, not " + text);
    }
    return new Pace.Closed(1);
  }

  private Think think(String text) {
    boolean isExponential = text.startsWith(EXPONENTIAL);
    if (text.equals("0")) {
      return Think.NONE;
    }
    Duration mean =
        Quantity.time(isExponential ? text.substring(EXPONENTIAL.length()) : text, scale);
    return new Think(mean, isExponential, Pace.Open.DEFAULT_SEED);
  }

  private static Arrivals arrivals(String text) {
    return switch (text) {
      case "constant" -> Arrivals.CONSTANT;
      case "poisson" -> Arrivals.POISSON;
      default -> throw new IllegalArgumentException("it must be constant or poisson, not " + text);
    };
  }

  private RateCurve stages(YamlMap load) throws ExperimentException {
    List<Stage> stages = new ArrayList<>();
    for (YamlMap each : load.maps("stages")) {
      double from = each.as("from", Quantity::rate);
      double to = each.has("to") ? each.as("to", Quantity::rate) : from;
      Duration lasting = each.as("for", text -> Quantity.time(text, scale));
      each.done();
      stages.add(new Stage(from, to, lasting));
    }
    try {
      return new RateCurve(stages);
    } catch (IllegalArgumentException e) {
      throw load.wrong("stages", String.valueOf(e.getMessage()));
    }
  }

  private Times times(YamlMap map, Pace pace) throws ExperimentException {
    String usual =
        switch (pace) {
          case Pace.Closed _ -> "3 s";
          case Pace.Open _ -> "1 s";
          case Pace.Batch _ -> ONE_BATCH;
          case Pace.Held _ -> "0 s";
        };
    Duration warmUp = map.as("warm-up", usual, text -> Quantity.time(text, scale));
    if (pace instanceof Pace.Held && !warmUp.isZero()) {
      throw map.wrong("warm-up", "requests that are held have none");
    }
    Times.Callers callers = callers(map, pace);
    if (pace instanceof Pace.Batch(int size) && map.has("times")) {
      if (map.has("for")) {
        throw map.wrong("times", "give times or for, not both");
      }
      int repetitions = map.as("times", this::count);
      Duration expected = map.as("takes", "5 s", text -> Quantity.time(text, scale));
      Extent all = new Extent.Requests((long) repetitions * size);
      return new Times(warmUp, all, expected, callers);
    }
    Duration measured = map.as("for", text -> Quantity.time(text, scale));
    if (measured.isZero()) {
      throw map.wrong("for", "it must be above zero");
    }
    return new Times(warmUp, new Extent.Lasting(measured), measured, callers);
  }

  /** The callers that warm up before a load that is not closed. */
  private Times.@Nullable Callers callers(YamlMap map, Pace pace) throws ExperimentException {
    YamlMap before = map.map("warmed-by");
    if (before == null) {
      return null;
    }
    if (pace instanceof Pace.Closed) {
      throw map.wrong("warmed-by", "callers that wait for their answers warm up by themselves");
    }
    Duration most = before.as("for", text -> Quantity.time(text, scale));
    int count = before.as("callers", this::count);
    before.done();
    return new Times.Callers(count, most);
  }
}
