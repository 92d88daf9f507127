/**
 * Meters for clients, by the conventions of Micrometer.
 *
 * <pre>{@code
 * MeterRegistry registry = new SimpleMeterRegistry();
 * HeddleMetrics metrics = HeddleMetrics.builder(registry)
 *     .tags(Tags.of("client.name", "orders"))
 *     .uri(request -> request.path().startsWith("/orders/") ? "/orders/{id}" : "UNKNOWN")
 *     .build();
 * try (HttpClient client = metrics.client(HttpClient.builder());
 *     Response response = client.send(Request.get("http://localhost:8080/orders/7"))) {
 *   System.out.println(response.string());
 * }
 * registry.get("http.client.requests").tag("uri", "/orders/{id}").timer().count();
 * }</pre>
 */
@NullMarked
package heddle.micrometer;

import org.jspecify.annotations.NullMarked;
