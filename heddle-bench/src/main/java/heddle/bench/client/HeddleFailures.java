package heddle.bench.client;

import heddle.client.spi.AcquireTimeoutException;
import heddle.client.spi.PoolQueueFullException;
import heddle.http.FailurePoint;
import heddle.http.HttpException;
import heddle.http.failure.ClientClosedException;
import heddle.http.failure.ConnectFailedException;
import heddle.http.failure.ConnectionLostException;
import heddle.http.failure.DeadlineExceededException;
import heddle.http.failure.MalformedMessageException;
import heddle.http.failure.RequestNotProcessedException;
import heddle.http.failure.StreamResetException;
import heddle.http.failure.TlsException;
import heddle.http.failure.UnresolvedHostException;
import heddle.load.record.Failure;
import heddle.load.record.FailureClassifier;
import heddle.load.record.FailureKind;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Names of the failures of Heddle's client in reports. */
final class HeddleFailures {

  private HeddleFailures() {}

  static Failure classify(Throwable failure) {
    Throwable thrown = FailureClassifier.unwrapped(failure);
    FailurePoint at = thrown instanceof HttpException known ? known.at() : null;
    return new Failure(
        kind(thrown),
        at == null ? "" : at.phase().name().toLowerCase(Locale.ROOT).replace('_', ' '),
        thrown.getClass().getSimpleName(),
        String.valueOf(thrown.getMessage()));
  }

  private static FailureKind kind(Throwable failure) {
    return switch (failure) {
      case AcquireTimeoutException _ -> FailureKind.CLIENT_LIMIT;
      case PoolQueueFullException _ -> FailureKind.CLIENT_LIMIT;
      case ConnectFailedException e -> ofCause(e.getCause(), FailureKind.REFUSED);
      case ConnectionLostException e -> ofCause(e.getCause(), FailureKind.TRUNCATED);
      case DeadlineExceededException _ -> FailureKind.TIMEOUT;
      case TlsException _ -> FailureKind.TLS;
      case UnresolvedHostException _ -> FailureKind.NAME;
      case StreamResetException _ -> FailureKind.RESET;
      case RequestNotProcessedException _ -> FailureKind.RESET;
      case MalformedMessageException _ -> FailureKind.PROTOCOL;
      case ClientClosedException _ -> FailureKind.UNANSWERED;
      default -> FailureClassifier.kindOf(failure);
    };
  }

  private static FailureKind ofCause(@Nullable Throwable cause, FailureKind otherwise) {
    FailureKind kind = cause == null ? FailureKind.OTHER : FailureClassifier.kindOf(cause);
    return kind == FailureKind.OTHER ? otherwise : kind;
  }
}
