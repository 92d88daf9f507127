package heddle.sse;

import heddle.testwatch.FuzzContract;
import heddle.testwatch.FuzzTarget;

/** The fuzz targets of server-sent events. */
final class FuzzTest implements FuzzContract {
  @Override
  public FuzzTarget[] targets() {
    return SseTarget.values();
  }
}
