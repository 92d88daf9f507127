package heddle.codec.http2;

import heddle.codec.http2.Http2Limits.Floods;
import heddle.codec.http2.Http2Limits.Rate;
import heddle.codec.http2.frame.ContinuationFrame;
import heddle.codec.http2.frame.DataFrame;
import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Frame;
import heddle.codec.http2.frame.GoAwayFrame;
import heddle.codec.http2.frame.HeadersFrame;
import heddle.codec.http2.frame.Http2Exception;
import heddle.codec.http2.frame.PingFrame;
import heddle.codec.http2.frame.PriorityFrame;
import heddle.codec.http2.frame.PriorityUpdateFrame;
import heddle.codec.http2.frame.PushPromiseFrame;
import heddle.codec.http2.frame.RstStreamFrame;
import heddle.codec.http2.frame.SettingsFrame;
import heddle.codec.http2.frame.UnknownFrame;
import heddle.codec.http2.frame.WindowUpdateFrame;

/**
 * Checks every frame that a peer sends and ends the connection, with ENHANCE_YOUR_CALM, if the peer
 * too often does what costs it little and us more (RFC 9113 §10.5). The error's message names the
 * flood. Belongs to the receiving half of one session; time is an argument.
 *
 * <p>WINDOW_UPDATE is counted against what we send, because a fast download has a hundred thousand
 * a second: the frames that go with content are free, others are not. A peer that opens its windows
 * a few bytes at a time makes us send a frame for each, and is allowed no more frames for that.
 */
final class FloodGuard {
  /** Sending this many bytes of content, or a shorter frame, allows the peer its WINDOW_UPDATE. */
  static final int BYTES_PER_UPDATE = 512;

  /** Allowed per short frame: one for the stream, one for the connection. */
  static final int UPDATES_PER_FRAME = 2;

  /** Allowed per stream: some peers open each stream's window by WINDOW_UPDATE. */
  static final int UPDATES_PER_STREAM = 4;

  /** DATA frames with less content are small; as much content allows one more. */
  private static final int SMALL_DATA = 256;

  /** Allowed WINDOW_UPDATE frames that may be saved: they come a round trip after the content. */
  private static final long MOST_SAVED_UPDATES = 100_000;

  private final Http2Limits limits;
  private final TokenBucket resets;
  private final TokenBucket owedResets;
  private final TokenBucket settings;
  private final TokenBucket pings;
  private final TokenBucket emptyFrames;
  private final TokenBucket priorities;
  private final TokenBucket unknown;
  private final TokenBucket windowUpdates;
  private final TokenBucket goAways;
  private final TokenBucket smallData;

  /** WINDOW_UPDATE frames that the content sent so far allows, as last known. */
  private long updatesEarned;

  /** Those of them that have not come yet. */
  private long updatesSaved;

  /** Content that has come since it last allowed a small frame more, below {@link #SMALL_DATA}. */
  private int contentBytes;

  /** Whether the DATA frame under way was counted as a small one. */
  private boolean isSmall;

  /** CONTINUATION frames of the field block under way. */
  private int continuations;

  /** Bytes of the field block under way. */
  private long blockBytes;

  FloodGuard(Http2Limits limits) {
    this.limits = limits;
    Floods floods = limits.floods();
    resets = new TokenBucket(floods.resets());
    owedResets = new TokenBucket(floods.owedResets());
    settings = new TokenBucket(floods.settings());
    pings = new TokenBucket(floods.pings());
    emptyFrames = new TokenBucket(floods.emptyFrames());
    priorities = new TokenBucket(floods.priorities());
    unknown = new TokenBucket(floods.unknown());
    windowUpdates = new TokenBucket(floods.windowUpdates());
    goAways = new TokenBucket(floods.goAways());
    smallData = new TokenBucket(floods.smallData());
  }

  /**
   * Counts a frame, before anything else is done for it.
   *
   * @throws Http2Exception a connection error when it is one too many
   */
  void check(Frame frame, long nowNanos) throws Http2Exception {
    switch (frame) {
      case DataFrame data -> data(data, data.data().remaining(), nowNanos);
      case HeadersFrame headers ->
        beginBlock(headers.fragment().remaining(), headers.endHeaders(), nowNanos);
      case PushPromiseFrame promise ->
        beginBlock(promise.fragment().remaining(), promise.endHeaders(), nowNanos);
      case ContinuationFrame continuation -> continueBlock(continuation, nowNanos);
      case RstStreamFrame _ ->
        take(resets, nowNanos, "resets (CVE-2023-44487)", limits.floods().resets());
      case SettingsFrame _ ->
        take(settings, nowNanos, "SETTINGS", limits.floods().settings());
      case PingFrame _ -> take(pings, nowNanos, "PINGs", limits.floods().pings());
      case PriorityFrame _, PriorityUpdateFrame _ ->
        take(priorities, nowNanos, "priority signals", limits.floods().priorities());
      case UnknownFrame _ ->
        take(unknown, nowNanos, "frames of unknown types", limits.floods().unknown());
      case WindowUpdateFrame _ -> windowUpdate(updatesEarned, nowNanos);
      case GoAwayFrame _ -> take(goAways, nowNanos, "GOAWAYs", limits.floods().goAways());
    }
  }

