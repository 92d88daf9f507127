package heddle.connection;

import heddle.codec.ProtocolException;
import heddle.http.FailurePoint;
import heddle.http.HttpException;
import heddle.http.failure.ConnectFailedException;
import heddle.http.failure.ConnectionLostException;
import heddle.http.failure.DeadlineExceededException;
import heddle.http.failure.MalformedMessageException;
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
        new DeadlineExceededException(
            e.getMessage() + "; raise Timeouts." + (e.hasBegun() ? "silence" : "firstByte"), at, e);
      case MinimumRate.TooSlowException e ->
        new SlowResponseException(
            e.getMessage() + "; lower or switch off HttpClient.Builder.minResponseRate", at, e);
      case DeadlinePassedException e ->
        new DeadlineExceededException(
            e.getMessage() + "; give the request more time or ask for less", at, e);
      case UnknownHostException e ->
        new UnresolvedHostException(e.getMessage() + "; check the URL's host", at, e);
      case ProtocolException e -> explainViolation(e, at);
      case TlsHandshakeException e ->
        new TlsException(e.reason(), reason(e) + advice(e.reason()), at, e);
      default -> explainOther(cause, at);
    };
  }

  private static HttpException explainViolation(ProtocolException e, FailurePoint at) {
    if (e.violation() == ProtocolException.Violation.TRUNCATED) {
      return new ConnectionLostException(reason(e), at, e);
    }
    String message = "the server's response is not valid HTTP: " + e.getMessage();
    return e.violation().isLimit()
        ? new MessageTooLargeException(message, at, e)
        : new MalformedMessageException(message, at, e);
  }

  private static HttpException explainOther(Exception cause, FailurePoint at) {
    boolean closed = cause instanceof ClosedChannelException;
    String reason = closed ? "the connection was closed" : reason(cause);
    return switch (at.phase()) {
      case RESOLVE -> new UnresolvedHostException("cannot look the host up: " + reason, at, cause);
      case CONNECT, TLS -> new ConnectFailedException("cannot connect: " + reason, at, cause);
      case QUEUE, SEND, AWAIT_HEAD, READ_BODY, BACKOFF ->
        new ConnectionLostException(
            closed ? reason : "the connection was lost: " + reason, at, cause);
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
