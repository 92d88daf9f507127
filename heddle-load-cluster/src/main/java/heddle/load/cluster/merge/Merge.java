package heddle.load.cluster.merge;

import heddle.load.ErrorCause;
import heddle.load.LoadReport;
import heddle.load.LoadShape;
import heddle.load.Pace;
import heddle.load.cluster.json.Json;
import heddle.load.record.Distribution;
import heddle.load.schedule.Segment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Adds the results of the segments of a load. Histograms are added bucket by bucket, so that
 * percentiles of the sum are those that a single process would have measured.
 */
public final class Merge {

  /**
   * Clocks synchronised by NTP agree better than this, while start times of JVMs differ by more.
   */
  private static final Duration MOST_APART = Duration.ofMillis(100);

  /** Above this share of the load's time its parts did not run together. */
  private static final double MOST_SHARE_APART = 0.05;

  private final List<LoadResult> parts;
  private final Segment whole;
  private final Map<Segment, String> missing;
  private final Instant begin;

  private Merge(List<LoadResult> parts, Segment whole, Map<Segment, String> missing) {
    this.parts = parts;
    this.whole = whole;
    this.missing = missing;
    this.begin = parts.stream()
        .map(part -> part.report().sending().begin())
        .min(Comparator.naturalOrder())
        .orElseThrow();
  }

