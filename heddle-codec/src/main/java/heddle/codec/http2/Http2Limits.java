package heddle.codec.http2;

import heddle.codec.Role;
import heddle.codec.http2.frame.Settings;
import heddle.http.Limits;

/**
 * What a session accepts from its peer, and advertises of that in SETTINGS. Immutable; one instance
 * serves any number of sessions.
 *
 * @param maxStreams streams open at once: those of the peer on a server, which are advertised
 *     (RFC 9113 §5.1.2), and our own on a client; at least 1
 * @param headerTableBytes bytes of the HPACK decoder's dynamic table; at least 0
 * @param maxHeaderListBytes bytes of a decoded field section, as HPACK counts them (RFC 7541 §4.1);
 *     at least 64
 * @param maxFields fields of a field section; at least 1
 * @param maxHeaderBlockBytes bytes of an encoded field block in all its frames; at least 64
 * @param maxContinuations CONTINUATION frames of a field block; at least 0
 * @param maxInterimResponses responses of status 1xx in a row before a final one; at least 0
 * @param maxFrameBytes bytes of a frame's payload, 2^14 to 2^24-1
 * @param streamWindow bytes that a new stream may hold unread; at least 1
 * @param maxStreamWindow what a stream's window may grow to; at least {@code streamWindow}, at most
 *     2^30-1
 * @param fixedConnectionWindow bytes that all streams together may hold unread, 65,535 to 2^31-1;
 *     0 for twice the largest window of a stream
 * @param maxOpenHeadBytes bytes of the heads and trailers of all streams that are open, counted as
 *     {@code maxHeaderListBytes} is; at least 0. A server refuses a stream beyond it, a client
 *     gives the response up. Each stream may hold 512 bytes, and one stream
 *     {@code maxHeaderListBytes}, whatever the others hold
 * @param maxQueuedControlFrames frames that we owe a peer which does not read; at least 16
 * @param maxQueuedBytes bytes of frames, other than referenced content, that wait for a client
 *     which does not read before a server refuses its further requests; at least 16,384
 * @param extendedConnect whether a server takes extended CONNECT (RFC 8441), and says so; without
 *     effect on a client
 * @param floods how often a peer may do what costs it little and us more
 */
