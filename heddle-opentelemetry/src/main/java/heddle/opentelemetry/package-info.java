/**
 * Traces and metrics of clients, by the stable semantic conventions of OpenTelemetry for HTTP.
 *
 * <pre>{@code
 * OpenTelemetry telemetry = GlobalOpenTelemetry.get();
 * try (HttpClient client = HeddleTelemetry.bind(HttpClient.builder(), telemetry);
 *     Response response = client.send(Request.get("http://localhost:8080/hello"))) {
 *   System.out.println(response.string());
 * }
 * // A span GET for each attempt, whose context the server gets in traceparent,
 * // and a measurement of http.client.request.duration.
 * }</pre>
 */
@NullMarked
package heddle.opentelemetry;

import org.jspecify.annotations.NullMarked;
