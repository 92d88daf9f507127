package heddle.client.route;

import heddle.http.HttpVersion;
import heddle.http.Origin;
import org.jspecify.annotations.Nullable;

/**
 * Where a request goes: requests with equal routes share connections. Holds nothing that concerns
 * time, so that calls with different timeouts share too.
 *
 * @param origin the scheme, host and port to reach
 * @param version the one version of HTTP to speak; null to let TLS find the best that both sides
 *     know, and for HTTP/1.1 without TLS
 */
public record Route(Origin origin, @Nullable HttpVersion version) {
  /** A route on which the version is found out. */
  public Route(Origin origin) {
    this(origin, null);
  }

  /** From the name of the version: an enum's own differs from one process to the next. */
  @Override
  public int hashCode() {
    return origin.hashCode() * 31 + (version == null ? 0 : version.name().hashCode());
  }

  @Override
  public String toString() {
    return version == null ? origin.toString() : origin + " with " + version;
  }
}
