package heddle.har;

import heddle.testwatch.FuzzContract;
import heddle.testwatch.FuzzTarget;

/** The fuzz targets of HAR files. */
final class FuzzTest implements FuzzContract {
  @Override
  public FuzzTarget[] targets() {
    return HarTarget.values();
  }
}
