package heddle.connection;

import heddle.http.Limits;
import java.time.Duration;

/**
 * The limits of a server's connection, in time and in bytes.
 *
 * @param codec bounds of the head and of the chunks' overhead
 * @param headTimeout from the first byte of a head to its last; the first head's time begins when
 *     the connection is accepted, and in HTTP/2 the client has as much time to send its SETTINGS
 *     and to acknowledge ours
 * @param bodyTimeout the longest silence in the middle of a request's body
 * @param writeTimeout how long the peer may accept no byte of what is written before its connection
 *     is cut
 * @param idleTimeout how long a connection without a request is kept
 * @param lingerTimeout how long the peer may take to read the last response and close, after which
 *     its connection is cut
 * @param maxBodyBytes the longest request body; a longer one is answered 413
 * @param maxDiscardBytes how much of an unread request body is read and discarded so that the
 *     connection can be reused
 * @param minRate how fast the peer must send a request's content, and read responses; a peer that
 *     is slower is answered 408, or cut
 */
public record ServerLimits(
    Limits codec,
    Duration headTimeout,
    Duration bodyTimeout,
    Duration writeTimeout,
    Duration idleTimeout,
    Duration lingerTimeout,
    long maxBodyBytes,
    int maxDiscardBytes,
    MinimumRate minRate) {
  /**
   * {@link Limits#SERVER_DEFAULTS}; 10 s, 30 s, 30 s, 60 s, 2 s; 64 MiB, 64 KiB; 240 bytes/s after
   * 5 s.
   */
  public static final ServerLimits DEFAULTS = new ServerLimits(
      Limits.SERVER_DEFAULTS,
      Duration.ofSeconds(10),
      Duration.ofSeconds(30),
      Duration.ofSeconds(30),
      Duration.ofSeconds(60),
      Duration.ofSeconds(2),
      64L << 20,
      64 << 10,
      new MinimumRate(240, Duration.ofSeconds(5)));
}
