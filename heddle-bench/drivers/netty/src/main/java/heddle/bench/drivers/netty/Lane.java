package heddle.bench.drivers.netty;

import io.netty.channel.EventLoop;

/** The connections of one event loop. */
interface Lane {

  EventLoop loop();

  /** Sends a request, at once or when a connection is free; called on the loop. */
  void place(Pending pending);

  /** The same from any thread. */
  default void begin(Pending pending) {
    if (loop().inEventLoop()) {
      place(pending);
    } else {
      loop().execute(() -> place(pending));
    }
  }
}