  /**
   * Counts a DATA frame or a piece of one. Content pays for small frames: those of a message that
   * is written in odd pieces are no flood.
   *
   * @param begun bytes of content in the whole frame; -1 for a piece that is not its first
   * @throws Http2Exception a connection error when it is one too many
   */
  void data(DataFrame frame, int begun, long nowNanos) throws Http2Exception {
    if (begun == 0 && !frame.endStream()) {
      isSmall = false;
      take(emptyFrames, nowNanos, "empty frames", limits.floods().emptyFrames());
    } else if (begun >= 0) {
      isSmall = begun < SMALL_DATA;
      if (isSmall) {
        take(
            smallData,
            nowNanos,
            "DATA frames of fewer than " + SMALL_DATA + " bytes",
            limits.floods().smallData());
      }
    }
    contentBytes += frame.data().remaining();
    if (contentBytes >= SMALL_DATA) {
      smallData.give(contentBytes / SMALL_DATA, nowNanos);
      contentBytes %= SMALL_DATA;
    }
  }

  /** The DATA frame under way has ended its stream, which a small one may do. */
  void dataEnded(long nowNanos) {
    if (isSmall) {
      smallData.give(1, nowNanos);
    }
  }

  /**
   * Counts a WINDOW_UPDATE frame.
   *
   * @param earned how many go with what was sent on the connection in all
   * @throws Http2Exception a connection error when it is one too many
   */
  void windowUpdate(long earned, long nowNanos) throws Http2Exception {
    saveUpdates(earned - updatesEarned);
    updatesEarned = earned;
    if (updatesSaved > 0) {
      updatesSaved--;
    } else {
      take(
          windowUpdates,
          nowNanos,
          "WINDOW_UPDATEs without content",
          limits.floods().windowUpdates());
    }
  }

  private void saveUpdates(long more) {
    updatesSaved = Math.min(MOST_SAVED_UPDATES, updatesSaved + more);
  }

  /**
   * Counts HEADERS on a stream that we have reset.
   *
   * @throws Http2Exception a connection error when it is one too many
   */
  void ignored(long nowNanos) throws Http2Exception {
    take(
        emptyFrames,
        nowNanos,
        "HEADERS on streams that were reset",
        limits.floods().emptyFrames());
  }

  /**
   * Counts a stream that the peer makes us reset.
   *
   * @throws Http2Exception a connection error when it is one too many
   */
  void resetOwed(long nowNanos) throws Http2Exception {
    take(
        owedResets,
        nowNanos,
        "streams that we had to reset (CVE-2025-8671)",
        limits.floods().owedResets());
  }

  /** The peer opened a stream, which allows it a priority signal and some credit more. */
  void streamOpened(long nowNanos) {
    priorities.give(1, nowNanos);
    saveUpdates(UPDATES_PER_STREAM);
  }

  /**
   * Checks how many control frames wait for a peer that does not read.
   *
   * @throws Http2Exception a connection error when they are too many
   */
  static void checkQueued(int controlFrames, Http2Limits limits) throws Http2Exception {
    if (controlFrames > limits.maxQueuedControlFrames()) {
      throw flood("more than " + limits.maxQueuedControlFrames()
          + " control frames wait for a peer that does not read");
    }
  }

  private void beginBlock(int bytes, boolean complete, long nowNanos) throws Http2Exception {
    continuations = 0;
    blockBytes = 0;
    countBlock(bytes, complete, nowNanos);
  }

  private void continueBlock(ContinuationFrame frame, long nowNanos) throws Http2Exception {
    if (++continuations > limits.maxContinuations()) {
      throw flood("more than " + limits.maxContinuations()
          + " CONTINUATION frames in a field block (CVE-2024-27316)");
    }
    countBlock(frame.fragment().remaining(), frame.endHeaders(), nowNanos);
  }

  private void countBlock(int bytes, boolean complete, long nowNanos) throws Http2Exception {
    blockBytes += bytes;
    if (blockBytes > limits.maxHeaderBlockBytes()) {
      throw flood("a field block of more than " + limits.maxHeaderBlockBytes() + " encoded bytes");
    }
    if (bytes == 0 && !complete) {
      take(emptyFrames, nowNanos, "empty frames", limits.floods().emptyFrames());
    }
  }

  private static void take(TokenBucket bucket, long nowNanos, String flood, Rate rate)
      throws Http2Exception {
    if (!bucket.take(nowNanos)) {
      throw flood("too many " + flood + ": more than " + rate.atOnce() + " at once and "
          + rate.perSecond() + " a second after that");
    }
  }

  private static Http2Exception flood(String what) {
    return Http2Exception.connection(ErrorCode.ENHANCE_YOUR_CALM, what + " (RFC 9113 §10.5)");
  }

  /**
   * Allows a burst, then a rate per second. Time is an argument; it may have any origin and must
   * not go back. For one thread at a time.
   */
  private static final class TokenBucket {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final long nanosPerToken;
    private final long capacityNanos;

    /** When the bucket will be full again, as time; what remains until then is what was taken. */
    private long fullAt;

    private boolean used;

    TokenBucket(Http2Limits.Rate rate) {
      nanosPerToken = NANOS_PER_SECOND / rate.perSecond();
      capacityNanos = nanosPerToken * rate.atOnce();
    }

    /** Takes a token; returns false if there is none. */
    boolean take(long nowNanos) {
      // Differences of times only: they are right even if a time overflows.
      long taken = used ? Math.max(0, fullAt - nowNanos) : 0;
      if (taken > capacityNanos - nanosPerToken) {
        return false;
      }
      used = true;
      fullAt = nowNanos + taken + nanosPerToken;
      return true;
    }

    /** Puts tokens back, as far as some were taken. */
    void give(long tokens, long nowNanos) {
      if (used && fullAt - nowNanos > 0) {
        fullAt -= nanosPerToken * tokens;
      }
    }
  }
}
