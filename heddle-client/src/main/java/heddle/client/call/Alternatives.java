package heddle.client.call;

import heddle.client.pool.Lease;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Origin;
import heddle.http.syntax.AlternativeService;
import heddle.transport.time.Deadline;
import java.time.Duration;

/**
 * What a response says about alternative services (RFC 7838), as a hint for the connections of the
 * same origin alone. Another host or port would have to prove by its certificate that it may answer
 * for the origin (§2.1), and what is advertised there is HTTP/3 as a rule, which Heddle does not
 * speak. The frame ALTSVC (§4) is ignored, since a connection of HTTP/2 needs no hint.
 */
final class Alternatives {
  private Alternatives() {}

  /** Reads the fields of a response over HTTP/1.1; those that are malformed are ignored. */
  static void note(Headers headers, Lease lease) {
    if (!headers.contains(HeaderName.ALT_SVC)) {
      return;
    }
    Origin origin = lease.route().origin();
    long seconds = 0;
    for (String value : headers.all(HeaderName.ALT_SVC)) {
      try {
        for (AlternativeService each : AlternativeService.parse(value)) {
          if (isHttp2At(origin, each)) {
            seconds = Math.max(seconds, each.maxAgeSeconds());
          }
        }
      } catch (IllegalArgumentException e) {
        // It is no more than a hint; the caller has the field.
      }
    }
    // RFC 7838 §3.1: a new field replaces what an earlier one said.
    lease.expectHttp2(Deadline.boundedNanos(Duration.ofSeconds(seconds)));
  }

  private static boolean isHttp2At(Origin origin, AlternativeService service) {
    return service.protocol().equals("h2")
        && service.port() == origin.port()
        && (service.host().isEmpty() || service.host().equals(origin.host()));
  }
}
