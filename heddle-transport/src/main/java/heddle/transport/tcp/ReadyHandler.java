package heddle.transport.tcp;

import java.io.IOException;

/** What a selection key stands for: a channel or a listening socket. Called on the loop alone. */
interface ReadyHandler {
  /** Operations are ready. */
  void onReady(int readyOps);

  /** {@link #onReady} threw: give up what cannot go on. */
  void onFailure(Throwable failure);

  /** A task to close the socket may have been lost because there was no memory for it. */
  void finishClosing();

  /** The loop has failed, and with it the selection key, if there was one. */
  void onLoopLost(IOException why);

  /** After {@link #onLoopLost}: the loop goes on with a new selector. */
  void onLoopReplaced();

  /** The loop ends: release the socket and wake any thread that waits for it. */
  void onLoopEnd();
}
