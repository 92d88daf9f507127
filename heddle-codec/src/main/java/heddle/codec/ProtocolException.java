package heddle.codec;

import heddle.http.Limits;
import heddle.http.Status;

/**
 * The peer broke the protocol, or went over one of our {@link Limits}. The session that threw it is
 * of no further use for receiving; the connection must be closed, on a server after a response of
 * {@link #status()} if no response has begun.
 *
 * <p>It has no stack trace: the cause is in the peer's bytes, not in our code, and hostile peers
 * must not make it expensive.
 */
public final class ProtocolException extends Exception {
  private static final long serialVersionUID = 1L;

  private final Violation violation;

  private ProtocolException(Violation violation, String message) {
    super(message, null, false, false);
    this.violation = violation;
  }

  /** Which rule was broken. */
  public Violation violation() {
    return violation;
  }

  /** What a server answers before it closes the connection: 400, 414, 431, 501, 505 and so on. */
  public Status status() {
    return Status.of(violation.statusCode);
  }

  /** The rules that a peer can break. */
  public enum Violation {
    /** A malformed request line or status line, RFC 9112 §3 and §4. */
    MALFORMED_START_LINE(400),
    /**
     * A request line that ends with the name of another protocol. An answer in HTTP/1.1 would tell
     * the peer nothing; if it meant HTTP/2, the connection has to end (RFC 9113 §3.4).
     */
    OTHER_PROTOCOL(400),
    /** A request-target in none of the four forms, or not in the one of its method, §3.2. */
    MALFORMED_TARGET(400),
    /** A version other than HTTP/1.x. */
    UNSUPPORTED_VERSION(505),
    /** A request line or status line longer than {@link Limits#maxStartLineBytes}. */
    START_LINE_TOO_LONG(414),
    /** A head longer than {@link Limits#maxHeadBytes}. */
    HEAD_TOO_LARGE(431),
    /** More field lines than {@link Limits#maxFields}. */
    TOO_MANY_FIELDS(431),
    /** A field line without a colon, with a name that is no token, or a control byte in it. */
    MALFORMED_FIELD(400),
    /**
     * A field line that begins with white space, RFC 9112 §5.2: in a request, or as the first of a
     * response.
     */
    OBSOLETE_FOLDING(400),
    /** A CR without LF or an LF without CR, RFC 9112 §2.2. */
    BARE_LINE_ENDING(400),
    /** No Host field, several, or one that is no host, RFC 9112 §3.2. */
    BAD_HOST(400),
    /** A Content-Length that is no number of octets, or given twice, RFC 9112 §6.3. */
    BAD_CONTENT_LENGTH(400),
    /** Content-Length and Transfer-Encoding in one message, RFC 9112 §6.1. */
    AMBIGUOUS_LENGTH(400),
    /** A Transfer-Encoding in which chunked is not last, not alone, or not allowed. */
    BAD_TRANSFER_ENCODING(400),
    /** A transfer coding other than chunked, RFC 9112 §6.1. */
    UNSUPPORTED_TRANSFER_CODING(501),
    /** A body although the method allows none. */
    UNEXPECTED_CONTENT(400),
    /** A chunk that RFC 9112 §7.1 does not describe. */
    MALFORMED_CHUNK(400),
    /** Chunk extensions and trailers beyond {@link Limits#maxChunkOverheadBytes}. */
    CHUNK_OVERHEAD_TOO_LARGE(431),
    /** Chunks whose framing outweighs their content, more of them than a peer may send. */
    TINY_CHUNKS(400),
    /** A trailer field that frames or routes the message, RFC 9110 §6.5.1. */
    FORBIDDEN_TRAILER(400),
    /** More interim responses in a row than {@link Limits#maxInterimResponses}. */
    TOO_MANY_INTERIM_RESPONSES(502),
    /** Bytes from a server to which no request was sent. */
    UNSOLICITED_RESPONSE(502),
    /** A 101 that the request did not offer, RFC 9110 §7.8. */
    UNSOLICITED_UPGRADE(502),
    /** The peer closed before any byte of a message that was due. */
    CLOSED_BEFORE_HEAD(400),
    /** The peer closed in the middle of a head. */
    CLOSED_IN_HEAD(400),
    /** The peer closed before as much content had come as Content-Length announces. */
    CLOSED_IN_CONTENT(400),
    /** The peer closed before the last chunk and the trailers behind it. */
    CLOSED_IN_CHUNKS(400);

    private final int statusCode;

    Violation(int statusCode) {
      this.statusCode = statusCode;
    }

    /** An exception; its message says what was seen, at which byte, and what was expected. */
    public ProtocolException because(String message) {
      return new ProtocolException(this, message);
    }

    /** Whether the peer closed before the message was complete. */
    public boolean isTruncation() {
      return compareTo(CLOSED_BEFORE_HEAD) >= 0;
    }

    /** Whether a bound of {@link Limits} was passed rather than a rule of the protocol broken. */
    public boolean isLimit() {
      return this == START_LINE_TOO_LONG
          || this == HEAD_TOO_LARGE
          || this == TOO_MANY_FIELDS
          || this == CHUNK_OVERHEAD_TOO_LARGE
          || this == TOO_MANY_INTERIM_RESPONSES;
    }
  }
}
