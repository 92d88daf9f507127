package heddle.bench.worker;

import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.Protocol;
import heddle.bench.driver.Trust;
import heddle.bench.driver.Wire;
import heddle.load.Extent;
import heddle.load.LoadPlan;
import heddle.load.Pace;
import heddle.load.Pace.Arrivals;
import heddle.load.schedule.RateCurve;
import heddle.load.schedule.Stage;
import heddle.load.schedule.Strand;
import heddle.load.schedule.Think;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Converts a load to and from plain JSON values. */
final class PlanJson {

  private static final String EVERYTHING = "*";

  private PlanJson() {}

  static Map<String, Object> write(LoadPlan plan) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("uri", plan.uri().toString());
    fields.put("contentLength", plan.request().contentLength());
    fields.put("expectedLength", plan.request().expectedLength());
    if (plan.request().contentType() != null) {
      fields.put("contentType", plan.request().contentType());
    }
    fields.put("protocol", plan.wire().protocol().name());
    fields.put("connections", plan.wire().connections());
    fields.put("streams", plan.wire().streams());
    switch (plan.wire().trust()) {
      case Trust.Default _ -> {
        // Omitted.
      }
      case Trust.Pem(Path certificates) -> fields.put("trust", certificates.toString());
      case Trust.Everything _ -> fields.put("trust", EVERYTHING);
    }
    switch (plan.pace()) {
      case Pace.Closed(int callers, Think think) -> {
        fields.put("callers", callers);
        fields.put("thinkNanos", think.mean().toNanos());
        fields.put("thinkExponential", think.exponential());
        fields.put("seed", think.seed());
      }
      case Pace.Open open -> {
        fields.put("stages", stages(open.rate()));
        fields.put("arrivals", open.arrivals().name());
        fields.put("seed", open.seed());
        fields.put("inFlight", open.inFlight());
        fields.put("maxInFlight", open.maxInFlight());
      }
      case Pace.Batch(int size) -> fields.put("batch", size);
      case Pace.Held(int count) -> fields.put("held", count);
    }
    switch (plan.extent()) {
      case Extent.Requests(long count) -> fields.put("requests", count);
      case Extent.Lasting(Duration duration) -> fields.put("nanos", duration.toNanos());
    }
    fields.put("warmUpNanos", plan.warmUp().toNanos());
    fields.put("strand", plan.strand().toString());
    return fields;
  }

  /** The stages as a flat list of from, to and duration. */
  private static List<Number> stages(RateCurve curve) {
    List<Number> numbers = new ArrayList<>();
    for (Stage stage : curve.stages()) {
      numbers.add(stage.from());
      numbers.add(stage.to());
      numbers.add(stage.duration().toNanos());
    }
    return numbers;
  }

  /** Throws {@link IllegalArgumentException} if a value is missing or invalid. */
  static LoadPlan read(Map<?, ?> fields) {
    DriverRequest request = new DriverRequest(
        URI.create(text(fields, "uri")),
        number(fields, "contentLength").intValue(),
        number(fields, "expectedLength").longValue(),
        fields.containsKey("contentType") ? text(fields, "contentType") : null);
    Wire wire = new Wire(
        Protocol.valueOf(text(fields, "protocol")),
        number(fields, "connections").intValue(),
        number(fields, "streams").intValue(),
        trust(fields));
    Extent extent = fields.containsKey("requests")
        ? new Extent.Requests(number(fields, "requests").longValue())
        : new Extent.Lasting(Duration.ofNanos(number(fields, "nanos").longValue()));
    Duration warmUp = Duration.ofNanos(number(fields, "warmUpNanos").longValue());
    Strand strand = Strand.parse(text(fields, "strand"));
    return new LoadPlan(request, wire, pace(fields), extent, warmUp, strand);
  }

  private static Pace pace(Map<?, ?> fields) {
    if (fields.containsKey("batch")) {
      return new Pace.Batch(number(fields, "batch").intValue());
    }
    if (fields.containsKey("held")) {
      return new Pace.Held(number(fields, "held").intValue());
    }
    if (fields.containsKey("stages")) {
      return new Pace.Open(
          curve(fields),
          Arrivals.valueOf(text(fields, "arrivals")),
          number(fields, "seed").longValue(),
          number(fields, "inFlight").intValue(),
          number(fields, "maxInFlight").intValue());
    }
    Think think = new Think(
        Duration.ofNanos(number(fields, "thinkNanos").longValue()),
        Boolean.TRUE.equals(fields.get("thinkExponential")),
        number(fields, "seed").longValue());
    return new Pace.Closed(number(fields, "callers").intValue(), think);
  }

  private static RateCurve curve(Map<?, ?> fields) {
    if (!(fields.get("stages") instanceof List<?> all) || all.size() % 3 != 0) {
      throw new IllegalArgumentException("a worker's load has malformed stages");
    }
    List<Stage> stages = new ArrayList<>();
    for (int i = 0; i < all.size(); i += 3) {
      Duration duration = Duration.ofNanos(((Number) all.get(i + 2)).longValue());
      double from = ((Number) all.get(i)).doubleValue();
      stages.add(new Stage(from, ((Number) all.get(i + 1)).doubleValue(), duration));
    }
    return new RateCurve(stages);
  }

  private static Trust trust(Map<?, ?> fields) {
    if (!fields.containsKey("trust")) {
      return new Trust.Default();
    }
    String trust = text(fields, "trust");
    return trust.equals(EVERYTHING) ? new Trust.Everything() : new Trust.Pem(Path.of(trust));
  }

  private static Number number(Map<?, ?> fields, String name) {
    if (fields.get(name) instanceof Number number) {
      return number;
    }
    throw new IllegalArgumentException("a worker's load lacks the number " + name);
  }

  private static String text(Map<?, ?> fields, String name) {
    if (fields.get(name) instanceof String text) {
      return text;
    }
    throw new IllegalArgumentException("a worker's load lacks " + name);
  }
}
