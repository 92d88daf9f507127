package heddle.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9113 §9.2.2 and appendix A. */
class CipherSuitesTest {
  private static final String GOOD = "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256";
  private static final String BAD = "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256";

  @ParameterizedTest
  @ValueSource(
      strings = {
        GOOD,
        "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
        "TLS_DHE_RSA_WITH_AES_128_GCM_SHA256",
        "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
        "TLS_DHE_RSA_WITH_AES_128_CCM",
        "TLS_ECDHE_ECDSA_WITH_AES_128_CCM_8",
        "TLS_ECDHE_RSA_WITH_ARIA_128_GCM_SHA256"
      })
  void ephemeralKeysAndAuthenticatedEncryptionAreAllowed(String suite) {
    assertTrue(CipherSuites.allowHttp2("TLSv1.2", suite));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        BAD,
        "TLS_RSA_WITH_AES_128_GCM_SHA256",
        "TLS_RSA_WITH_AES_128_CBC_SHA",
        "TLS_RSA_WITH_AES_128_CCM",
        "TLS_DHE_RSA_WITH_AES_256_CBC_SHA256",
        "TLS_ECDH_RSA_WITH_AES_128_GCM_SHA256",
        "TLS_DH_RSA_WITH_AES_128_GCM_SHA256",
        "TLS_DH_anon_WITH_AES_128_GCM_SHA256",
        "TLS_ECDH_anon_WITH_AES_128_CBC_SHA",
        "TLS_PSK_WITH_AES_128_GCM_SHA256",
        "TLS_RSA_PSK_WITH_AES_128_GCM_SHA256",
        "TLS_ECDHE_RSA_WITH_RC4_128_SHA",
        "TLS_ECDHE_RSA_WITH_NULL_SHA",
        "SSL_RSA_WITH_3DES_EDE_CBC_SHA",
        "TLS_NULL_WITH_NULL_NULL"
      })
  void suitesOfAppendixAAreNot(String suite) {
    assertFalse(CipherSuites.allowHttp2("TLSv1.2", suite));
  }

  @Test
  void versionsBelow12AreNotAndThoseAboveAre() {
    assertFalse(CipherSuites.allowHttp2("TLSv1.1", GOOD));
    assertTrue(CipherSuites.allowHttp2("TLSv1.3", "TLS_AES_128_GCM_SHA256"));
  }

  @Test
  void oneSuiteThatCanBeChosenIsEnough() {
    List<String> both = List.of("TLSv1.3", "TLSv1.2");
    List<String> old = List.of("TLSv1.2");
    assertEquals(
        List.of(true, true, false, false, true, false),
        List.of(
            CipherSuites.mayAllowHttp2(both, List.of(BAD, GOOD)),
            CipherSuites.mayAllowHttp2(old, List.of(BAD, GOOD)),
            CipherSuites.mayAllowHttp2(both, List.of(BAD)),
            CipherSuites.mayAllowHttp2(old, List.of(BAD, "TLS_AES_128_GCM_SHA256")),
            CipherSuites.mayAllowHttp2(both, List.of(BAD, "TLS_AES_128_GCM_SHA256")),
            CipherSuites.mayAllowHttp2(List.of("TLSv1.3"), List.of(GOOD))));
  }
}
