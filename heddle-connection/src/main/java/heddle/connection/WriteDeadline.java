package heddle.connection;

import heddle.transport.Channel;
import heddle.transport.Deadline;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * Until when a peer may take to read what is written: the write timeout for each piece, or less if
 * it reads more slowly than a minimum rate on the whole. The time in which a writer {@linkplain
 * Channel#stalledNanos waits for the peer} counts, and no other. For use by one writer at a time.
 */
public final class WriteDeadline {
  private final Channel channel;
  private final long timeoutNanos;
  private final MinimumRate.Progress progress;
  private long written;

  /**
   * @param timeout how long the peer may take for a piece
   * @param rate how fast it must read on the whole
   */
  public WriteDeadline(Channel channel, Duration timeout, MinimumRate rate) {
    this.channel = channel;
    this.timeoutNanos = Deadline.boundedNanos(timeout);
    this.progress = new MinimumRate.Progress(rate, channel.stalledNanos());
  }

  /** For a piece whose writing begins now. */
  public Deadline of(ByteBuffer... piece) {
    long bytes = 0;
    for (ByteBuffer each : piece) {
      bytes += each.remaining();
    }
    progress.look(channel.stalledNanos(), written);
    written += bytes;
    long nanos = Math.min(timeoutNanos, progress.allowedNanos(bytes));
    return new Deadline(channel.loop().clock().nanoTime() + nanos);
  }
}
