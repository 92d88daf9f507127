package heddle.verify;

import heddle.testwatch.FuzzContract;
import heddle.testwatch.FuzzTarget;

/** The fuzz targets of the content codings, those of their modules and of the client. */
final class FuzzTest implements FuzzContract {
  @Override
  public FuzzTarget[] targets() {
    return CodingTarget.values();
  }
}
