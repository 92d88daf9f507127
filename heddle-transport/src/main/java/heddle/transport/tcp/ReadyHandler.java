package heddle.transport.tcp;

import java.io.IOException;

/** What a selection key stands for: a channel or a listening socket. Called on the loop alone. */
interface ReadyHandler {
  /** Operations are ready. */
  void onReady(int readyOps);

  /** {@link #onReady} threw: give up what cannot go on. */
  void onFailure(Throwable failure);

  /**
   * Memory or stack ran out on the loop, so any task may have been lost, or the rest of one: does
   * again whatever the state calls for, in any state and at any time.
   */
  void redoLostWork();

  /** The loop has failed, and with it the selection key, if there was one. */
  void onLoopLost(IOException why);

  /** The loop ends: release the socket and wake any thread that waits for it. */
  void onLoopEnd();
}
