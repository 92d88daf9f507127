package heddle.web;

import heddle.testwatch.FuzzContract;
import heddle.testwatch.FuzzTarget;

/** The fuzz targets of routes and of what handlers read. */
final class FuzzTest implements FuzzContract {
  @Override
  public FuzzTarget[] targets() {
    return WebTarget.values();
  }
}
