package heddle.bench.worker;

import java.io.IOException;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.jr.ob.JSON;

/** An answer of a worker, one line of JSON on its standard output. */
public sealed interface WorkerAnswer {

  /** The worker's first line: its client. */
  record Hello(String client, String version) implements WorkerAnswer {}

  /** The order was carried out. */
  record Done() implements WorkerAnswer {}

  /** The client cannot run the load, for this reason. */
  record Refusal(String reason) implements WorkerAnswer {}

  /** The measurement of a load. */
  record Measured(WorkerReport report) implements WorkerAnswer {}

  /** The order could not be carried out; the worker accepts further ones. */
  record Failure(String cause) implements WorkerAnswer {}

  /** The answer as one line. */
  default String toJson() {
    return JSON.std.asString(
        switch (this) {
          case Hello(String client, String version) ->
            Map.of("answer", "Hello", "client", client, "version", version);
          case Done _ -> Map.of("answer", "Done");
          case Refusal(String reason) -> Map.of("answer", "Refusal", "reason", reason);
          case Measured(WorkerReport report) ->
            Map.of("answer", "Measured", "report", report.toJson());
          case Failure(String cause) -> Map.of("answer", "Failure", "cause", cause);
        });
  }

  /**
   * Reads the output of {@link #toJson}.
   *
   * @throws IOException if it is malformed
   */
  static WorkerAnswer parse(String json) throws IOException {
    Map<String, Object> fields;
    try {
      fields = JSON.std.mapFrom(json);
    } catch (JacksonException e) {
      throw new IOException("a worker's answer is not a JSON object: " + json, e);
    }
    return switch (String.valueOf(fields.get("answer"))) {
      case "Hello" -> new Hello(text(fields, "client"), text(fields, "version"));
      case "Done" -> new Done();
      case "Refusal" -> new Refusal(text(fields, "reason"));
      case "Measured" -> new Measured(WorkerReport.parse(text(fields, "report")));
      case "Failure" -> new Failure(text(fields, "cause"));
      default -> throw new IOException("a worker gave an unknown answer: " + json);
    };
  }

  private static String text(Map<String, Object> fields, String name) throws IOException {
    if (fields.get(name) instanceof String text) {
      return text;
    }
    throw new IOException("a worker's answer lacks " + name + ": " + fields);
  }
}
