package heddle.cli.otlp;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The settings of an export, from options and from the environment variables of OpenTelemetry's
 * specification.
 *
 * @param endpoint the URL that metrics are posted to
 * @param headers header fields of each request
 * @param resource attributes of this process, including {@code service.name}
 * @param exponential whether histograms have exponential rather than explicit buckets
 * @param interval the interval between two exports
 */
public record OtlpSettings(
    URI endpoint,
    Map<String, String> headers,
    Map<String, String> resource,
    boolean exponential,
    Duration interval) {

  private static final String PATH = "/v1/metrics";
  private static final Duration USUAL_INTERVAL = Duration.ofSeconds(5);

  /** Copies the maps. */
  public OtlpSettings {
    headers = Map.copyOf(headers);
    resource = Map.copyOf(resource);
  }

  /**
   * Reads the settings.
   *
   * @param collector the address of a collector, such as {@code http://127.0.0.1:4318}
   * @param given header fields such as {@code api-key: 1}; they override the environment
   * @throws IllegalArgumentException if a value is invalid; the message says what is allowed
   */
  public static OtlpSettings of(
      String collector, List<String> given, Map<String, String> environment) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.putAll(pairs(environment, "OTEL_EXPORTER_OTLP_HEADERS"));
    headers.putAll(pairs(environment, "OTEL_EXPORTER_OTLP_METRICS_HEADERS"));
    for (String header : given) {
      int colon = header.indexOf(':');
      if (colon < 1) {
        throw new IllegalArgumentException("--otlp-header takes NAME: VALUE, not " + header);
      }
      headers.put(
          header.substring(0, colon).strip(), header.substring(colon + 1).strip());
    }
    Map<String, String> resource = new LinkedHashMap<>();
    resource.put("service.name", "heddle");
    resource.putAll(pairs(environment, "OTEL_RESOURCE_ATTRIBUTES"));
    String name = environment.getOrDefault("OTEL_SERVICE_NAME", "");
    if (!name.isEmpty()) {
      resource.put("service.name", name);
    }
    String aggregation =
        environment.getOrDefault("OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION", "");
    return new OtlpSettings(
        endpoint(collector),
        headers,
        resource,
        !aggregation.equalsIgnoreCase("explicit_bucket_histogram"),
        interval(environment.getOrDefault("OTEL_METRIC_EXPORT_INTERVAL", "")));
  }

  /** Adds the path for metrics to the address of the collector, unless it has it already. */
  private static URI endpoint(String collector) {
    try {
      URI uri = new URI(collector);
      boolean isHttp =
          "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
      if (!isHttp || uri.getHost() == null || uri.getQuery() != null) {
        throw new IllegalArgumentException(
            "--otlp takes the URL of a collector such as http://127.0.0.1:4318, not " + collector);
      }
      String path = uri.getPath().replaceAll("/+$", "");
      return uri.resolve(path.endsWith(PATH) ? path : path + PATH);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("--otlp: not a URL: " + e.getMessage(), e);
    }
  }

  private static Duration interval(String millis) {
    if (millis.isEmpty()) {
      return USUAL_INTERVAL;
    }
    if (!millis.matches("[1-9]\\d{0,8}")) {
      throw new IllegalArgumentException(
          "OTEL_METRIC_EXPORT_INTERVAL takes milliseconds such as 5000, not " + millis);
    }
    return Duration.ofMillis(Long.parseLong(millis));
  }

  /** Reads a list of pairs such as {@code a=1,b=two%20words}. */
  private static Map<String, String> pairs(Map<String, String> environment, String variable) {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (String pair : environment.getOrDefault(variable, "").split(",", -1)) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        pairs.put(
            decoded(variable, pair.substring(0, equals)),
            decoded(variable, pair.substring(equals + 1)));
      } else if (!pair.isBlank()) {
        // The value may be a secret, so the message only has the name of the variable.
        throw new IllegalArgumentException(variable + " takes NAME=VALUE,NAME=VALUE");
      }
    }
    return pairs;
  }

  private static String decoded(String variable, String text) {
    try {
      return URLDecoder.decode(text.strip().replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(variable + " has a % without two hexadecimal digits", e);
    }
  }
}
