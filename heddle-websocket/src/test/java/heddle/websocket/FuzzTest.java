package heddle.websocket;

import heddle.testwatch.FuzzContract;
import heddle.testwatch.FuzzTarget;

/** The fuzz targets of WebSocket. */
final class FuzzTest implements FuzzContract {
  @Override
  public FuzzTarget[] targets() {
    return WebSocketTarget.values();
  }
}
