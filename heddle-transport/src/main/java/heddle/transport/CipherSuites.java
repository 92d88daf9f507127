package heddle.transport;

import java.util.Collection;
import java.util.regex.Pattern;

/**
 * What HTTP/2 asks of the TLS below it, RFC 9113 §9.2: version 1.2 or higher, and with 1.2 none of
 * those of appendix A, which lack ephemeral keys or authenticated encryption. Names are IANA's.
 */
public final class CipherSuites {
  private static final String TLS_1_2 = "TLSv1.2";
  private static final String TLS_1_3 = "TLSv1.3";

  /** Suites of TLS 1.2 with ephemeral keys and authenticated encryption. */
  private static final Pattern ALLOWED =
      Pattern.compile("TLS_(EC)?DHE_.*_WITH.*(_GCM_|_CCM|_CHACHA20_).*");

  private CipherSuites() {}

  /** Whether HTTP/2 may be spoken over a connection of this version and suite. */
  public static boolean allowHttp2(String version, String suite) {
    return switch (version) {
      case TLS_1_3 -> true;
      case TLS_1_2 -> ALLOWED.matcher(suite).matches();
      default -> false;
    };
  }

  /** Whether a handshake that may choose among these can end where HTTP/2 may be spoken. */
  public static boolean mayAllowHttp2(Collection<String> versions, Collection<String> suites) {
    for (String suite : suites) {
      String version = suite.contains("_WITH_") ? TLS_1_2 : TLS_1_3; // RFC 8446 §B.4
      if (versions.contains(version) && allowHttp2(version, suite)) {
        return true;
      }
    }
    return false;
  }
}
