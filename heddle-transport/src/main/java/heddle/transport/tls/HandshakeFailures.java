package heddle.transport.tls;

import heddle.http.failure.TlsException.Reason;
import heddle.transport.TlsHandshakeException;
import heddle.transport.tls.Records.NotTlsException;
import heddle.transport.tls.ReportingTrust.RefusedCertificateException;
import java.io.IOException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.PKIXReason;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * Finds out why a handshake failed. JSSE says so only in message texts and nested causes; those of
 * the JDK's provider and the alerts of RFC 8446 §6 are known here, others are passed on unchanged.
 */
final class HandshakeFailures {
  private static final int SUITES_NAMED = 4;

  /** A record with an alert: all that a peer sends if it rejects the first message. */
  private static final int ALERT_BYTES = 7;

  private final SSLEngine engine;
  private final String peer;
  private final @Nullable String host;

  /** As {@link Handshake#Handshake}. */
  HandshakeFailures(SSLEngine engine, String peer, @Nullable String host) {
    this.engine = engine;
    this.peer = peer;
    this.host = host;
  }

  /**
   * The exception for what the engine, or the framing of records, failed with.
   *
   * @param received how many bytes the peer had sent
   */
  TlsHandshakeException explain(Exception cause, long received) {
    String message = String.valueOf(cause.getMessage());
    if (cause instanceof NotTlsException) {
      return failure(Reason.NOT_TLS, message, cause);
    }
    for (Throwable each = cause; each != null; each = each.getCause()) {
      if (each instanceof RefusedCertificateException refused) {
        return refused(refused, cause);
      }
    }
    String text = message.toLowerCase(Locale.ROOT);
    Reason certificate = certificateReason(cause);
    if (certificate != null && host != null) {
      return failure(certificate, "its certificate is refused: " + cause.getMessage(), cause);
    }
    return text.contains("alert") ? alerted(text, cause, received) : other(text, cause);
  }

  /** The exception for a connection that failed after its handshake. */
  IOException explainLater(IOException cause) {
    TlsHandshakeException explained = explain(cause, Long.MAX_VALUE);
    // A server that refuses our certificate may say so only now (RFC 8446 §4.4.2.4).
    return explained.reason() == Reason.CLIENT_CERTIFICATE_REFUSED
        ? explained
        : new IOException("TLS with " + peer + " failed: " + cause.getMessage(), cause);
  }

  /** The peer went away. */
  TlsHandshakeException truncated(long received, @Nullable Exception cause) {
    String how = cause == null ? "it closed the connection" : String.valueOf(cause.getMessage());
    String where = " in the middle of the handshake, after the peer sent " + received + " bytes";
    return failure(Reason.TRUNCATED, how + where, cause);
  }

  /** The exception with this reason; names the peer. */
  TlsHandshakeException failure(Reason reason, String what, @Nullable Exception cause) {
    return new TlsHandshakeException(reason, "TLS with " + peer + " failed: " + what, cause);
  }

  private TlsHandshakeException refused(RefusedCertificateException refused, Exception cause) {
    X509Certificate certificate = refused.certificate();
    String described = describe(certificate);
    if (host == null) {
      String what =
          "the client's certificate is refused: " + described + ": " + refused.getMessage();
      return failure(Reason.CLIENT_CERTIFICATE_REFUSED, what, cause);
    }
    Reason found = certificateReason(refused);
    Reason reason = found == null ? Reason.OTHER : found;
    X509Certificate invalid = refused.outOfTime();
    String outOfTime = "that of " + invalid.getSubjectX500Principal().getName() + " is valid from "
        + invalid.getNotBefore().toInstant() + " to " + invalid.getNotAfter().toInstant();
    String fault =
        switch (reason) {
          case EXPIRED -> " is expired: " + outOfTime;
          case NOT_YET_VALID -> " is not valid yet: " + outOfTime;
          case WRONG_HOST ->
            " is not for " + host + " but for " + ServerIdentity.names(certificate);
          case UNKNOWN_AUTHORITY -> " is not signed by a trusted authority";
          default -> " is refused: " + refused.getMessage();
        };
    return failure(reason, "its certificate " + described + fault, cause);
  }

  /** Such as {@code (CN=a.test, issued by CN=Some CA)}. */
  static String describe(X509Certificate certificate) {
    String subject = certificate.getSubjectX500Principal().getName();
    String issuer = certificate.getIssuerX500Principal().getName();
    return subject.equals(issuer)
        ? "(" + subject + ", signed by itself)"
        : "(" + subject + ", issued by " + issuer + ")";
  }

  /** What is wrong with a certificate; null if the cause is not about one. */
  private static @Nullable Reason certificateReason(Throwable cause) {
    Reason found = null;
    for (Throwable each = cause; each != null; each = each.getCause()) {
      Reason reason =
          switch (each) {
            case CertificateExpiredException unused -> Reason.EXPIRED;
            case CertificateNotYetValidException unused -> Reason.NOT_YET_VALID;
            case CertPathValidatorException e -> reasonOf(e);
            case CertPathBuilderException unused -> Reason.UNKNOWN_AUTHORITY;
            case CertificateException e -> hostReason(String.valueOf(e.getMessage()));
            default -> null;
          };
      // The innermost is the most precise.
      found = reason == null ? found : reason;
    }
    return found;
  }

