package heddle.websocket;

import org.jspecify.annotations.Nullable;

/** Which frames may follow each other in messages (RFC 6455 section 5.4). Not thread-safe. */
final class FrameOrder {
  /** The type of the message whose last frame has not come yet; null between messages. */
  private @Nullable Opcode type;

  /**
   * Takes the next frame that is no control frame.
   *
   * @return TEXT or BINARY: the type of its message
   * @throws WebSocketProtocolException if there is no message to continue, or one that must end
   *     before
   */
  Opcode typeOf(FrameHeader header) throws WebSocketProtocolException {
    boolean continues = header.opcode() == Opcode.CONTINUATION;
    Opcode before = type;
    if (continues == (before == null)) {
      throw new WebSocketProtocolException(
          CloseReason.PROTOCOL_ERROR,
          (continues ? "a continuation of no message" : "a message before the end of another")
              + " (RFC 6455 section 5.4)");
    }
    Opcode current = before == null ? header.opcode() : before;
    type = header.last() ? null : current;
    return current;
  }
}
