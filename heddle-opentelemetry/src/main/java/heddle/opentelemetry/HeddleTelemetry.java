package heddle.opentelemetry;

import heddle.client.HttpClient;
import heddle.client.spi.AttemptFields;
import heddle.client.spi.ExchangeListener;
import heddle.http.Redaction;
import io.opentelemetry.api.OpenTelemetry;
import java.util.Set;

/**
 * Traces and measures the calls of clients, by the stable <a
 * href="https://opentelemetry.io/docs/specs/semconv/http/">semantic conventions for HTTP</a>.
 * Thread-safe.
 *
 * <ul>
 *   <li>Each attempt of a call is a span of kind client, a child of the context that was current
 *       when the call began; {@code http.request.resend_count} numbers those after the first. It
 *       ends when the request is sent again, when another one replaces it, for example after a
 *       redirect, or else with the call: with the last byte of the response's body.
 *   <li>The context of an attempt is sent with its request by the configured propagators.
 *   <li>Its duration is recorded in the histogram {@code http.client.request.duration}.
 * </ul>
 *
 * <p>The context of a call made by {@code sendAsync} is that of the thread that called it.
 */
public final class HeddleTelemetry {
  private final AttemptSpans spans;

  private HeddleTelemetry(Builder builder) {
    spans = new AttemptSpans(builder.telemetry, builder.redaction);
  }

  /** Builds a client whose calls are traced and measured. */
  public static HttpClient bind(HttpClient.Builder client, OpenTelemetry telemetry) {
    return builder(telemetry).build().client(client);
  }

  /** A builder of traces and metrics for this SDK. */
  public static Builder builder(OpenTelemetry telemetry) {
    return new Builder(telemetry);
  }

  /** Builds the telemetry. Not thread-safe. */
  public static final class Builder {
    private final OpenTelemetry telemetry;

    /** The conventions prescribe the mask. */
    private Redaction redaction = Redaction.DEFAULTS.withMask(Conventions.MASK);

    private Builder(OpenTelemetry telemetry) {
      this.telemetry = telemetry;
    }

    /**
     * Adds query parameters whose values are redacted in {@code url.full}, in addition to those
     * that the conventions name: {@code AWSAccessKeyId}, {@code Signature}, {@code sig} and {@code
     * X-Goog-Signature}.
     *
     * @param keys as in the query, case-sensitive
     */
    public Builder redactedQueryKeys(Set<String> keys) {
      redaction = redaction.withParameters(keys.toArray(String[]::new));
      return this;
    }

    /** Builds the telemetry. */
    public HeddleTelemetry build() {
      return new HeddleTelemetry(this);
    }
  }

  /** Builds a client whose calls are traced and measured. */
  public HttpClient client(HttpClient.Builder builder) {
    return builder.listener(listener()).attemptFields(fields()).build();
  }

  /** The listener of a client's calls. Works only together with {@link #fields}. */
  public ExchangeListener listener() {
    return spans;
  }

  /** The source of the fields that propagate the context of a request to servers. */
  public AttemptFields fields() {
    return spans;
  }
}
