package heddle.client.spi;

import heddle.testwatch.FuzzContract;
import heddle.testwatch.FuzzTarget;

/** The fuzz targets of authentication. */
final class FuzzTest implements FuzzContract {
  @Override
  public FuzzTarget[] targets() {
    return DigestTarget.values();
  }
}
