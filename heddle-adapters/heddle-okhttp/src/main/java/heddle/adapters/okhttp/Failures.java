package heddle.adapters.okhttp;

import static heddle.adapters.support.SocketFailures.caused;
import static heddle.adapters.support.SocketFailures.find;
import static heddle.adapters.support.SocketFailures.problem;

import heddle.adapters.support.LimitAdvice;
import heddle.adapters.support.SocketFailures;
import heddle.client.spi.AcquireTimeoutException;
import heddle.client.spi.PoolQueueFullException;
import heddle.http.FailurePoint;
import heddle.http.HttpException;
import heddle.http.HttpVersion;
import heddle.http.Phase;
import heddle.http.failure.ConnectFailedException;
import heddle.http.failure.ConnectionLostException;
import heddle.http.failure.DeadlineExceededException;
import heddle.http.failure.Http2RequiredException;
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
import java.security.cert.CertificateException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import okhttp3.HttpUrl;
import okhttp3.internal.http2.ErrorCode;
import org.jspecify.annotations.Nullable;

/** Translates Heddle's exceptions into OkHttp's, with Heddle's as the cause. */
final class Failures {
  /** OkHttp's read timeout limits TLS handshakes too. */
  private static final LimitAdvice ADVICE = new LimitAdvice(
      "OkHttpClient.connectTimeout",
      "OkHttpClient.readTimeout",
      "OkHttpClient.readTimeout",
      null,
      null);

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
    HttpException cause = find(translated, HttpException.class);
    if (cause != null) {
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
   * The exception of a timeout, which has OkHttp's message. The cause says which one passed, and
   * what raises it.
   *
   * @param given whether a given Heddle client decides, so that its own advice is good
   */
  private static IOException timeout(IOException e, boolean given) {
    return caused(new SocketTimeoutException("timeout"), given ? e : ADVICE.translate(e));
  }

  /** The exception of a call that has reached its own deadline. */
  static IOException callTimeout(IOException e) {
    IOException advised = new IOException(
        "the whole call took longer than it may; raise"
            + " OkHttpClient.callTimeout, or what Call.timeout() was set to",
        e);
    return caused(new InterruptedIOException("timeout"), advised);
  }

  /** The exception of a call that waits for others; OkHttp itself has no such limit. */
  private static IOException crowded(IOException e) {
    return caused(
        new SocketTimeoutException("timeout"),
        new IOException(
            "too many calls wait for a connection; lower Dispatcher.maxRequestsPerHost, or make"
                + " fewer blocking calls at once",
            e));
  }

  /**
   * Returns the exception to throw for one of Heddle's, or itself if OkHttp has no such exception.
   *
   * @param given whether a given Heddle client decides about timeouts
   */
  static IOException translate(IOException e, HttpUrl url, boolean given) {
    return switch (e) {
      case UnresolvedHostException unknown -> SocketFailures.unresolved(unknown, url.host());
      case TlsException tls -> tls(tls, url);
      case ConnectFailedException refused -> refused(refused, url, given);
      case AcquireTimeoutException late -> crowded(late);
      case PoolQueueFullException full -> crowded(full);
      case DeadlineExceededException late -> timeout(late, given);
      case StreamResetException reset -> reset(reset, reset.code());
      case RequestNotProcessedException refused
      when refused.isRefused() -> reset(refused, ErrorCode.REFUSED_STREAM.getHttpCode());
      case ConnectionLostException lost -> lost(lost, url);
      case ProxyException proxy -> caused(new SocketException(problem(proxy)), proxy);
      case MessageTooLargeException large -> broken(large, url);
      case MalformedMessageException malformed ->
        caused(new ProtocolException(problem(malformed)), malformed);
      case Http2RequiredException old ->
        caused(new ProtocolException("Duplex connections are not supported for HTTP/1"), old);
      case SocketTimeoutException late -> late;
      case DeadlinePassedException late -> timeout(late, given);
      case InterruptedIOException interrupted ->
        caused(new InterruptedIOException("interrupted"), interrupted);
      default -> e;
    };
  }

  /** Whether no connection was made, so that nothing was sent and another route may be tried. */
  static boolean isOfWay(IOException translated) {
    IOException origin = origin(translated);
    return origin instanceof ConnectFailedException
        || origin instanceof UnresolvedHostException
        || origin instanceof TlsException
        || origin instanceof ProxyException;
  }

  /** Whether a duplex request got a connection of HTTP/1.1, so that nothing was sent. */
  static boolean isOfDuplex(IOException translated) {
    return origin(translated) instanceof Http2RequiredException;
  }

  static boolean isOfTls(IOException translated) {
    return origin(translated) instanceof TlsException;
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

  private static IOException refused(ConnectFailedException e, HttpUrl url, boolean given) {
    if (SocketFailures.isOutOfTime(e) || phase(e) == Phase.TLS) {
      return timeout(e, given);
    }
    return caused(
        new ConnectException(
            "Failed to connect to %s:%d: %s".formatted(url.host(), url.port(), problem(e))),
        e);
  }

  private static IOException tls(TlsException e, HttpUrl url) {
    String message = problem(e);
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
  private static IOException untrusted(String message, TlsException e) {
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
}
