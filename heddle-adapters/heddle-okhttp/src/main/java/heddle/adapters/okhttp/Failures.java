package heddle.adapters.okhttp;

import heddle.client.spi.AcquireTimeoutException;
import heddle.http.FailurePoint;
import heddle.http.HttpException;
import heddle.http.HttpVersion;
import heddle.http.Phase;
import heddle.http.failure.ConnectFailedException;
import heddle.http.failure.ConnectionLostException;
import heddle.http.failure.DeadlineExceededException;
import heddle.http.failure.MalformedMessageException;
import heddle.http.failure.MessageTooLargeException;
import heddle.http.failure.ProxyException;
import heddle.http.failure.RequestNotProcessedException;
import heddle.http.failure.StreamResetException;
import heddle.http.failure.TlsException;
import heddle.http.failure.UnresolvedHostException;
import heddle.transport.DeadlinePassedException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import okhttp3.HttpUrl;
import okhttp3.internal.http2.ErrorCode;
import org.jspecify.annotations.Nullable;

/** Translates Heddle's exceptions into OkHttp's, with Heddle's as the cause. */
final class Failures {
  private Failures() {}

  /** What a user's code threw in Heddle's, which the caller gets unchanged. */
  static final class Thrown extends IOException {
    private static final long serialVersionUID = 1L;

    Thrown(Throwable cause) {
      super(cause);
    }
  }

  /** Rethrows an unchecked exception of a user's {@link okhttp3.Dns}, as OkHttp does. */
  static void rethrowThrown(IOException e) {
    Thrown thrown = find(e, Thrown.class);
    switch (thrown == null ? null : thrown.getCause()) {
      case RuntimeException unchecked -> throw unchecked;
      case Error error -> throw error;
      case null, default -> {}
    }
  }

  static boolean isThrown(IOException e) {
    return find(e, Thrown.class) != null;
  }

  /** Heddle's exception of a translated one; null if it is not from Heddle. */
  static @Nullable HttpException origin(IOException translated) {
    if (translated instanceof HttpException own) {
      return own;
    }
    if (translated.getCause() instanceof HttpException cause) {
      return cause;
    }
    for (Throwable each : translated.getSuppressed()) {
      if (each instanceof HttpException suppressed) {
        return suppressed;
      }
    }
    return null;
  }

  /**
   * Returns the exception to throw for one of Heddle's, or itself if OkHttp has no such exception.
   */
  static IOException translate(IOException e, HttpUrl url) {
    return switch (e) {
      case UnresolvedHostException unresolved -> unresolved(unresolved, url);
      case TlsException tls -> tls(tls, url);
      case ConnectFailedException refused -> refused(refused, url);
      case AcquireTimeoutException late -> caused(new SocketTimeoutException("timeout"), late);
      case DeadlineExceededException late -> caused(new SocketTimeoutException("timeout"), late);
      case StreamResetException reset -> reset(reset, reset.code());
      case RequestNotProcessedException refused
      when refused.isRefused() -> reset(refused, ErrorCode.REFUSED_STREAM.getHttpCode());
      case ConnectionLostException lost -> lost(lost, url);
      case ProxyException proxy -> caused(new SocketException(proxy.getMessage()), proxy);
      case MessageTooLargeException large -> broken(large, url);
      case MalformedMessageException malformed ->
        caused(new ProtocolException(malformed.getMessage()), malformed);
      case SocketTimeoutException late -> late;
      case InterruptedIOException interrupted ->
        caused(new InterruptedIOException("interrupted"), interrupted);
      default -> e;
    };
  }

  /** Whether no connection was made, so that nothing was sent and another route may be tried. */
  static boolean isOfWay(IOException translated) {
    return switch (origin(translated)) {
      case ConnectFailedException _, UnresolvedHostException _ -> true;
      case TlsException _, ProxyException _ -> true;
      case null, default -> false;
    };
  }

