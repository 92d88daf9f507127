package heddle.cookies;

import heddle.testwatch.FuzzContract;
import heddle.testwatch.FuzzTarget;

/** The fuzz targets of cookies. */
final class FuzzTest implements FuzzContract {
  @Override
  public FuzzTarget[] targets() {
    return CookieTarget.values();
  }
}
