package heddle.transport;

/**
 * What the peer of one channel has taken of what was written, and how long writers have waited for
 * it to take more: nanoseconds of the loop's clock. For use by the thread that may write.
 */
public final class WriteProgress {
  private long bytes;
  private long stalledNanos;
  private long silentNanos;

  /** Of a new channel. */
  public WriteProgress() {}

  /** The network has taken bytes. */
  public void took(long count) {
    if (count > 0) {
      bytes += count;
      silentNanos = 0;
    }
  }

  /** A writer has waited for the peer. */
  public void waited(long nanos) {
    stalledNanos += nanos;
    silentNanos += nanos;
  }

  /** How many bytes the network has taken in all. */
  public long bytes() {
    return bytes;
  }

  /** How long writers have waited in all. */
  public long stalledNanos() {
    return stalledNanos;
  }

  /** How long writers have waited since the network took a byte last. */
  public long silentNanos() {
    return silentNanos;
  }
}
