package heddle.adapters.okhttp;

import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLContext;
import okhttp3.CipherSuite;

/** Cipher suites, which OkHttp names without asking whether the JDK has them. */
final class Suites {
  private Suites() {}

  /** Those of the suites that the JDK has, in their order. */
  static String[] supported(List<CipherSuite> suites) {
    Set<String> known;
    try {
      known = Set.of(SSLContext.getDefault().getSupportedSSLParameters().getCipherSuites());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK has no TLS: " + e.getMessage(), e);
    }
    String[] both =
        suites.stream().map(CipherSuite::javaName).filter(known::contains).toArray(String[]::new);
    if (both.length == 0) {
      throw new IllegalArgumentException("OkHttpClient.connectionSpecs allows none of the cipher "
          + "suites that the JDK has: " + suites);
    }
    return both;
  }
}
