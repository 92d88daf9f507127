package heddle.transport;

/**
 * What the peer of one channel has taken of what was written, and how long writers have waited for
 * it to take more: nanoseconds of the loop's clock. For use by the thread that may write.
 */
public interface WriteProgress {
  /** How many bytes the network has taken in all. */
  long bytes();

  /** How long writers have waited in all. */
  long stalledNanos();

  /** How long writers have waited since the network took a byte last. */
  long silentNanos();

  /** Forgets what was written, and waited for, so far: a handshake, for example. */
  void restart();
}
