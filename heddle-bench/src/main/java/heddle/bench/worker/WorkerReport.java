package heddle.bench.worker;

import heddle.bench.result.Figure;
import heddle.bench.result.Recording;
import heddle.bench.result.RecordingJson;
import heddle.bench.result.RunFigures;
import java.io.IOException;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.jr.ob.JSON;

/**
 * The result of one run of a client, as written to a worker's standard output.
 *
 * @param figures what was measured
 * @param exampleOfError the message of a failed request; empty if none failed
 * @param doubts why the figures do not count; empty if they do
 * @param recording what was recorded in addition to the figures
 */
public record WorkerReport(
    RunFigures figures, String exampleOfError, List<String> doubts, Recording recording) {

  /** Copies the list. */
  public WorkerReport {
    doubts = List.copyOf(doubts);
  }

  /** The report as one line. */
  public String toJson() {
    Map<String, Object> fields = new LinkedHashMap<>();
    Map<String, Double> values = new LinkedHashMap<>();
    figures.values().forEach((figure, value) -> values.put(figure.key(), value));
    fields.put("figures", values);
    fields.put("errorsByCause", figures.errorsByCause());
    fields.put("exampleOfError", exampleOfError);
    fields.put("doubts", doubts);
    fields.put("recording", RecordingJson.write(recording));
    return JSON.std.asString(fields);
  }

  /**
   * Reads the output of {@link #toJson}.
   *
   * @throws IOException if it is malformed
   */
  public static WorkerReport parse(String json) throws IOException {
    try {
      Map<String, Object> fields = JSON.std.mapFrom(json);
      if (fields.get("figures") instanceof Map<?, ?> values
          && fields.get("errorsByCause") instanceof Map<?, ?> causes
          && fields.get("doubts") instanceof List<?> doubts
          && fields.get("recording") instanceof Map<?, ?> recording) {
        Map<String, Long> errors = new LinkedHashMap<>();
        causes.forEach((cause, count) -> errors.put((String) cause, ((Number) count).longValue()));
        return new WorkerReport(
            new RunFigures(figures(values), errors),
            String.valueOf(fields.get("exampleOfError")),
            doubts.stream().map(String::valueOf).toList(),
            RecordingJson.read(recording));
      }
      throw new IOException(
          "a worker's report lacks its figures, errors, doubts or recording: " + json);
    } catch (JacksonException | ClassCastException | IllegalArgumentException e) {
      throw new IOException("a worker's report is malformed: " + json, e);
    }
  }

  private static Map<Figure, Double> figures(Map<?, ?> values) throws IOException {
    Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    for (Map.Entry<?, ?> each : values.entrySet()) {
      Figure figure = Figure.find(String.valueOf(each.getKey()));
      if (figure == null) {
        throw new IOException("a worker's report has no such figure: " + each.getKey());
      }
      figures.put(figure, ((Number) each.getValue()).doubleValue());
    }
    return figures;
  }
}
