package heddle.websocket;

import java.io.IOException;

/**
 * Counts the memory of the message that is being received, until the next is waited for. For one
 * thread at a time.
 */
final class MessageMemory {
  /** A message up to this size is not counted, since what a socket costs in any case has room. */
  private static final int FREE_BYTES = 16 * 1024;

  private final Account account;
  private int counted;

  /** Where memory is counted. */
  @FunctionalInterface
  interface Account {
    /** Counts nothing. */
    Account NONE = bytes -> {};

    /**
     * Replaces what was counted before.
     *
     * @throws IOException if there is no room for it
     */
    void reserve(int bytes) throws IOException;
  }

  MessageMemory(Account account) {
    this.account = account;
  }

  /**
   * Called before memory is allocated.
   *
   * @param bytes what the message takes in all; 0 if it is no longer needed
   * @throws IOException if there is no room for it
   */
  void reserve(long bytes) throws IOException {
    int now = bytes <= FREE_BYTES ? 0 : (int) Math.min(Integer.MAX_VALUE, bytes);
    if (now != counted) {
      account.reserve(now);
      counted = now;
    }
  }
}
