package heddle.testkit;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * The faults of a {@link SimWorld}: how long bytes travel, into which pieces they are cut, and how
 * likely each {@link Mishap} is. When and where it happens is drawn from the world's seed.
 *
 * <pre>{@code
 * Faults faults = Faults.builder()
 *     .latency(Duration.ZERO, Duration.ofMillis(20))
 *     .chance(Mishap.RESET, 0.1)
 *     .within(20_000)
 *     .build();
 * }</pre>
 */
public final class Faults {
  private static final Faults NONE = builder().build();

  private final Builder described;

  private Faults(Builder described) {
    this.described = described;
  }

  /** No latency and no faults. */
  public static Faults none() {
    return NONE;
  }

  /** A builder without faults. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * A mix drawn from the source: some worlds are calm, some fast, some cut everything into small
   * pieces, and in most of them several kinds of mishap occur.
   */
  public static Faults drawn(RandomGenerator random) {
    Builder builder = builder()
        .latency(Duration.ZERO, Duration.ofMillis(random.nextInt(30)))
        .maxReadBytes(1 << 4 + random.nextInt(12))
        .maxWriteBytes(1 << 6 + random.nextInt(10))
        .sendBuffer(1 << 12 + random.nextInt(6))
        .within(1L << 8 + random.nextInt(10))
        .maxPause(Duration.ofMillis(10 + random.nextInt(3_000)));
    for (Mishap mishap : Mishap.values()) {
      if (random.nextInt(3) == 0) {
        builder.chance(mishap, random.nextDouble() * 0.2);
      }
    }
    return builder.build();
  }

  Builder described() {
    return described;
  }

  /** The likelihood of a mishap per connection, attempt or name lookup; 0 to 1. */
  public double chance(Mishap mishap) {
    return described.chances.getOrDefault(mishap, 0.0);
  }

  /** Within how many bytes from the beginning of a connection mishaps occur. */
  public long within() {
    return described.within;
  }

  /** The longest pause, slow lookup and leap of the clock. */
  public Duration maxPause() {
    return described.maxPause;
  }

  /** How far the clock may leap at once; zero if it never does. */
  public Duration maxLeap() {
    return chance(Mishap.LEAP) > 0 ? maxPause() : Duration.ZERO;
  }

  /** The least of the most bytes that a read or a write takes at a time, at least 1. */
  public int smallestPiece() {
    return Math.min(described.maxReadBytes, described.maxWriteBytes);
  }

  @Override
  public String toString() {
    return "latency %d to %d ms, pieces of %d and %d, buffer %d, within %d bytes, %d ms, %s"
        .formatted(
            described.minLatency.toMillis(),
            described.maxLatency.toMillis(),
            described.maxReadBytes,
            described.maxWriteBytes,
            described.sendBuffer,
            described.within,
            described.maxPause.toMillis(),
            described.chances);
  }

  /** Collects the faults of a world. Not safe for use by several threads. */
  public static final class Builder {
    private final Map<Mishap, Double> chances = new EnumMap<>(Mishap.class);
    private Duration minLatency = Duration.ZERO;
    private Duration maxLatency = Duration.ZERO;
    private int maxReadBytes = Pipe.WHOLE;
    private int maxWriteBytes = Pipe.WHOLE;
    private int sendBuffer = 256 * 1024;
    private long within = 64 * 1024;
    private Duration maxPause = Duration.ofSeconds(1);

    private Builder() {}

    /** As {@link SimNetwork.Builder#latency}. */
    public Builder latency(Duration min, Duration max) {
      minLatency = min;
      maxLatency = max;
      return this;
    }

    /** As {@link SimNetwork.Builder#maxReadBytes}. */
    public Builder maxReadBytes(int bytes) {
      maxReadBytes = bytes;
      return this;
    }

    /** As {@link SimNetwork.Builder#maxWriteBytes}. */
    public Builder maxWriteBytes(int bytes) {
      maxWriteBytes = bytes;
      return this;
    }

    /** As {@link SimNetwork.Builder#sendBuffer}. */
    public Builder sendBuffer(int bytes) {
      sendBuffer = bytes;
      return this;
    }

    /**
     * How likely a mishap is per connection, per attempt to connect, or per name lookup; 0 by
     * default. For {@link Mishap#LEAP}, per second of the world.
     *
     * @throws IllegalArgumentException if it is not from 0 to 1
     */
    public Builder chance(Mishap mishap, double likelihood) {
      if (!(likelihood >= 0 && likelihood <= 1)) {
        throw new IllegalArgumentException(
            "the chance of " + mishap + " must be from 0 to 1, not " + likelihood);
      }
      chances.put(mishap, likelihood);
      return this;
    }

    /**
     * Within how many bytes from the beginning of a connection mishaps occur; positions are drawn
     * log-uniformly, so that early bytes are likely. 64 KiB by default.
     *
     * @throws IllegalArgumentException if it is below 1
     */
    public Builder within(long bytes) {
      if (bytes < 1) {
        throw new IllegalArgumentException("within must be at least 1 byte, not " + bytes);
      }
      within = bytes;
      return this;
    }

    /**
     * The longest pause, slow lookup and leap of the clock; 1 s by default.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder maxPause(Duration time) {
      if (time.isNegative() || time.isZero()) {
        throw new IllegalArgumentException("maxPause must be positive, but was " + time);
      }
      maxPause = time;
      return this;
    }

    /** Builds the faults. */
    public Faults build() {
      Builder copy = new Builder()
          .latency(minLatency, maxLatency)
          .maxReadBytes(maxReadBytes)
          .maxWriteBytes(maxWriteBytes)
          .sendBuffer(sendBuffer)
          .within(within)
          .maxPause(maxPause);
      copy.chances.putAll(chances);
      return new Faults(copy);
    }

    SimNetwork.Builder network() {
      return SimNetwork.builder()
          .latency(minLatency, maxLatency)
          .maxReadBytes(maxReadBytes)
          .maxWriteBytes(maxWriteBytes)
          .sendBuffer(sendBuffer);
    }
  }

  /** What may happen to the connections, names and clock of a {@link SimWorld}. */
  public enum Mishap {
    /** An attempt to connect is refused. */
    REFUSE,
    /** An attempt to connect is never answered. */
    BLACK_HOLE,
    /** An attempt to connect is answered late. */
    LATE,
    /**
     * An attempt to connect is answered late, but if another one to the same port begins meanwhile,
     * both are answered in the same moment.
     */
    TIE,
    /** A connection ends in one direction at some byte; the other direction stays open. */
    CUT,
    /** A connection is reset at some byte. */
    RESET,
    /** From some byte on, nothing is delivered in either direction, and neither end notices. */
    SILENCE,
    /** From some byte on, nothing is delivered in one direction for a while. */
    PAUSE,
    /** A direction is slow: it delivers some bytes at a time, with pauses. */
    SLOW,
    /** A name cannot be resolved this time. */
    NO_NAME,
    /** A name resolves to some of its addresses only, in another order. */
    MOVED_NAME,
    /** A name takes long to resolve. */
    SLOW_NAME,
    /** The monotonic clock leaps forward, and the time of day in any direction. */
    LEAP
  }
}
