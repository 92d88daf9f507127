package heddle.cli.otlp;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that send metrics to a collector. Its classes are loaded only if they are used. */
public final class OtlpOptions {

  @Option(
      names = "--otlp",
      paramLabel = "URL",
      description = "Send metrics to an OpenTelemetry collector, by OTLP over HTTP:"
          + " http://127.0.0.1:4318. A load sends them every 5 s and at its end.")
  private @Nullable String collector;

  @Option(
      names = "--otlp-header",
      paramLabel = "NAME: VALUE",
      description = "A field of its requests, in addition to OTEL_EXPORTER_OTLP_HEADERS.")
  private List<String> headers = List.of();

  /**
   * The settings of the export; null if there is none.
   *
   * @throws IllegalArgumentException if options or the environment are wrong
   */
  @Nullable
  public OtlpSettings settings() {
    if (collector != null) {
      return OtlpSettings.of(collector, headers, System.getenv());
    }
    if (!headers.isEmpty()) {
      throw new IllegalArgumentException("--otlp-header needs --otlp");
    }
    return null;
  }
}
