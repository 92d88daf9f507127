package heddle.websocket;

/** Whether messages are compressed, if both sides agree (permessage-deflate, RFC 7692). */
public enum Compression {
  /** Nothing is compressed, and no memory is used for it. */
  OFF,
  /**
   * Each message is compressed without regard to others. Memory is used only while a message is
   * compressed or decompressed.
   */
  EACH_MESSAGE,
  /**
   * Messages refer to what earlier ones contained, which makes small, similar messages much
   * smaller. Takes some 300 KiB of native memory per open socket.
   */
  WITH_CONTEXT
}