  private static Reason reasonOf(CertPathValidatorException e) {
    return switch (e.getReason()) {
      case BasicReason.EXPIRED -> Reason.EXPIRED;
      case BasicReason.NOT_YET_VALID -> Reason.NOT_YET_VALID;
      case PKIXReason.NO_TRUST_ANCHOR -> Reason.UNKNOWN_AUTHORITY;
      default ->
        String.valueOf(e.getMessage()).contains("rust anchor")
            ? Reason.UNKNOWN_AUTHORITY
            : Reason.OTHER;
    };
  }

  private static Reason hostReason(String message) {
    boolean aboutNames = message.contains("subject alternative") || message.startsWith("No name");
    return aboutNames ? Reason.WRONG_HOST : Reason.OTHER;
  }

  /** An alert of the peer, RFC 8446 §6.2. */
  private TlsHandshakeException alerted(String text, Exception cause, long received) {
    String refusal = "it answered: " + cause.getMessage();
    if (text.contains("protocol_version")) {
      return noVersion(refusal, cause);
    }
    if (text.contains("no_application_protocol")) {
      return noProtocol(refusal, cause);
    }
    if (text.contains("unrecognized_name")) {
      return failure(Reason.WRONG_HOST, "it knows no host " + host + "; " + refusal, cause);
    }
    if (text.contains("handshake_failure") || text.contains("insufficient_security")) {
      // RFC 5246 §7.4.6: so does a server that got no certificate, after it agreed on a cipher.
      return host != null && received > ALERT_BYTES
          ? clientRefused(refusal, cause)
          : noCipher(refusal, cause);
    }
    if (text.contains("certificate") || text.contains("unknown_ca") || text.contains("access")) {
      return host == null
          ? failure(certificateAlert(text), "the client does not trust us; " + refusal, cause)
          : clientRefused(refusal, cause);
    }
    return failure(Reason.OTHER, refusal, cause);
  }

  private static Reason certificateAlert(String text) {
    if (text.contains("certificate_expired")) {
      return Reason.EXPIRED;
    }
    boolean unknown = text.contains("unknown_ca") || text.contains("certificate_unknown");
    return unknown ? Reason.UNKNOWN_AUTHORITY : Reason.OTHER;
  }

  private TlsHandshakeException clientRefused(String refusal, Exception cause) {
    var own = engine.getSession().getLocalCertificates();
    String what = own == null || own.length == 0
        ? "it wants a certificate of the client, and got none that suits it; "
        : "it refuses the client's certificate; ";
    return failure(Reason.CLIENT_CERTIFICATE_REFUSED, what + refusal, cause);
  }

  /** What our own side found. */
  private TlsHandshakeException other(String text, Exception cause) {
    String message = String.valueOf(cause.getMessage());
    if (text.contains("protocol version")
        || text.contains("no appropriate protocol")
        || text.contains("server preferences")
        || text.contains("unsupported_protocol")
        || text.contains("is not enabled or supported")) {
      return noVersion(message, cause);
    }
    if (text.contains("cipher suite") || text.contains("no available authentication scheme")) {
      return noCipher(message, cause);
    }
    if (text.contains("application protocol")
        || text.contains("application layer protocol")
        || text.contains("no_application_protocol")) {
      return noProtocol(message, cause);
    }
    boolean client = host == null && text.contains("certificate");
    return failure(client ? Reason.CLIENT_CERTIFICATE_REFUSED : Reason.OTHER, message, cause);
  }

  private TlsHandshakeException noVersion(String detail, Exception cause) {
    String offered = String.join(", ", engine.getSSLParameters().getProtocols());
    String what = "no version of TLS in common: " + offered + " is allowed here; " + detail;
    return failure(Reason.NO_COMMON_VERSION, what, cause);
  }

  private TlsHandshakeException noCipher(String detail, Exception cause) {
    SSLParameters ours = engine.getSSLParameters();
    List<String> suites = Arrays.asList(ours.getCipherSuites());
    String some = String.join(", ", suites.subList(0, Math.min(SUITES_NAMED, suites.size())));
    int more = suites.size() - SUITES_NAMED;
    String what = "no cipher suite in common: " + some
        + (more > 0 ? " and " + more + " more are" : " is") + " allowed here, for "
        + String.join(", ", ours.getProtocols()) + "; " + detail;
    return failure(Reason.NO_COMMON_CIPHER, what, cause);
  }

  private TlsHandshakeException noProtocol(String detail, Exception cause) {
    String offered = String.join(", ", engine.getSSLParameters().getApplicationProtocols());
    String what = "it speaks none of " + offered + "; " + detail;
    return failure(Reason.NO_COMMON_PROTOCOL, what, cause);
  }
}
