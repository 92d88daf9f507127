package heddle.codec.http2.frame;

import heddle.codec.Role;
import heddle.codec.http2.frame.SettingsFrame.Parameter;
import java.util.ArrayList;
import java.util.List;

/**
 * What one side of a connection accepts and supports, RFC 9113 §6.5.2. Immutable.
 *
 * @param headerTableSize bytes of the dynamic table that its decoder keeps
 * @param enablePush whether it takes pushed streams
 * @param maxConcurrentStreams streams that the peer may have open at once; {@link #UNLIMITED} by
 *     default
 * @param initialWindowSize bytes that may be sent on a new stream before it gives more
 * @param maxFrameSize bytes of the largest payload that it takes, 2^14 to 2^24-1
 * @param maxHeaderListSize bytes of the largest field section that it takes, as HPACK counts them
 *     (RFC 7541 §4.1); advisory; {@link #UNLIMITED} by default
 * @param enableConnectProtocol whether extended CONNECT may be used with it (RFC 8441)
 * @param noRfc7540Priorities whether it ignores PRIORITY frames (RFC 9218 §2.1)
 */
public record Settings(
    int headerTableSize,
    boolean enablePush,
    int maxConcurrentStreams,
    int initialWindowSize,
    int maxFrameSize,
    int maxHeaderListSize,
    boolean enableConnectProtocol,
    boolean noRfc7540Priorities) {
  /** No bound; values on the wire above it mean the same. */
  public static final int UNLIMITED = Integer.MAX_VALUE;

  /** What holds before any SETTINGS came, RFC 9113 §6.5.2. */
  public static final Settings INITIAL =
      new Settings(4_096, true, UNLIMITED, 65_535, 16_384, UNLIMITED, false, false);

  public static final int HEADER_TABLE_SIZE = 0x1;
  public static final int ENABLE_PUSH = 0x2;
  public static final int MAX_CONCURRENT_STREAMS = 0x3;
  public static final int INITIAL_WINDOW_SIZE = 0x4;
  public static final int MAX_FRAME_SIZE = 0x5;
  public static final int MAX_HEADER_LIST_SIZE = 0x6;
  public static final int ENABLE_CONNECT_PROTOCOL = 0x8;
  public static final int NO_RFC7540_PRIORITIES = 0x9;

  static final int LEAST_FRAME_SIZE = 1 << 14;
  static final int MOST_FRAME_SIZE = (1 << 24) - 1;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a value is out of its range
   */
  public Settings {
    if (headerTableSize < 0
        || maxConcurrentStreams < 0
        || initialWindowSize < 0
        || maxHeaderListSize < 0) {
      throw new IllegalArgumentException("a setting is negative");
    }
    if (maxFrameSize < LEAST_FRAME_SIZE || maxFrameSize > MOST_FRAME_SIZE) {
      throw new IllegalArgumentException(
          "maxFrameSize is " + maxFrameSize + ", must be from 16384 to 16777215");
    }
  }

  /**
   * These settings after their owner has sent a frame that changes them. Its parameters are applied
   * in order; unknown ones are ignored (RFC 9113 §6.5.3).
   *
   * @param owner the role of the side that sent the frame
   * @throws Http2Exception a connection error when a value is out of its range
   */
  public Settings with(SettingsFrame frame, Role owner) throws Http2Exception {
    Builder changed = toBuilder();
    for (Parameter parameter : frame.parameters()) {
      changed.apply(parameter.id(), parameter.value(), owner);
    }
    return changed.build();
  }

  /** The frame that announces these settings to a peer that knows {@code before}. */
  public SettingsFrame changesFrom(Settings before) {
    var changes = new ArrayList<Parameter>();
    add(changes, HEADER_TABLE_SIZE, before.headerTableSize, headerTableSize);
    add(changes, ENABLE_PUSH, before.enablePush ? 1 : 0, enablePush ? 1 : 0);
    add(changes, MAX_CONCURRENT_STREAMS, before.maxConcurrentStreams, maxConcurrentStreams);
    add(changes, INITIAL_WINDOW_SIZE, before.initialWindowSize, initialWindowSize);
    add(changes, MAX_FRAME_SIZE, before.maxFrameSize, maxFrameSize);
    add(changes, MAX_HEADER_LIST_SIZE, before.maxHeaderListSize, maxHeaderListSize);
    add(
        changes,
        ENABLE_CONNECT_PROTOCOL,
        before.enableConnectProtocol ? 1 : 0,
        enableConnectProtocol ? 1 : 0);
    add(
        changes,
        NO_RFC7540_PRIORITIES,
        before.noRfc7540Priorities ? 1 : 0,
        noRfc7540Priorities ? 1 : 0);
    return new SettingsFrame(false, changes);
  }

  /**
   * The frame that begins a client's connection. It announces the sizes that a server needs even if
   * they are the defaults (RFC 9113 §6.5.2), because some servers do not assume the defaults.
   */
  public SettingsFrame announced() {
    List<Parameter> all = new ArrayList<>();
    all.add(new Parameter(HEADER_TABLE_SIZE, headerTableSize));
    all.add(new Parameter(INITIAL_WINDOW_SIZE, initialWindowSize));
    all.add(new Parameter(MAX_FRAME_SIZE, maxFrameSize));
    for (Parameter changed : changesFrom(INITIAL).parameters()) {
      if (all.stream().noneMatch(told -> told.id() == changed.id())) {
        all.add(changed);
      }
    }
    return new SettingsFrame(false, all);
  }

  private static void add(List<Parameter> changes, int id, int before, int now) {
    if (now != before) {
      changes.add(new Parameter(id, now));
    }
  }

  /** A builder that starts from these settings. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /** Changes some settings. Not safe for use by several threads. */
  public static final class Builder {
    private int headerTableSize;
    private boolean enablePush;
    private int maxConcurrentStreams;
    private int initialWindowSize;
    private int maxFrameSize;
    private int maxHeaderListSize;
    private boolean enableConnectProtocol;
    private boolean noRfc7540Priorities;

    private Builder(Settings from) {
      headerTableSize = from.headerTableSize;
      enablePush = from.enablePush;
      maxConcurrentStreams = from.maxConcurrentStreams;
      initialWindowSize = from.initialWindowSize;
      maxFrameSize = from.maxFrameSize;
      maxHeaderListSize = from.maxHeaderListSize;
      enableConnectProtocol = from.enableConnectProtocol;
      noRfc7540Priorities = from.noRfc7540Priorities;
    }

    public Builder headerTableSize(int bytes) {
      headerTableSize = bytes;
      return this;
    }

    public Builder enablePush(boolean enable) {
      enablePush = enable;
      return this;
    }

    public Builder maxConcurrentStreams(int streams) {
      maxConcurrentStreams = streams;
      return this;
    }

    public Builder initialWindowSize(int bytes) {
      initialWindowSize = bytes;
      return this;
    }

    public Builder maxFrameSize(int bytes) {
      maxFrameSize = bytes;
      return this;
    }

    public Builder maxHeaderListSize(int bytes) {
      maxHeaderListSize = bytes;
      return this;
    }

    public Builder enableConnectProtocol(boolean enable) {
      enableConnectProtocol = enable;
      return this;
    }

    public Builder noRfc7540Priorities(boolean none) {
      noRfc7540Priorities = none;
      return this;
    }

    /**
     * The settings.
     *
     * @throws IllegalArgumentException if a value is out of its range
     */
    public Settings build() {
      return new Settings(
          headerTableSize,
          enablePush,
          maxConcurrentStreams,
          initialWindowSize,
          maxFrameSize,
          maxHeaderListSize,
          enableConnectProtocol,
          noRfc7540Priorities);
    }

    private void apply(int id, long value, Role owner) throws Http2Exception {
      switch (id) {
        case HEADER_TABLE_SIZE -> headerTableSize = clamp(value);
        case ENABLE_PUSH -> enablePush = push(value, owner);
        case MAX_CONCURRENT_STREAMS -> maxConcurrentStreams = clamp(value);
        case INITIAL_WINDOW_SIZE -> initialWindowSize = window(value);
        case MAX_FRAME_SIZE -> maxFrameSize = frameSize(value);
        case MAX_HEADER_LIST_SIZE -> maxHeaderListSize = clamp(value);
        case ENABLE_CONNECT_PROTOCOL -> enableConnectProtocol = connect(value);
        case NO_RFC7540_PRIORITIES ->
          noRfc7540Priorities = flag(value, "NO_RFC7540_PRIORITIES", "RFC 9218 §2.1");
        default -> {} // RFC 9113 §6.5.2: unknown settings are ignored.
      }
    }

    /** RFC 9113 §6.5.2: a client must not accept that a server takes pushes. */
    private static boolean push(long value, Role owner) throws Http2Exception {
      boolean enabled = flag(value, "ENABLE_PUSH", "RFC 9113 §6.5.2");
      if (enabled && owner == Role.SERVER) {
        throw refused(ErrorCode.PROTOCOL_ERROR, "ENABLE_PUSH of a server is 1, must be 0");
      }
      return enabled;
    }

    /** RFC 8441 §3: what was once enabled stays so. */
    private boolean connect(long value) throws Http2Exception {
      boolean enabled = flag(value, "ENABLE_CONNECT_PROTOCOL", "RFC 8441 §3");
      if (enableConnectProtocol && !enabled) {
        throw Http2Exception.connection(
            ErrorCode.PROTOCOL_ERROR,
            "ENABLE_CONNECT_PROTOCOL goes from 1 back to 0 (RFC 8441 §3)");
      }
      return enabled;
    }

    private static int window(long value) throws Http2Exception {
      if (value > FrameHeader.MAX_31_BITS) {
        throw refused(
            ErrorCode.FLOW_CONTROL_ERROR,
            "INITIAL_WINDOW_SIZE is " + value + ", must be at most 2147483647");
      }
      return (int) value;
    }

    private static int frameSize(long value) throws Http2Exception {
      if (value < LEAST_FRAME_SIZE || value > MOST_FRAME_SIZE) {
        throw refused(
            ErrorCode.PROTOCOL_ERROR,
            "MAX_FRAME_SIZE is " + value + ", must be from 16384 to 16777215");
      }
      return (int) value;
    }

    private static boolean flag(long value, String setting, String section) throws Http2Exception {
      if (value > 1) {
        throw Http2Exception.connection(
            ErrorCode.PROTOCOL_ERROR,
            setting + " is " + value + ", must be 0 or 1 (" + section + ")");
      }
      return value == 1;
    }

    private static int clamp(long value) {
      return (int) Math.min(value, UNLIMITED);
    }

    private static Http2Exception refused(ErrorCode code, String what) {
      return Http2Exception.connection(code, what + " (RFC 9113 §6.5.2)");
    }
  }
}
