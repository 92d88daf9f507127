package heddle.codec.http1;

import heddle.codec.ProtocolException;
import heddle.codec.ProtocolException.Violation;

/**
 * Bounds the chunks of one connection whose framing outweighs their content: they cost the sender
 * little and the reader an event each. A chunk takes a millisecond, less for each byte of content
 * until 16 bytes take nothing and more bytes give back; what was taken comes back with time. So a
 * slow stream of small messages is allowed, and a fast one whose chunks have 16 bytes on average.
 * Belongs to the receiving half of one session; time is an argument.
 */
final class ChunkRate {
  private static final int FREE_BYTES = 16; // a chunk of this many takes nothing
  private static final int AT_ONCE = 10_000; // chunks of one byte
  private static final int PER_SECOND = 1_000; // after that
  private static final long NANOS_PER_BYTE = 1_000_000_000L / PER_SECOND / (FREE_BYTES - 1);
  private static final long MOST_TAKEN_NANOS = NANOS_PER_BYTE * (FREE_BYTES - 1) * AT_ONCE;

  private long settledAt; // when everything taken will have come back

  ChunkRate(long nowNanos) {
    settledAt = nowNanos;
  }

  /** Counts a chunk of at least one byte, before its content; throws if it is one too many. */
  void count(long size, long nowNanos) throws ProtocolException {
    // Differences of times only: they are right even if a time overflows.
    long taken = Math.max(0, settledAt - nowNanos);
    taken += (FREE_BYTES - Math.min(size, Integer.MAX_VALUE)) * NANOS_PER_BYTE;
    if (taken > MOST_TAKEN_NANOS) {
      throw Violation.TINY_CHUNKS.because("a chunk of " + size
          + " bytes after too many of fewer than " + FREE_BYTES + ": of one byte a peer may send "
          + AT_ONCE + " at once and " + PER_SECOND + " a second after that; send larger chunks");
    }
    settledAt = nowNanos + Math.max(0, taken);
  }
}
