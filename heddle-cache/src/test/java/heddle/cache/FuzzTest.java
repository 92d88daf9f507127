package heddle.cache;

import heddle.testwatch.FuzzContract;
import heddle.testwatch.FuzzTarget;

/** The fuzz targets of the cache. */
final class FuzzTest implements FuzzContract {
  @Override
  public FuzzTarget[] targets() {
    return CacheTarget.values();
  }
}
