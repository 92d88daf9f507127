package heddle.load.record;

import java.io.EOFException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Locale;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Classifies failures. Used by many threads at once. */
@FunctionalInterface
public interface FailureClassifier {

  /** Classifies a failure. */
  Failure classify(Throwable failure);

  /**
   * A classifier for any client: it knows the exceptions of the JDK, and looks for the usual words
   * in the names and messages of others, through all causes.
   */
  static FailureClassifier ofAnyClient() {
    return failure -> {
      Throwable thrown = unwrapped(failure);
      String message = thrown.getMessage();
      return new Failure(
          kindOf(thrown), "", thrown.getClass().getSimpleName(), message == null ? "" : message);
    };
  }

  /** Futures wrap the failure; the wrapper has no information. */
  static Throwable unwrapped(Throwable failure) {
    Throwable cause = failure;
    while ((cause instanceof ExecutionException || cause instanceof CompletionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  /** The kind of the failure, or of the first of its causes that has one. */
  static FailureKind kindOf(Throwable failure) {
    int depth = 0;
    for (@Nullable Throwable each = failure; each != null && depth < 20; each = each.getCause()) {
      FailureKind kind = kindAlone(each);
      if (kind != FailureKind.OTHER) {
        return kind;
      }
      depth++;
    }
    return FailureKind.OTHER;
  }

  private static FailureKind kindAlone(Throwable failure) {
    return switch (failure) {
      case SocketTimeoutException _ -> FailureKind.TIMEOUT;
      case TimeoutException _ -> FailureKind.TIMEOUT;
      case UnknownHostException _ -> FailureKind.NAME;
      case UnresolvedAddressException _ -> FailureKind.NAME;
      case SSLException _ -> FailureKind.TLS;
      case EOFException _ -> FailureKind.TRUNCATED;
      case ProtocolException _ -> FailureKind.PROTOCOL;
      case RejectedExecutionException _ -> FailureKind.CLIENT_LIMIT;
      case OutOfMemoryError _ -> FailureKind.THREADS;
      case NoRouteToHostException _ -> FailureKind.REFUSED;
      default -> kindByWords(failure);
    };
  }

  private static FailureKind kindByWords(Throwable failure) {
    String name = failure.getClass().getSimpleName();
    String text = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
    if (name.contains("Timeout") || text.contains("timed out") || text.contains("timeout")) {
      return FailureKind.TIMEOUT;
    }
    if (failure instanceof ConnectException || text.contains("connection refused")) {
      return FailureKind.REFUSED;
    }
    if (text.contains("reset") || text.contains("broken pipe") || text.contains("aborted")) {
      return FailureKind.RESET;
    }
    if (text.contains("premature")
        || text.contains("unexpected end")
        || text.contains("end of stream")
        || text.contains("eof")) {
      return FailureKind.TRUNCATED;
    }
    return FailureKind.OTHER;
  }
}
