package heddle.codec.http2.frame;

import heddle.codec.Role;
import heddle.codec.http2.frame.Frame.Settings.Parameter;
import java.util.ArrayList;

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
    checkFrameSize(maxFrameSize);
  }

  static void checkFrameSize(int bytes) {
    if (bytes < LEAST_FRAME_SIZE || bytes > MOST_FRAME_SIZE) {
      throw new IllegalArgumentException(
          "maxFrameSize is " + bytes + ", must be from 16384 to 16777215");
    }
  }

  /**
   * These settings after their owner has sent a frame that changes them. Its parameters are applied
   * in order; unknown ones are ignored (RFC 9113 §6.5.3).
   *
   * @param owner the role of the side that sent the frame
   * @throws Http2Exception a connection error when a value is out of its range
   */
  public Settings with(Frame.Settings frame, Role owner) throws Http2Exception {
    Builder changed = toBuilder();
    for (Parameter parameter : frame.parameters()) {
      changed.apply(parameter.id(), parameter.value(), owner);
    }
    return changed.build();
  }

  /** The frame that announces these settings to a peer that knows {@code before}. */
  public Frame.Settings changesFrom(Settings before) {
    return frame(before, false);
  }

  /**
   * The frame that begins a client's connection. It announces the sizes that a server needs even if
   * they are the defaults (RFC 9113 §6.5.2), because some servers do not assume the defaults.
   */
  public Frame.Settings announced() {
    return frame(INITIAL, true);
  }

  private Frame.Settings frame(Settings before, boolean withSizes) {
    int[] known = before.values();
    int[] values = values();
    var changes = new ArrayList<Parameter>();
    for (int id = 1; id < values.length; id++) {
      boolean isSize = id == HEADER_TABLE_SIZE || id == INITIAL_WINDOW_SIZE || id == MAX_FRAME_SIZE;
      if (values[id] != known[id] || (isSize && withSizes)) {
        changes.add(new Parameter(id, values[id]));
      }
    }
    return new Frame.Settings(false, changes);
  }

  /** Each setting at its id; a flag is 0 or 1. */
  private int[] values() {
    int[] values = new int[NO_RFC7540_PRIORITIES + 1];
    values[HEADER_TABLE_SIZE] = headerTableSize;
    values[ENABLE_PUSH] = enablePush ? 1 : 0;
    values[MAX_CONCURRENT_STREAMS] = maxConcurrentStreams;
    values[INITIAL_WINDOW_SIZE] = initialWindowSize;
    values[MAX_FRAME_SIZE] = maxFrameSize;
    values[MAX_HEADER_LIST_SIZE] = maxHeaderListSize;
    values[ENABLE_CONNECT_PROTOCOL] = enableConnectProtocol ? 1 : 0;
    values[NO_RFC7540_PRIORITIES] = noRfc7540Priorities ? 1 : 0;
    return values;
  }

  /** A builder that starts from these settings. */
  public Builder toBuilder() {
    return new Builder(values());
  }

  /** Changes some settings. Not safe for use by several threads. */
  public static final class Builder {
    private final int[] values;

    private Builder(int[] values) {
      this.values = values;
    }

    public Builder headerTableSize(int bytes) {
      return set(HEADER_TABLE_SIZE, bytes);
    }

    public Builder enablePush(boolean enable) {
      return set(ENABLE_PUSH, enable ? 1 : 0);
    }

    public Builder maxConcurrentStreams(int streams) {
      return set(MAX_CONCURRENT_STREAMS, streams);
    }

    public Builder initialWindowSize(int bytes) {
      return set(INITIAL_WINDOW_SIZE, bytes);
    }

    public Builder maxFrameSize(int bytes) {
      return set(MAX_FRAME_SIZE, bytes);
    }

    public Builder maxHeaderListSize(int bytes) {
      return set(MAX_HEADER_LIST_SIZE, bytes);
    }

    public Builder enableConnectProtocol(boolean enable) {
      return set(ENABLE_CONNECT_PROTOCOL, enable ? 1 : 0);
    }

    public Builder noRfc7540Priorities(boolean none) {
      return set(NO_RFC7540_PRIORITIES, none ? 1 : 0);
    }

    private Builder set(int id, int value) {
      values[id] = value;
      return this;
    }

    /**
     * The settings.
     *
     * @throws IllegalArgumentException if a value is out of its range
     */
    public Settings build() {
      return new Settings(
          values[HEADER_TABLE_SIZE],
          values[ENABLE_PUSH] == 1,
          values[MAX_CONCURRENT_STREAMS],
          values[INITIAL_WINDOW_SIZE],
          values[MAX_FRAME_SIZE],
          values[MAX_HEADER_LIST_SIZE],
          values[ENABLE_CONNECT_PROTOCOL] == 1,
          values[NO_RFC7540_PRIORITIES] == 1);
    }

    private void apply(int id, long value, Role owner) throws Http2Exception {
      switch (id) {
        case HEADER_TABLE_SIZE, MAX_CONCURRENT_STREAMS, MAX_HEADER_LIST_SIZE -> {}
        case ENABLE_PUSH -> {
          checkFlag(value, "ENABLE_PUSH", "RFC 9113 §6.5.2");
          if (value == 1 && owner == Role.SERVER) {
            throw refused("ENABLE_PUSH of a server is 1, must be 0", "RFC 9113 §6.5.2");
          }
        }
        case INITIAL_WINDOW_SIZE -> {
          if (value > Integer.MAX_VALUE) {
            throw Http2Exception.connection(
                ErrorCode.FLOW_CONTROL_ERROR,
                "INITIAL_WINDOW_SIZE is " + value
                    + ", must be at most 2147483647 (RFC 9113 §6.5.2)");
          }
        }
        case MAX_FRAME_SIZE -> {
          if (value < LEAST_FRAME_SIZE || value > MOST_FRAME_SIZE) {
            throw refused(
                "MAX_FRAME_SIZE is " + value + ", must be from 16384 to 16777215",
                "RFC 9113 §6.5.2");
          }
        }
        case ENABLE_CONNECT_PROTOCOL -> {
          checkFlag(value, "ENABLE_CONNECT_PROTOCOL", "RFC 8441 §3");
          if (values[id] > value) {
            throw refused("ENABLE_CONNECT_PROTOCOL goes from 1 back to 0", "RFC 8441 §3");
          }
        }
        case NO_RFC7540_PRIORITIES -> checkFlag(value, "NO_RFC7540_PRIORITIES", "RFC 9218 §2.1");
        default -> {
          return; // RFC 9113 §6.5.2: unknown settings are ignored.
        }
      }
      values[id] = (int) Math.min(value, UNLIMITED);
    }

    private static void checkFlag(long value, String setting, String section)
        throws Http2Exception {
      if (value > 1) {
        throw refused(setting + " is " + value + ", must be 0 or 1", section);
      }
    }

    private static Http2Exception refused(String what, String section) {
      return Http2Exception.connection(ErrorCode.PROTOCOL_ERROR, what + " (" + section + ")");
    }
  }
}