public record Http2Limits(
    int maxStreams,
    int headerTableBytes,
    int maxHeaderListBytes,
    int maxFields,
    int maxHeaderBlockBytes,
    int maxContinuations,
    int maxInterimResponses,
    int maxFrameBytes,
    int streamWindow,
    int maxStreamWindow,
    int fixedConnectionWindow,
    int maxOpenHeadBytes,
    int maxQueuedControlFrames,
    int maxQueuedBytes,
    boolean extendedConnect,
    Floods floods) {
  private static final int KIB = 1_024;
  private static final int MIB = 1_024 * KIB;

  /**
   * 1,000 streams, windows of 256 KiB that grow to 16 MiB, 64 KiB and 200 fields a head, 4 MiB of
   * heads of open streams, 8 CONTINUATION frames.
   */
  public static final Http2Limits CLIENT = new Http2Limits(
      1_000,
      4_096,
      64 * KIB,
      200,
      128 * KIB,
      8,
      8,
      16 * KIB,
      256 * KIB,
      16 * MIB,
      0,
      4 * MIB,
      10_000,
      512 * KIB,
      false,
      Floods.DEFAULTS);

  /**
   * As for a client, but 128 streams, which is above the 100 that clients open before they have
   * seen SETTINGS and that RFC 9113 §6.5.2 recommends as a minimum; heads of 16 KiB, 256 KiB for
   * those of all open streams; and windows that grow to 768 KiB, so that a client whose content is
   * not read holds 1.5 MiB at most.
   */
  public static final Http2Limits SERVER = CLIENT.toBuilder()
      .heads(Limits.SERVER_DEFAULTS)
      .maxStreams(128)
      .windows(CLIENT.streamWindow, 768 * KIB)
      .maxOpenHeadBytes(256 * KIB)
      .build();

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException when a limit is out of its range
   */
  public Http2Limits {
    within("maxStreams", maxStreams, 1, Integer.MAX_VALUE);
    within("headerTableBytes", headerTableBytes, 0, Integer.MAX_VALUE);
    within("maxHeaderListBytes", maxHeaderListBytes, 64, Integer.MAX_VALUE);
    within("maxFields", maxFields, 1, Integer.MAX_VALUE);
    within("maxHeaderBlockBytes", maxHeaderBlockBytes, 64, Integer.MAX_VALUE);
    within("maxContinuations", maxContinuations, 0, Integer.MAX_VALUE);
    within("maxInterimResponses", maxInterimResponses, 0, Integer.MAX_VALUE);
    within("maxFrameBytes", maxFrameBytes, 1 << 14, (1 << 24) - 1);
    within("streamWindow", streamWindow, 1, maxStreamWindow);
    within("maxStreamWindow", maxStreamWindow, streamWindow, (1 << 30) - 1);
    if (fixedConnectionWindow != 0) {
      // RFC 9113 §6.9.2: it begins with 65,535 bytes and can only be made larger.
      within("fixedConnectionWindow", fixedConnectionWindow, 65_535, Integer.MAX_VALUE);
    }
    within("maxOpenHeadBytes", maxOpenHeadBytes, 0, Integer.MAX_VALUE);
    within("maxQueuedControlFrames", maxQueuedControlFrames, 16, Integer.MAX_VALUE);
    within("maxQueuedBytes", maxQueuedBytes, 16 * KIB, Integer.MAX_VALUE);
  }

  /** The SETTINGS that advertise these limits to the peer. */
  public Settings settings(Role role) {
    Settings.Builder settings = Settings.INITIAL.toBuilder()
        .headerTableSize(headerTableBytes)
        .initialWindowSize(streamWindow)
        .maxFrameSize(maxFrameBytes)
        .maxHeaderListSize(maxHeaderListBytes);
    // RFC 9113 §6.5.2: a server that sends ENABLE_PUSH must send 0, and its 0 says nothing.
    return switch (role) {
      case CLIENT -> settings.enablePush(false).build();
      case SERVER ->
        settings
            .maxConcurrentStreams(maxStreams)
            .enableConnectProtocol(extendedConnect)
            .noRfc7540Priorities(true)
            .build();
    };
  }

  /** Bytes that a connection may hold unread if its streams have this window. */
  public int connectionWindow(int largestStreamWindow) {
    return fixedConnectionWindow == 0 ? 2 * largestStreamWindow : fixedConnectionWindow;
  }

  /** A builder with these limits. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /** Collects limits. Not safe for use by several threads. */
  public static final class Builder {
    private final Http2Limits from;
    private int maxStreams;
    private int headerTableBytes;
    private int maxHeaderListBytes;
    private int maxFields;
    private int maxHeaderBlockBytes;
    private int maxContinuations;
    private int maxFrameBytes;
    private int streamWindow;
    private int maxStreamWindow;
    private int fixedConnectionWindow;
    private int maxOpenHeadBytes;
    private int maxQueuedControlFrames;
    private int maxQueuedBytes;
    private boolean extendedConnect;
    private Floods floods;

    private Builder(Http2Limits from) {
      this.from = from;
      maxStreams = from.maxStreams;
      headerTableBytes = from.headerTableBytes;
      maxHeaderListBytes = from.maxHeaderListBytes;
      maxFields = from.maxFields;
      maxHeaderBlockBytes = from.maxHeaderBlockBytes;
      maxContinuations = from.maxContinuations;
      maxFrameBytes = from.maxFrameBytes;
      streamWindow = from.streamWindow;
      maxStreamWindow = from.maxStreamWindow;
      fixedConnectionWindow = from.fixedConnectionWindow;
      maxOpenHeadBytes = from.maxOpenHeadBytes;
      maxQueuedControlFrames = from.maxQueuedControlFrames;
      maxQueuedBytes = from.maxQueuedBytes;
      extendedConnect = from.extendedConnect;
      floods = from.floods;
    }

    /** Streams open at once; at least 1. */
    public Builder maxStreams(int streams) {
      maxStreams = streams;
      return this;
    }

    /**
     * The bounds that a head has in every protocol version, and a CONTINUATION frame more for each
     * 25 fields that it may have beyond 200.
     */
    public Builder heads(Limits heads) {
      int list = heads.maxHeadBytes();
      // What is not Huffman-coded is as long as the decoded fields, less what HPACK adds to each.
      int block = (int) Math.min(2L * list, Integer.MAX_VALUE);
      int continuations = Math.max(maxContinuations, heads.maxFields() / 25);
      return heads(list, heads.maxFields(), block, continuations);
    }

    /** The bounds of a head: decoded bytes, fields, encoded bytes, and CONTINUATION frames. */
    public Builder heads(int listBytes, int fields, int blockBytes, int continuations) {
      maxHeaderListBytes = listBytes;
      maxFields = fields;
      maxHeaderBlockBytes = blockBytes;
      maxContinuations = continuations;
      return this;
    }

    /** Bytes of the heads and trailers of all open streams; at least 0. */
    public Builder maxOpenHeadBytes(int bytes) {
      maxOpenHeadBytes = bytes;
      return this;
    }

    /** What a new stream may hold unread, and what its window may grow to; at most 2^30-1. */
    public Builder windows(int atFirst, int atMost) {
      streamWindow = atFirst;
      maxStreamWindow = atMost;
      return this;
    }

    /**
     * Bytes that all streams together may hold unread, 65,535 to 2^31-1; 0 for twice the largest
     * window of a stream.
     */
    public Builder fixedConnectionWindow(int bytes) {
      fixedConnectionWindow = bytes;
      return this;
    }

    /** Bytes of a frame's payload, 2^14 to 2^24-1. */
    public Builder maxFrameBytes(int bytes) {
      maxFrameBytes = bytes;
      return this;
    }

    /** Bytes of the HPACK decoder's dynamic table; at least 0. */
    public Builder headerTableBytes(int bytes) {
      headerTableBytes = bytes;
      return this;
    }

    /** How often a peer may do what costs us more, and how many frames we may owe it. */
    public Builder floods(Floods newFloods, int queuedControlFrames) {
      floods = newFloods;
      maxQueuedControlFrames = queuedControlFrames;
      return this;
    }

    /** Bytes of frames that wait for a client which does not read; at least 16,384. */
    public Builder maxQueuedBytes(int bytes) {
      maxQueuedBytes = bytes;
      return this;
    }

    /** Takes extended CONNECT: for a server that has a handler for it. */
    public Builder extendedConnect() {
      extendedConnect = true;
      return this;
    }

    /**
     * The limits.
     *
     * @throws IllegalArgumentException if one of them is out of its range
     */
    public Http2Limits build() {
      return new Http2Limits(
          maxStreams,
          headerTableBytes,
          maxHeaderListBytes,
          maxFields,
          maxHeaderBlockBytes,
          maxContinuations,
          from.maxInterimResponses,
          maxFrameBytes,
          streamWindow,
          maxStreamWindow,
          fixedConnectionWindow,
          maxOpenHeadBytes,
          maxQueuedControlFrames,
          maxQueuedBytes,
          extendedConnect,
          floods);
    }
  }

  private static void within(String what, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          what + " is " + value + ", must be from " + least + " to " + most);
    }
  }

  /**
   * How often something may happen.
   *
   * @param atOnce times in a row; at least 1
   * @param perSecond times a second after that; at least 1
   */
  public record Rate(int atOnce, int perSecond) {
    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException when a number is below 1
     */
    public Rate {
      within("atOnce", atOnce, 1, Integer.MAX_VALUE);
      within("perSecond", perSecond, 1, 1_000_000_000);
    }
  }

  /**
   * How often a peer may send what costs it little and us more.
   *
   * @param resets streams that the peer resets (CVE-2023-44487)
   * @param owedResets streams that the peer provokes us to reset (CVE-2025-8671)
   * @param settings SETTINGS frames, each of which we must acknowledge (CVE-2019-9515)
   * @param pings PING frames, each of which we must acknowledge (CVE-2019-9512)
   * @param emptyFrames DATA, HEADERS and CONTINUATION frames that bring nothing and end nothing
   *     (CVE-2019-9518)
   * @param priorities PRIORITY and PRIORITY_UPDATE frames (CVE-2019-9513); a new stream allows one
   *     more
   * @param unknown frames of types that we do not know
   * @param windowUpdates WINDOW_UPDATE frames beyond those that go with what we send: one for each
   *     512 bytes of content, two for each frame of fewer that the peer's windows did not cut
   *     short, four for each stream (CVE-2026-49975)
   * @param goAways GOAWAY frames
   * @param smallData DATA frames of fewer than 256 bytes of content, padding not counted, that do
   *     not end their stream; each 256 bytes of content that come allow one more
   */
  public record Floods(
      Rate resets,
      Rate owedResets,
      Rate settings,
      Rate pings,
      Rate emptyFrames,
      Rate priorities,
      Rate unknown,
      Rate windowUpdates,
      Rate goAways,
      Rate smallData) {
    /**
     * 1,000 resets at once and then 33 a second, in both directions; and more of what is cheaper.
     */
    public static final Floods DEFAULTS = new Floods(
        new Rate(1_000, 33),
        new Rate(1_000, 33),
        new Rate(200, 20),
        // Some peers measure the round trip with a PING for each, to size their windows.
        new Rate(5_000, 1_000),
        new Rate(1_000, 100),
        new Rate(1_000, 100),
        new Rate(1_000, 100),
        new Rate(1_000, 100),
        new Rate(10, 1),
        // Messages of a few bytes, each in a frame, are what some streams carry for hours.
        new Rate(10_000, 5_000));
  }
}
