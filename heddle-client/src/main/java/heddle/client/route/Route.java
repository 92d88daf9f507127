package heddle.client.route;

import heddle.http.Origin;

/**
 * Where a request goes: requests with equal routes share connections. Holds nothing that concerns
 * time, so that calls with different timeouts share too.
 *
 * @param origin the scheme, host and port to reach
 */
public record Route(Origin origin) {
  @Override
  public String toString() {
    return origin.toString();
  }
}
