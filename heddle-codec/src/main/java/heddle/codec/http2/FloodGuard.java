package heddle.codec.http2;

import heddle.codec.http2.Http2Limits.Floods;
import heddle.codec.http2.Http2Limits.Rate;
import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Frame;
import heddle.codec.http2.frame.Http2Exception;
import java.nio.ByteBuffer;

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
   * @throws Http2Exception a connection error when it is one too many, as all here
   */
  void check(Frame frame, long nowNanos) throws Http2Exception {
    switch (frame) {
      case Frame.Data data -> data(data, nowNanos);
      case Frame.Headers headers -> block(headers.fragment(), true, headers.endHeaders(), nowNanos);
      case Frame.PushPromise promise ->
        block(promise.fragment(), true, promise.endHeaders(), nowNanos);
      case Frame.Continuation more -> block(more.fragment(), false, more.endHeaders(), nowNanos);
      case Frame.RstStream unused -> resets.take("resets (CVE-2023-44487)", nowNanos);
      case Frame.Settings unused -> settings.take("SETTINGS", nowNanos);
      case Frame.Ping unused -> pings.take("PINGs", nowNanos);
      case Frame.Priority unused -> prioritySignal(nowNanos);
      case Frame.PriorityUpdate unused -> prioritySignal(nowNanos);
      case Frame.Unknown unused -> unknown.take("frames of unknown types", nowNanos);
      case Frame.WindowUpdate unused -> windowUpdate(nowNanos);
      case Frame.GoAway unused -> goAways.take("GOAWAYs", nowNanos);
    }
  }

  /**
   * Counts a DATA frame or a piece of one. Content pays for small frames: those of a message that
   * is written in odd pieces are no flood.
   */
  private void data(Frame.Data frame, long nowNanos) throws Http2Exception {
    if (frame.begun() == 0 && !frame.endStream()) {
      isSmall = false;
      emptyFrames.take("empty frames", nowNanos);
    } else if (frame.begun() >= 0) {
      isSmall = frame.begun() < SMALL_DATA;
      if (isSmall) {
        smallData.take("DATA frames of fewer than " + SMALL_DATA + " bytes", nowNanos);
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

  /** How many WINDOW_UPDATE frames go with what was sent on the connection in all. */
  void updatesEarned(long earned) {
    saveUpdates(earned - updatesEarned);
    updatesEarned = earned;
  }

  private void saveUpdates(long more) {
    updatesSaved = Math.min(MOST_SAVED_UPDATES, updatesSaved + more);
  }

  private void prioritySignal(long nowNanos) throws Http2Exception {
    priorities.take("priority signals", nowNanos);
  }

  private void windowUpdate(long nowNanos) throws Http2Exception {
    if (updatesSaved > 0) {
      updatesSaved--;
    } else {
      windowUpdates.take("WINDOW_UPDATEs without content", nowNanos);
    }
  }

  /** Counts HEADERS on a stream that we have reset. */
  void ignored(long nowNanos) throws Http2Exception {
    emptyFrames.take("HEADERS on streams that were reset", nowNanos);
  }

  /** Counts a stream that the peer makes us reset. */
  void resetOwed(long nowNanos) throws Http2Exception {
    owedResets.take("streams that we had to reset (CVE-2025-8671)", nowNanos);
  }

  /** The peer opened a stream, which allows it a priority signal and some credit more. */
  void streamOpened(long nowNanos) {
    priorities.give(1, nowNanos);
    saveUpdates(UPDATES_PER_STREAM);
  }

  /** Checks how many control frames wait for a peer that does not read. */
  static void checkQueued(int controlFrames, Http2Limits limits) throws Http2Exception {
    if (controlFrames > limits.maxQueuedControlFrames()) {
      throw flood("more than " + limits.maxQueuedControlFrames()
          + " control frames wait for a peer that does not read");
    }
  }

  private void block(ByteBuffer fragment, boolean begins, boolean ends, long nowNanos)
      throws Http2Exception {
    continuations = begins ? 0 : continuations + 1;
    blockBytes = begins ? fragment.remaining() : blockBytes + fragment.remaining();
    if (continuations > limits.maxContinuations()) {
      throw flood("more than " + limits.maxContinuations()
          + " CONTINUATION frames in a field block (CVE-2024-27316)");
    }
    if (blockBytes > limits.maxHeaderBlockBytes()) {
      throw flood("a field block of more than " + limits.maxHeaderBlockBytes() + " encoded bytes");
    }
    if (!fragment.hasRemaining() && !ends) {
      emptyFrames.take("empty frames", nowNanos);
    }
  }

  private static Http2Exception flood(String what) {
    return Http2Exception.connection(ErrorCode.ENHANCE_YOUR_CALM, what + " (RFC 9113 §10.5)");
  }

  /** Allows a burst, then a rate per second. Time may have any origin and must not go back. */
  private static final class TokenBucket {
    private final Rate rate;
    private final long nanosPerToken;

    /** When the bucket will be full again, as time; what remains until then is what was taken. */
    private long fullAt;

    private boolean used;

    TokenBucket(Rate rate) {
      this.rate = rate;
      nanosPerToken = 1_000_000_000L / rate.perSecond();
    }

    /** Takes a token; throws an error that names the flood if there is none. */
    void take(String flood, long nowNanos) throws Http2Exception {
      // Differences of times only: they are right even if a time overflows.
      long taken = used ? Math.max(0, fullAt - nowNanos) : 0;
      if (taken > nanosPerToken * (rate.atOnce() - 1)) {
        throw flood("too many " + flood + ": more than " + rate.atOnce() + " at once and "
            + rate.perSecond() + " a second after that");
      }
      used = true;
      fullAt = nowNanos + taken + nanosPerToken;
    }

    /** Puts tokens back, as far as some were taken. */
    void give(long tokens, long nowNanos) {
      if (used && fullAt - nowNanos > 0) {
        fullAt -= nanosPerToken * tokens;
      }
    }
  }
}
