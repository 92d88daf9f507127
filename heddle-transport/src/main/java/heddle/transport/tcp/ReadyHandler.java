package heddle.transport.tcp;

/** What a selection key stands for: a channel or a listening socket. */
interface ReadyHandler {
  /** Called on the loop with the operations that are ready. */
  void onReady(int readyOps);

  /** The loop ends: release the socket and tell whoever waits. */
  void onLoopEnd();
}
