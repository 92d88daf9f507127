package heddle.cli.otlp;

import heddle.http.Request;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that send metrics to a collector. What they need is loaded only with them. */
public final class OtlpOptions {

  @Option(
      names = "--otlp",
      paramLabel = "URL",
      description = "Send metrics to a collector of OpenTelemetry, by OTLP over HTTP:"
          + " http://127.0.0.1:4318. A load sends them every 5 s and at its end.")
  private @Nullable String collector;

  @Option(
      names = "--otlp-header",
      paramLabel = "NAME: VALUE",
      description = "A field of the requests to it, beside OTEL_EXPORTER_OTLP_HEADERS.")
  private List<String> headers = List.of();

  /**
   * Where metrics go; null where they go nowhere.
   *
   * @throws IllegalArgumentException when options or the environment are wrong
   */
  @Nullable
  public OtlpSettings settings() {
    String url = collector;
    if (url != null) {
      return OtlpSettings.of(url, headers, System.getenv());
    }
    if (!headers.isEmpty()) {
      throw new IllegalArgumentException("--otlp-header needs --otlp");
    }
    return null;
  }

  /** Begins to send the metrics of a load; null where there is nobody to send them to. */
  public static @Nullable LoadExport export(
      @Nullable OtlpSettings settings,
      List<Request> requests,
      Consumer<String> meanwhile,
      Consumer<String> atEnd) {
    return settings == null
        ? null
        : new LoadExport(settings, LoadTags.of(requests), meanwhile, atEnd);
  }
}
