package heddle.connection;

import heddle.http.io.FileInput;
import heddle.transport.Channel;
import heddle.transport.DeadlinePassedException;
import heddle.transport.WriteProgress;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Writes to a peer that must accept a byte within the write timeout, and keep a minimum rate
 * overall, since its channel's {@linkplain Channel#writeProgress progress} was restarted last. Only
 * the time in which a writer waits for it counts. For one writer at a time.
 */
public final class TimedWriter {
  /** A shorter wait could be over before it begins, again and again. */
  private static final long LEAST_WAIT_NANOS = 10_000_000;

  private final Channel channel;
  private final long timeoutNanos;
  private final MinimumRate minRate;

  /** Null until a writer has waited for the peer. */
  private MinimumRate.@Nullable Progress rate;

  /** The peer may accept no byte for {@code timeout}, and must read at this rate overall. */
  public TimedWriter(Channel channel, Duration timeout, MinimumRate rate) {
    this.channel = channel;
    this.timeoutNanos = Deadline.boundedNanos(timeout);
    this.minRate = rate;
  }

  /** Whether it has waited for the peer, whose rate it has measured since. */
  public boolean hasWaited() {
    return rate != null;
  }

  /** Writes all of it; throws as the other {@code write} does. */
  public void write(ByteBuffer... output) throws IOException {
    write(output, Deadline.never());
  }

  /**
   * Writes until the caller's patience ends. Bytes remaining in the buffers must be written next.
   *
   * @throws DeadlinePassedException if the peer accepts nothing for too long or reads too slowly,
   *     or the patience ends
   * @throws IOException as {@link Channel#write} does
   */
  public void write(ByteBuffer[] output, Deadline patience) throws IOException {
    write(deadline -> channel.write(output, deadline), patience);
  }

  /**
   * Writes what remains of a file, as {@link Channel#write(FileInput, Deadline)} does; throws as
   * the other {@code write} does.
   */
  public void write(FileInput file) throws IOException {
    write(deadline -> channel.write(file, deadline), Deadline.never());
  }

  /** Goes on with a write, which keeps what it has written. */
  private interface Write {
    void until(Deadline deadline) throws IOException;
  }

  private void write(Write write, Deadline patience) throws IOException {
    while (true) {
      long now = channel.loop().clock().nanoTime();
      Deadline limit = new Deadline(now + Math.max(LEAST_WAIT_NANOS, leftNanos()));
      try {
        write.until(limit.earlier(patience));
        return;
      } catch (DeadlinePassedException e) {
        if (leftNanos() == 0 || patience.isPast(channel.loop().clock())) {
          throw e;
        }
        // It has taken some of it meanwhile.
      }
    }
  }

  /** How much longer the peer may accept nothing: 0 if it is too slow already. */
  private long leftNanos() {
    WriteProgress written = channel.writeProgress();
    long left = timeoutNanos - written.silentNanos();
    MinimumRate.Progress known = rate;
    if (known == null) {
      if (written.stalledNanos() == 0) {
        return Math.clamp(left, 0, minRate.graceNanos());
      }
      known = new MinimumRate.Progress(minRate, 0);
      known.look(0, written.bytes());
      rate = known;
    }
    known.look(written.stalledNanos(), written.bytes());
    return Math.clamp(left, 0, known.leadNanos());
  }
}