  /**
   * Merges the segments of a load.
   *
   * @param parts the results of its segments
   * @param allowMissing whether some may be missing; the result is then partial
   * @throws IllegalArgumentException if they are not of one load, one is duplicated, or one is
   *     missing; the message says which
   */
  public static LoadResult of(List<LoadResult> parts, boolean allowMissing) {
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("there is no result to merge");
    }
    Segment whole = Segment.WHOLE;
    requireOneLoad(parts);
    List<Segment> missing = missing(parts, whole, parts.getFirst().segment().count());
    if (!missing.isEmpty() && !allowMissing) {
      throw new IllegalArgumentException(
          names(missing) + ": give all results, or --partial to merge without");
    }
    return new Merge(parts, whole, because(missing, Map.of())).result();
  }

  /**
   * Merges the parts of a segment that several processes made.
   *
   * @param parts the results of the processes that were not lost; at least one
   * @param whole the segment
   * @param processes the intended number of processes
   * @param lost why the others have no result
   */
  public static LoadResult of(
      List<LoadResult> parts, Segment whole, int processes, Map<Segment, String> lost) {
    requireOneLoad(parts);
    return new Merge(parts, whole, because(missing(parts, whole, processes), lost)).result();
  }

  private static Map<Segment, String> because(List<Segment> missing, Map<Segment, String> why) {
    var because = new LinkedHashMap<Segment, String>();
    missing.forEach(each -> because.put(each, why.getOrDefault(each, "")));
    return because;
  }

  private static void requireOneLoad(List<LoadResult> parts) {
    LoadResult first = parts.getFirst();
    Map<String, Object> plan = described(first);
    for (LoadResult other : parts) {
      Map<String, Object> otherPlan = described(other);
      var keys = new LinkedHashMap<String, Object>(plan);
      keys.putAll(otherPlan);
      for (String key : keys.keySet()) {
        if (!Objects.equals(plan.get(key), otherPlan.get(key))) {
          throw new IllegalArgumentException(other.source() + " is of another load than "
              + first.source() + ": its " + key + " is " + otherPlan.get(key) + ", not "
              + plan.get(key));
        }
      }
      if (other.segment().count() != first.segment().count()) {
        throw new IllegalArgumentException(other.source() + " is segment " + other.segment()
            + ", and " + first.source() + " is segment " + first.segment()
            + ": they are not of one load");
      }
    }
  }

  /** The load and its target as they are written, each value by its place, such as pace.seed. */
  private static Map<String, Object> described(LoadResult result) {
    var described = new LinkedHashMap<String, Object>();
    flatten("", Json.object(Json.line(result.target())), described);
    LoadJson.Plan plan = LoadJson.Plan.of(result.report().shape());
    flatten("", Json.object(Json.line(plan)), described);
    return described;
  }

  private static void flatten(String place, Object value, Map<String, Object> all) {
    switch (value) {
      case Map<?, ?> fields ->
        fields.forEach(
            (name, each) -> flatten(place.isEmpty() ? name + "" : place + "." + name, each, all));
      case List<?> list -> {
        for (int i = 0; i < list.size(); i++) {
          flatten(place + "[" + i + "]", list.get(i), all);
        }
      }
      default -> all.put(place, value);
    }
  }

  private static List<Segment> missing(List<LoadResult> parts, Segment whole, int processes) {
    var expected = new LinkedHashMap<Segment, String>();
    for (int process = 1; process <= processes; process++) {
      expected.put(whole.part(process, processes), "");
    }
    for (LoadResult part : parts) {
      String before = expected.put(part.segment(), part.source());
      if (before == null) {
        throw new IllegalArgumentException(
            part.source() + " is segment " + part.segment() + ", which is not a part of " + whole);
      }
      if (!before.isEmpty()) {
        throw new IllegalArgumentException(before + " and " + part.source() + " are both "
            + (part.segment().isWhole() ? "a whole load" : "segment " + part.segment()));
      }
    }
    return expected.entrySet().stream()
        .filter(each -> each.getValue().isEmpty())
        .map(Map.Entry::getKey)
        .toList();
  }

  private static String names(List<Segment> missing) {
    return (missing.size() == 1 ? "segment " : "segments ")
        + String.join(", ", missing.stream().map(Segment::toString).toList())
        + (missing.size() == 1 ? " is missing" : " are missing");
  }

  private LoadResult result() {
    LoadResult first = parts.getFirst();
    LoadShape shape = first.report().shape().withSegment(whole);
    return new LoadResult(
        "the merged result",
        first.target(),
        report(shape),
        String.join(", ", Hosts.names(parts)),
        parts.stream().mapToInt(LoadResult::processes).sum());
  }

  private LoadReport report(LoadShape shape) {
    LoadReport.Distributions recorded = distributions();
    LoadReport.Sending sending = sending();
    Duration duration = duration();
    long answered = total(LoadReport::answered);
    double seconds = shape.pace() instanceof Pace.Open
        ? shape.secondsOfSending(sending.count(), sending.seconds())
        : duration.toNanos() / 1e9;
    return new LoadReport(
        shape,
        duration,
        answered,
        total(LoadReport::bodyBytes),
        seconds > 0 ? answered / seconds : 0,
        recorded.response().latency(),
        recorded.service().latency(),
        recorded.sendLag().latency(),
        errors(),
        total(LoadReport::dropped),
        cutShort(),
        doubts(shape, duration),
        Hosts.cost(parts),
        batches(recorded),
        held(),
        recorded,
        sending);
  }

  private long total(ToLongFunction<LoadReport> figure) {
    return parts.stream().map(LoadResult::report).mapToLong(figure).sum();
  }

  /** From the beginning of the first part to the end of the last. */
  private Duration duration() {
    return Hosts.most(parts.stream()
        .map(LoadResult::report)
        .map(part -> Duration.between(begin, part.sending().begin()).plus(part.duration()))
        .toList());
  }

  private LoadReport.Sending sending() {
    long sent = 0;
    double seconds = 0;
    for (LoadResult part : parts) {
      LoadReport.Sending of = part.report().sending();
      double late = Duration.between(begin, of.begin()).toNanos() / 1e9;
      seconds = of.count() == 0 ? seconds : Math.max(seconds, late + of.seconds());
      sent += of.count();
    }
    return new LoadReport.Sending(begin, sent, seconds);
  }

  private LoadReport.Distributions distributions() {
    return new LoadReport.Distributions(
        sum(LoadReport.Distributions::response),
        sum(LoadReport.Distributions::service),
        sum(LoadReport.Distributions::sendLag),
        sum(LoadReport.Distributions::handOver),
        sum(LoadReport.Distributions::completion));
  }

  private Distribution sum(Function<LoadReport.Distributions, Distribution> which) {
    return Distribution.sum(
        parts.stream().map(part -> part.report().distributions()).map(which).toList());
  }

  private List<ErrorCause> errors() {
    var causes = new LinkedHashMap<List<Object>, ErrorCause>();
    for (LoadResult part : parts) {
      for (ErrorCause each : part.report().errors()) {
        causes.merge(
            List.of(each.kind(), each.phase(), each.cause()),
            each,
            (one, other) -> new ErrorCause(
                one.kind(), one.phase(), one.cause(), one.count() + other.count(), one.example()));
      }
    }
    return causes.values().stream()
        .sorted(Comparator.comparingLong(ErrorCause::count).reversed())
        .toList();
  }

  private static String said(LoadResult part, String text) {
    return part.segment().isWhole() ? text : "segment " + part.segment() + ": " + text;
  }

  private String cutShort() {
    List<String> why = new ArrayList<>();
    missing.forEach((segment, lost) ->
        why.add("segment " + segment + " is missing" + (lost.isEmpty() ? "" : ": " + lost)));
    for (LoadResult part : parts) {
      if (part.report().isPartial()) {
        why.add(said(part, part.report().cutShort()));
      }
    }
    return String.join("; ", why);
  }

  private List<String> doubts(LoadShape shape, Duration duration) {
    List<String> doubts = new ArrayList<>();
    for (LoadResult part : parts) {
      for (String doubt : part.report().doubts()) {
        doubts.add(said(part, doubt));
      }
    }
    doubts.addAll(Hosts.doubts(parts, shape.pace() instanceof Pace.Open));
    Duration apart = Hosts.most(parts.stream()
        .map(part -> Duration.between(begin, part.report().sending().begin()))
        .toList());
    if (apart.compareTo(MOST_APART) > 0
        && apart.toNanos() > MOST_SHARE_APART * duration.toNanos()) {
      doubts.add("the segments began up to " + apart.toMillis() / 1e3
          + " s apart by their clocks, and so were no one load: give all the same --start-at");
    }
    return doubts;
  }

  private LoadReport.@Nullable Batches batches(LoadReport.Distributions recorded) {
    List<LoadReport.Batches> all = parts.stream()
        .map(part -> part.report().batches())
        .filter(Objects::nonNull)
        .toList();
    return all.isEmpty()
        ? null
        : new LoadReport.Batches(
            all.stream().mapToLong(LoadReport.Batches::count).sum(),
            all.stream().mapToInt(LoadReport.Batches::size).max().orElse(0),
            all.stream().mapToLong(LoadReport.Batches::requests).sum(),
            // They were handed over at the same time, so that the slowest determines the whole.
            Hosts.most(all.stream().map(LoadReport.Batches::handingOver).toList()),
            recorded.handOver().latency(),
            recorded.completion().latency());
  }

  /** The parts may have had their maxima at different times; the sum is then not the maximum. */
  private LoadReport.@Nullable Held held() {
    List<LoadReport.Held> all = parts.stream()
        .map(part -> part.report().held())
        .filter(Objects::nonNull)
        .toList();
    if (all.isEmpty()) {
      return null;
    }
    List<String> why = new ArrayList<>();
    for (LoadResult part : parts) {
      LoadReport.Held held = part.report().held();
      if (held != null && !held.why().isEmpty()) {
        why.add(said(part, held.why()));
      }
    }
    if (all.stream().anyMatch(each -> each.most() != each.atEnd())) {
      why.add("the segments may have held their most at different times");
    }
    return new LoadReport.Held(
        all.stream().mapToInt(LoadReport.Held::asked).sum(),
        all.stream().mapToInt(LoadReport.Held::begun).sum(),
        all.stream().mapToLong(LoadReport.Held::most).sum(),
        all.stream().mapToLong(LoadReport.Held::atEnd).sum(),
        Hosts.most(all.stream().map(LoadReport.Held::beginning).toList()),
        Hosts.most(all.stream().map(LoadReport.Held::reachedAfter).toList()),
        String.join("; ", why));
  }
}
