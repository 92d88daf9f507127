package heddle.codec.http1;

/** How the end of a message's content is told, RFC 9112 §6.3. */
enum BodyFraming {
  NONE,
  CONTENT_LENGTH,
  CHUNKED,
  UNTIL_CLOSE
}
