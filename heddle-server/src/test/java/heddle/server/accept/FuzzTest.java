package heddle.server.accept;

import heddle.testwatch.FuzzContract;
import heddle.testwatch.FuzzTarget;

/** The fuzz targets of the server. */
final class FuzzTest implements FuzzContract {
  @Override
  public FuzzTarget[] targets() {
    return ProxyTarget.values();
  }
}