  /** Whether Heddle has failed after a connection was made. */
  static boolean isOfConnection(IOException translated) {
    return !isOfWay(translated) && origin(translated) != null;
  }

  /** The exception for a reader whose call was cancelled after its response had begun. */
  static IOException cancelled(HttpVersion version, IOException e) {
    return version == HttpVersion.HTTP_2
        ? caused(new okhttp3.internal.http2.StreamResetException(ErrorCode.CANCEL), e)
        : caused(new SocketException("Socket closed"), e);
  }

  /** Whether the TCP connection failed. */
  static boolean isUnreached(IOException translated) {
    return origin(translated) instanceof ConnectFailedException e && phase(e) == Phase.CONNECT;
  }

  private static IOException unresolved(UnresolvedHostException e, HttpUrl url) {
    UnknownHostException told = find(e, UnknownHostException.class);
    String message = told == null ? null : told.getMessage();
    return caused(new UnknownHostException(message == null ? url.host() : message), e);
  }

  private static IOException refused(ConnectFailedException e, HttpUrl url) {
    if (find(e, DeadlinePassedException.class) != null || phase(e) == Phase.TLS) {
      return caused(new SocketTimeoutException("timeout"), e);
    }
    String reason = e.getMessage();
    return caused(
        new ConnectException("Failed to connect to %s:%d: %s"
            .formatted(url.host(), url.port(), reason == null ? "no reason is known" : reason)),
        e);
  }

  private static IOException tls(TlsException e, HttpUrl url) {
    String message = e.getMessage();
    // A failure of the certificate pinner has this among its causes.
    SSLPeerUnverifiedException unverified = find(e, SSLPeerUnverifiedException.class);
    if (unverified != null) {
      return caused(new SSLPeerUnverifiedException(unverified.getMessage()), e);
    }
    ClientKey.Missed missed = find(e, ClientKey.Missed.class);
    if (missed != null) {
      return caused(new SSLHandshakeException(missed.getMessage()), e);
    }
    return switch (e.reason()) {
      case WRONG_HOST ->
        caused(
            new SSLPeerUnverifiedException("Hostname " + url.host() + " not verified: " + message),
            e);
      case NOT_TLS -> caused(new SSLException(message), e);
      default -> untrusted(message, e);
    };
  }

  /** Callers look for the reason of a trust manager right below OkHttp's exception. */
  private static IOException untrusted(@Nullable String message, TlsException e) {
    CertificateException reason = find(e, CertificateException.class);
    SSLHandshakeException refused = new SSLHandshakeException(message);
    refused.initCause(reason == null ? e : reason);
    if (reason != null) {
      refused.addSuppressed(e);
    }
    return refused;
  }

  private static IOException reset(HttpException e, int code) {
    ErrorCode known = ErrorCode.Companion.fromHttp2(code);
    return known == null ? e : caused(new okhttp3.internal.http2.StreamResetException(known), e);
  }

  private static IOException lost(ConnectionLostException e, HttpUrl url) {
    SocketException socket = find(e, SocketException.class);
    if (socket != null) {
      return caused(new SocketException(socket.getMessage()), e);
    }
    return phase(e) == Phase.READ_BODY
        ? caused(new ProtocolException("unexpected end of stream"), e)
        : broken(e, url);
  }

  private static IOException broken(HttpException e, HttpUrl url) {
    return new IOException("unexpected end of stream on " + url.redact(), e);
  }

  private static @Nullable Phase phase(HttpException e) {
    FailurePoint at = e.at();
    return at == null ? null : at.phase();
  }

  private static <X extends Throwable> @Nullable X find(Throwable e, Class<X> kind) {
    for (Throwable each = e; each != null; each = each.getCause()) {
      if (kind.isInstance(each)) {
        return kind.cast(each);
      }
    }
    return null;
  }

  static <X extends IOException> X caused(X made, Throwable cause) {
    made.initCause(cause);
    return made;
  }
}
