package heddle.load.cluster.crew;

import heddle.load.LoadProgress;
import heddle.load.cluster.merge.Fields;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.jr.ob.JSON;

/** A line that a member of a crew writes to its standard output. */
public sealed interface MemberLine {

  /** All connections are open; the member waits for the order to start. */
  record Ready() implements MemberLine {}

  /** The progress of the load. */
  record Going(LoadProgress progress) implements MemberLine {}

  /** The JSON of the result. This is the last line. */
  record Result(String json) implements MemberLine {}

  /** The line of {@link Ready}. */
  String READY = "ready";

  /** The prefix of a line of {@link Going}. */
  String GOING = "going ";

  /** Writes progress as a line. */
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
   * @throws IllegalArgumentException if it is none of these
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
