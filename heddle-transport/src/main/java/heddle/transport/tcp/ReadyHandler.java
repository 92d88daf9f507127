package heddle.transport.tcp;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What a selection key stands for: a channel or a listening socket. Called on the loop alone. */
abstract class ReadyHandler {
  // Its neighbours among the open sockets of its loop, used by those alone.
  @Nullable
  ReadyHandler next;

  @Nullable
  ReadyHandler previous;

  /** Operations are ready. */
  abstract void onReady(int readyOps);

  /** {@link #onReady} threw: give up what cannot go on. */
  abstract void onFailure(Throwable failure);

  /**
   * Memory or stack ran out on the loop, so any task may have been lost, or the rest of one: does
   * again whatever the state calls for, in any state and at any time.
   */
  abstract void redoLostWork();

  /** The loop has failed, and with it the selection key, if there was one. */
  abstract void onLoopLost(IOException why);

  /** The loop ends: release the socket and wake any thread that waits for it. */
  abstract void onLoopEnd();
}
