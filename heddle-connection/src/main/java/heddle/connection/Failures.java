package heddle.connection;

import heddle.codec.ProtocolException;
import heddle.codec.ProtocolException.Violation;
import heddle.http.FailurePoint;
import heddle.http.HttpException;
import heddle.http.Phase;
import heddle.http.failure.ConnectFailedException;
import heddle.http.failure.ConnectionLostException;
import heddle.http.failure.ConnectionLostException.Progress;
import heddle.http.failure.ConnectionLostException.Side;
import heddle.http.failure.DeadlineExceededException;
import heddle.http.failure.MalformedMessageException;
import heddle.http.failure.MalformedMessageException.Kind;
import heddle.http.failure.MessageTooLargeException;
import heddle.http.failure.SlowResponseException;
import heddle.http.failure.TlsException;
import heddle.http.failure.UnresolvedHostException;
import heddle.transport.DeadlinePassedException;
import heddle.transport.TlsHandshakeException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/** Turns failures of the layers below into the exceptions that a call throws. */
public final class Failures {
  private Failures() {}

  /**
   * The exception to throw for a cause, with the point that the call had reached: the cause itself
   * if it is an interrupt or has a point.
   */
  public static IOException explain(Exception cause, FailurePoint at) {
    return switch (cause) {
      case HttpException e when e.at() != null -> e;
      case InterruptedIOException e -> e;
      case BodyClosedException e -> e;
      case SilenceException e ->
        HttpException.advise(
            new DeadlineExceededException(reason(e), at, e),
            e.hasBegun() ? "; raise Timeouts.silence" : "; raise Timeouts.firstByte");
      case MinimumRate.TooSlowException e ->
        HttpException.advise(
            new SlowResponseException(reason(e), at, e),
            "; lower or switch off HttpClient.Builder.minResponseRate");
      case DeadlinePassedException e ->
        HttpException.advise(
            new DeadlineExceededException(reason(e), at, e),
            "; give the request more time or ask for less");
      case UnknownHostException e ->
        HttpException.advise(
            new UnresolvedHostException(reason(e), at, e), "; check the URL's host");
      case ProtocolException e -> explainViolation(e, at);
      case TlsHandshakeException e ->
        HttpException.advise(new TlsException(e.reason(), reason(e), at, e), advice(e.reason()));
      case LostConnectionException e ->
        HttpException.advise(
            new ConnectionLostException(
                reason(e),
                progress(e.progress(), at.phase()),
                e.closedBy(),
                e.progress() == null,
                at,
                e),
            e.advice());
      default -> explainOther(cause, at);
    };
  }

  private static HttpException explainViolation(ProtocolException e, FailurePoint at) {
    if (e.violation().isTruncation()) {
      return new ConnectionLostException(reason(e), progress(e.violation()), Side.PEER, at, e);
    }
    String message = "the server's response is not valid HTTP: " + e.getMessage();
    return e.violation().isLimit()
        ? new MessageTooLargeException(message, at, e)
        : new MalformedMessageException(kind(e.violation()), message, at, e);
  }

  /** How far a message had come that was cut off. */
  public static Progress progress(Violation truncation) {
    return switch (truncation) {
      case CLOSED_IN_HEAD -> Progress.HEAD;
      case CLOSED_IN_CONTENT -> Progress.SIZED_CONTENT;
      case CLOSED_IN_CHUNKS -> Progress.CHUNKS;
      default -> Progress.NOTHING;
    };
  }

  private static Progress progress(@Nullable Progress known, Phase phase) {
    if (known != null) {
      return known;
    }
    return phase == Phase.READ_BODY ? Progress.CONTENT : Progress.NOTHING;
  }

  /** What is malformed about a message of HTTP/1.1. */
  public static Kind kind(Violation violation) {
    return switch (violation) {
      case MALFORMED_START_LINE, OTHER_PROTOCOL, MALFORMED_TARGET, UNSUPPORTED_VERSION ->
        Kind.START_LINE;
      case MALFORMED_FIELD, OBSOLETE_FOLDING, BARE_LINE_ENDING, BAD_HOST, FORBIDDEN_TRAILER ->
        Kind.BAD_FIELD;
      case BAD_CONTENT_LENGTH,
          AMBIGUOUS_LENGTH,
          BAD_TRANSFER_ENCODING,
          UNSUPPORTED_TRANSFER_CODING,
          UNEXPECTED_CONTENT,
          MALFORMED_CHUNK,
          TINY_CHUNKS -> Kind.FRAMING;
      case START_LINE_TOO_LONG,
          HEAD_TOO_LARGE,
          TOO_MANY_FIELDS,
          CHUNK_OVERHEAD_TOO_LARGE,
          TOO_MANY_INTERIM_RESPONSES -> Kind.LIMIT;
      case UNSOLICITED_RESPONSE,
          UNSOLICITED_UPGRADE,
          CLOSED_BEFORE_HEAD,
          CLOSED_IN_HEAD,
          CLOSED_IN_CONTENT,
          CLOSED_IN_CHUNKS -> Kind.OTHER;
    };
  }

  private static HttpException explainOther(Exception cause, FailurePoint at) {
    boolean closed = cause instanceof ClosedChannelException;
    String reason = closed ? "the connection was closed" : reason(cause);
    return switch (at.phase()) {
      case RESOLVE -> new UnresolvedHostException("cannot look the host up: " + reason, at, cause);
      case CONNECT, TLS -> new ConnectFailedException("cannot connect: " + reason, at, cause);
      case QUEUE, SEND, AWAIT_HEAD, READ_BODY, BACKOFF ->
        new ConnectionLostException(
            closed ? reason : "the connection was lost: " + reason,
            progress(null, at.phase()),
            closed ? Side.SELF : Side.UNKNOWN,
            at,
            cause);
    };
  }

  private static String advice(TlsException.Reason reason) {
    return switch (reason) {
      case UNKNOWN_AUTHORITY -> "; TlsOptions.trust takes the authority's certificate";
      case CLIENT_CERTIFICATE_REFUSED -> "; TlsOptions.identity takes a certificate to show";
      default -> "";
    };
  }

  private static String reason(Exception cause) {
    String message = cause.getMessage();
    return message == null ? cause.toString() : message;
  }
}
