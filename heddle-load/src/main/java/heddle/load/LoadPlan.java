package heddle.load;

import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.Wire;
import heddle.load.schedule.Strand;
import java.net.URI;
import java.time.Duration;

/**
 * A load: the same request over and over.
 *
 * @param request the request, with an absolute URI and the scheme http or https
 * @param wire the client's connections
 * @param pace when requests are sent
 * @param extent how long the measured part lasts
 * @param warmUp how long the load runs before anything is counted; zero for none. A closed load
 *     also waits for the first answer of each caller
 * @param strand the kind of threads for the requests of a blocking client
 */
public record LoadPlan(
    DriverRequest request, Wire wire, Pace pace, Extent extent, Duration warmUp, Strand strand) {

  /** Throws {@link IllegalArgumentException} if a value is invalid. */
  public LoadPlan {
    URI uri = request.uri();
    boolean isHttp =
        "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
    if (!isHttp || uri.getHost() == null) {
      throw new IllegalArgumentException(
          "a load needs an absolute URL such as http://127.0.0.1:8080/hello, not " + uri);
    }
    var _ = new LoadShape(pace, extent, warmUp, strand);
  }

  /** Creates a plan on virtual threads. */
  public LoadPlan(DriverRequest request, Wire wire, Pace pace, Extent extent, Duration warmUp) {
    this(request, wire, pace, extent, warmUp, Strand.VIRTUAL);
  }

  /** Creates a plan of GET requests over HTTP/1.1, with one connection per request in flight. */
  public LoadPlan(URI uri, Pace pace, Extent extent, Duration warmUp) {
    this(DriverRequest.get(uri), Wire.http1(pace.inFlight()), pace, extent, warmUp);
  }

  /** The same without a warm-up. */
  public LoadPlan(URI uri, Pace pace, Extent extent) {
    this(uri, pace, extent, Duration.ZERO);
  }

  /** The URI of the request. */
  public URI uri() {
    return request.uri();
  }

  /** The load without its target. */
  public LoadShape shape() {
    return new LoadShape(pace, extent, warmUp, strand);
  }
}
