package heddle.connection.http2;

import heddle.codec.HeadTooLargeException;
import heddle.codec.http2.frame.ErrorCode;
import heddle.connection.Exchange;
import heddle.http.FailurePoint;
import heddle.http.HttpException;
import heddle.http.failure.MalformedMessageException;
import heddle.http.failure.MalformedMessageException.Kind;
import heddle.http.failure.MessageTooLargeException;
import heddle.http.failure.RequestNotProcessedException;
import heddle.http.failure.StreamResetException;
import java.io.IOException;

/**
 * Why an exchange on a shared connection failed, if the connection knows more than that it was
 * lost. Created on any thread; turned into the call's exception on the caller's thread.
 */
final class ExchangeFailure extends IOException {
  private static final long serialVersionUID = 1L;

  private enum Outcome {
    NOT_SENT,
    NOT_PROCESSED,
    RESET,
    MALFORMED
  }

  private final Outcome outcome;
  private final ErrorCode code;
  private final Kind kind;

  private ExchangeFailure(Outcome outcome, ErrorCode code, String message) {
    this(outcome, code, Kind.OTHER, message);
  }

  private ExchangeFailure(Outcome outcome, ErrorCode code, Kind kind, String message) {
    super(message);
    this.outcome = outcome;
    this.code = code;
    this.kind = kind;
  }

  /** The server was never sent the request. */
  static ExchangeFailure notSent(String message) {
    return new ExchangeFailure(Outcome.NOT_SENT, ErrorCode.CANCEL, message);
  }

  /** The server says that it has not processed the request. */
  static ExchangeFailure notProcessed(String message) {
    return new ExchangeFailure(Outcome.NOT_PROCESSED, ErrorCode.REFUSED_STREAM, message);
  }

  /** The server has reset the stream. */
  static ExchangeFailure reset(ErrorCode code) {
    return code == ErrorCode.REFUSED_STREAM
        ? notProcessed("the server refused the request before it processed it (REFUSED_STREAM)")
        : new ExchangeFailure(Outcome.RESET, code, "the server gave up the request: " + code);
  }

  /** The server broke the protocol, on this stream or on the whole connection. */
  static ExchangeFailure violation(ErrorCode code, Kind kind, String message) {
    return new ExchangeFailure(Outcome.MALFORMED, code, kind, message);
  }

  /** Whether the request was certainly not processed. */
  boolean isNotProcessed() {
    return outcome == Outcome.NOT_PROCESSED || outcome == Outcome.NOT_SENT;
  }

  /** What to throw for a cause, with the point that the call has reached. */
  static IOException explain(Exception cause, Exchange owner) {
    return cause instanceof ExchangeFailure failure
        ? failure.explained(owner.point())
        : owner.explain(cause);
  }

  /** What to throw if no part of a head or trailers was queued; the connection stays usable. */
  static HttpException unsendable(IllegalArgumentException cause, Exchange owner) {
    String message = "the request cannot be sent over HTTP/2: " + cause.getMessage();
    return cause instanceof HeadTooLargeException
        ? new MessageTooLargeException(message, owner.point(), cause)
        : new HttpException(message, owner.point(), cause);
  }

  private IOException explained(FailurePoint at) {
    String message = String.valueOf(getMessage());
    return switch (outcome) {
      case NOT_SENT -> new RequestNotProcessedException(message, false, at, this);
      case NOT_PROCESSED -> new RequestNotProcessedException(message, true, at, this);
      case RESET -> new StreamResetException(message, code.code(), at, this);
      case MALFORMED -> {
        String said = "the server's response is not valid HTTP/2: " + message;
        // It exceeds one of our limits, which the protocol does not set.
        yield code == ErrorCode.ENHANCE_YOUR_CALM
            ? new MessageTooLargeException(said, at, this)
            : new MalformedMessageException(kind, true, said, at, this);
      }
    };
  }
}
