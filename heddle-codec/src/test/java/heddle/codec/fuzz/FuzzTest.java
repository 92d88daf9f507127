package heddle.codec.fuzz;

import heddle.testwatch.FuzzContract;
import heddle.testwatch.FuzzTarget;

/** The fuzz targets of the codecs. */
final class FuzzTest implements FuzzContract {
  @Override
  public FuzzTarget[] targets() {
    return CodecTarget.values();
  }
}
