package heddle.web.files;

import heddle.testwatch.FuzzContract;
import heddle.testwatch.FuzzTarget;

/** The fuzz targets of paths of files. */
final class FuzzTest implements FuzzContract {
  @Override
  public FuzzTarget[] targets() {
    return PathTarget.values();
  }
}
