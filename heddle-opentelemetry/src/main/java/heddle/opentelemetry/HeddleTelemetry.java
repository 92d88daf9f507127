package heddle.opentelemetry;

import heddle.client.HttpClient;
import heddle.client.spi.AttemptFields;
import heddle.client.spi.ExchangeListener;
import io.opentelemetry.api.OpenTelemetry;
import java.util.HashSet;
import java.util.Set;

/**
 * Traces and measures the calls of clients, by the stable <a
 * href="https://opentelemetry.io/docs/specs/semconv/http/">semantic conventions for HTTP</a>. Safe
 * for use by many threads.
 *
 * <ul>
 *   <li>Each attempt of a call is a span of kind client, a child of the context that was current
 *       when the call began; {@code http.request.resend_count} tells those that follow the first.
 *       It ends when the request is sent again, or another one in its place as after a redirect, or
 *       else with the call: with the last byte of the response's body.
 *   <li>The context of an attempt goes out with its request, as the configured propagators write
 *       it.
 *   <li>Its time is a measurement of the histogram {@code http.client.request.duration}.
 * </ul>
 *
 * <p>The context of a call made by {@code sendAsync} is that of the thread which asked for it.
 */
public final class HeddleTelemetry {
  private final AttemptSpans spans;

  private HeddleTelemetry(Builder builder) {
    spans = new AttemptSpans(builder.telemetry, new RedactedUrl(builder.redacted));
  }

  /** Builds a client whose calls are traced and measured. */
  public static HttpClient bind(HttpClient.Builder client, OpenTelemetry telemetry) {
    return builder(telemetry).build().client(client);
  }

  public static Builder builder(OpenTelemetry telemetry) {
    return new Builder(telemetry);
  }

  /** What is traced, and how. Not safe for use by several threads. */
  public static final class Builder {
    private final OpenTelemetry telemetry;
    private final Set<String> redacted = new HashSet<>(RedactedUrl.DEFAULT_KEYS);

    private Builder(OpenTelemetry telemetry) {
      this.telemetry = telemetry;
    }

    /**
     * Keys of query parameters whose values {@code url.full} does not tell, beside those that the
     * conventions name: {@code AWSAccessKeyId}, {@code Signature}, {@code sig} and {@code
     * X-Goog-Signature}.
     *
     * @param keys as they stand in the query, upper and lower case matter
     */
    public Builder redactedQueryKeys(Set<String> keys) {
      redacted.addAll(keys);
      return this;
    }

    public HeddleTelemetry build() {
      return new HeddleTelemetry(this);
    }
  }

  /** Builds a client whose calls are traced and measured. */
  public HttpClient client(HttpClient.Builder builder) {
    return builder.listener(listener()).attemptFields(fields()).build();
  }

  /** What sees the calls of a client; of use together with {@link #fields} only. */
  public ExchangeListener listener() {
    return spans;
  }

  /** What tells servers the context of a request. */
  public AttemptFields fields() {
    return spans;
  }
}
