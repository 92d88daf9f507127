package heddle.websocket;

import org.jspecify.annotations.Nullable;

/** What a frame is (RFC 6455 section 5.2). */
enum Opcode {
  CONTINUATION(0),
  TEXT(1),
  BINARY(2),
  CLOSE(8),
  PING(9),
  PONG(10);

  private static final @Nullable Opcode[] BY_CODE = new @Nullable Opcode[16];

  static {
    for (Opcode each : values()) {
      BY_CODE[each.code] = each;
    }
  }

  private final int code;

  Opcode(int code) {
    this.code = code;
  }

  /** Null if the number is reserved. */
  static @Nullable Opcode of(int code) {
    return BY_CODE[code];
  }

  int code() {
    return code;
  }

  /** Whether it is a control frame, which may come between the fragments of a message. */
  boolean isControl() {
    return code >= 8;
  }
}
