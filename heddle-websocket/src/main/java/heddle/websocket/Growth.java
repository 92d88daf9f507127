package heddle.websocket;

/** How much room an array gets that grows as it is filled. */
final class Growth {
  /** JVMs make no longer arrays. */
  private static final int LONGEST_ARRAY = Integer.MAX_VALUE - 8;

  private Growth() {}

  /**
   * Twice the size, but at least {@code more} bytes more and at most {@code most} bytes. The same
   * size if it cannot grow.
   */
  static int of(int size, int more, long most) {
    long wanted = Math.max((long) size + more, 2L * size);
    return (int) Math.max(size, Math.min(Math.min(most, LONGEST_ARRAY), wanted));
  }
}
