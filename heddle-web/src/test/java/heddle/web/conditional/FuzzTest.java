package heddle.web.conditional;

import heddle.testwatch.FuzzContract;
import heddle.testwatch.FuzzTarget;

/** The fuzz targets of conditional requests and ranges. */
final class FuzzTest implements FuzzContract {
  @Override
  public FuzzTarget[] targets() {
    return ConditionalTarget.values();
  }
}
