package heddle.codec.http2;

/** How a script's input reaches the session. */
enum Cut {
  /** All frames of a step in one buffer. */
  WHOLE,
  /** Each byte alone, and settled. */
  BYTES
}
