package heddle.bench.crew;

import heddle.bench.load.LoadProgress;
import heddle.bench.report.Fields;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.jr.ob.JSON;

/** What a member of a crew says on its standard output, a line for each. */
public sealed interface MemberLine {

  /** Everything is open; it waits for the time to begin. */
  record Ready() implements MemberLine {}

  /** How far it is. */
  record Going(LoadProgress progress) implements MemberLine {}

  /** What it has measured: the JSON of a result. It says no more. */
  record Result(String json) implements MemberLine {}

  /** Such as {@code ready}. */
  String READY = "ready";

  /** Begins a line that tells how far it is. */
  String GOING = "going ";

  /** How progress is written. */
  static String of(LoadProgress progress) throws IOException {
    var map = new LinkedHashMap<String, Object>();
    map.put("nanos", progress.elapsed().toNanos());
    map.put("fraction", progress.fraction());
    map.put("answered", progress.answered());
    map.put("failed", progress.failed());
    map.put("rate", progress.requestsPerSecond());
    map.put("inFlight", progress.inFlight());
    map.put("lag", progress.sendLagMicros());
    return GOING + JSON.std.asString(map);
  }

  /**
   * Reads a line.
   *
   * @throws IllegalArgumentException when it is none of these
   */
  static MemberLine parse(String line) {
    if (line.equals(READY)) {
      return new Ready();
    }
    if (!line.startsWith(GOING)) {
      if (line.startsWith("{")) {
        return new Result(line);
      }
      throw new IllegalArgumentException("it said: " + line);
    }
    try {
      Map<String, Object> map = JSON.std.mapFrom(line.substring(GOING.length()));
      Fields fields = new Fields(map);
      return new Going(new LoadProgress(
          Duration.ofNanos(fields.number("nanos").longValue()),
          fields.number("fraction").doubleValue(),
          fields.number("answered").longValue(),
          fields.number("failed").longValue(),
          fields.number("rate").doubleValue(),
          fields.number("inFlight").longValue(),
          fields.number("lag").doubleValue()));
    } catch (JacksonException e) {
      throw new IllegalArgumentException("it said: " + line, e);
    }
  }
}
