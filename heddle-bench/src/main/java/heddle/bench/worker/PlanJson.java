package heddle.bench.worker;

import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.Protocol;
import heddle.bench.driver.Trust;
import heddle.bench.driver.Wire;
import heddle.bench.load.Extent;
import heddle.bench.load.LoadPlan;
import heddle.bench.load.Pace;
import heddle.bench.load.Pace.Arrivals;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** A load as plain values that JSON has, and back. */
final class PlanJson {

  private static final String EVERYTHING = "*";

  private PlanJson() {}

  static Map<String, Object> write(LoadPlan plan) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("uri", plan.uri().toString());
    fields.put("contentLength", plan.request().contentLength());
    fields.put("expectedLength", plan.request().expectedLength());
    fields.put("protocol", plan.wire().protocol().name());
    fields.put("connections", plan.wire().connections());
    fields.put("streams", plan.wire().streams());
    switch (plan.wire().trust()) {
      case Trust.Default _ -> {
        // No word of it.
      }
      case Trust.Pem(Path certificates) -> fields.put("trust", certificates.toString());
      case Trust.Everything _ -> fields.put("trust", EVERYTHING);
    }
    switch (plan.pace()) {
      case Pace.Closed(int callers) -> fields.put("callers", callers);
      case Pace.Open(double rate, int inFlight, Arrivals arrivals) -> {
        fields.put("rate", rate);
        fields.put("inFlight", inFlight);
        fields.put("arrivals", arrivals.name());
      }
    }
    switch (plan.extent()) {
      case Extent.Requests(long count) -> fields.put("requests", count);
      case Extent.Lasting(Duration duration) -> fields.put("nanos", duration.toNanos());
    }
    fields.put("warmUpNanos", plan.warmUp().toNanos());
    return fields;
  }

  /** Throws {@link IllegalArgumentException} when a value is missing or cannot be used. */
  static LoadPlan read(Map<?, ?> fields) {
    DriverRequest request = new DriverRequest(
        URI.create(text(fields, "uri")),
        number(fields, "contentLength").intValue(),
        number(fields, "expectedLength").longValue());
    Wire wire = new Wire(
        Protocol.valueOf(text(fields, "protocol")),
        number(fields, "connections").intValue(),
        number(fields, "streams").intValue(),
        trust(fields));
    Pace pace = fields.containsKey("rate")
        ? new Pace.Open(
            number(fields, "rate").doubleValue(),
            number(fields, "inFlight").intValue(),
            Arrivals.valueOf(text(fields, "arrivals")))
        : new Pace.Closed(number(fields, "callers").intValue());
    Extent extent = fields.containsKey("requests")
        ? new Extent.Requests(number(fields, "requests").longValue())
        : new Extent.Lasting(Duration.ofNanos(number(fields, "nanos").longValue()));
    Duration warmUp = Duration.ofNanos(number(fields, "warmUpNanos").longValue());
    return new LoadPlan(request, wire, pace, extent, warmUp);
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
