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
 * @param http2 what a connection of HTTP/2 accepts
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
    MinimumRate minRate,
    Http2 http2) {
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
      new MinimumRate(240, Duration.ofSeconds(5)),
      Http2.DEFAULTS);

  /**
   * What a client may do on one connection of HTTP/2, as SETTINGS tell it.
   *
   * @param maxStreams requests open at once
   * @param streamWindow bytes of content that a new stream may hold unread
   * @param maxStreamWindow what a stream's window may grow to
   * @param connectionWindow bytes that all streams together may hold unread; 0 for twice the
   *     largest window of a stream
   * @param maxFrameBytes bytes of a frame's payload
   * @param headerTableBytes bytes of the table that compresses heads
   */
  public record Http2(
      int maxStreams,
      int streamWindow,
      int maxStreamWindow,
      int connectionWindow,
      int maxFrameBytes,
      int headerTableBytes) {
    /** 128 streams; 256 KiB, which grow to 768 KiB; 16 KiB and 4 KiB. */
    public static final Http2 DEFAULTS = new Http2(128, 256 << 10, 768 << 10, 0, 16 << 10, 4 << 10);
  }
}
