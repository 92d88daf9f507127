package heddle.testkit;

import heddle.transport.WriteProgress;

/** Counts what is written to a channel. Used by the thread that may write. */
final class WriteCounter implements WriteProgress {
  private long bytes;
  private long stalledNanos;
  private long silentNanos;

  /** The network has taken bytes. */
  void took(long count) {
    if (count > 0) {
      bytes += count;
      silentNanos = 0;
    }
  }

  /** A writer has waited for the peer. */
  void waited(long nanos) {
    stalledNanos += nanos;
    silentNanos += nanos;
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public long stalledNanos() {
    return stalledNanos;
  }

  @Override
  public long silentNanos() {
    return silentNanos;
  }

  @Override
  public void restart() {
    bytes = 0;
    stalledNanos = 0;
    silentNanos = 0;
  }
}
