package heddle.adapters.jdk;

import heddle.adapters.support.Clients;
import heddle.transport.tls.TlsOptions;
import java.util.Arrays;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/** Converts the JDK's TLS settings. */
final class Tls {
  private static final String[] VERSIONS = {"TLSv1.3", "TLSv1.2"};

  /** The JDK's own property for tests, with which any trusted certificate is accepted. */
  private static final boolean ANY_HOST =
      Settings.isOn("jdk.internal.httpclient.disableHostnameVerification");

  private Tls() {}

  /**
   * Returns the TLS options for a context and parameters.
   *
   * @param parameters null if not set
   * @throws IllegalArgumentException if a parameter cannot be honoured; the message names it
   */
  static TlsOptions options(SSLContext context, @Nullable SSLParameters parameters) {
    TlsOptions.Builder options = Clients.tls(context, ANY_HOST ? (host, session) -> true : null);
    if (parameters == null) {
      return options.build();
    }
    requireHonourable(parameters, context.getDefaultSSLParameters());
    if (parameters.getProtocols() != null) {
      options.protocols(parameters.getProtocols());
    }
    if (parameters.getServerNames() != null) {
      options.namesOfAddresses(parameters.getServerNames());
    }
    if (parameters.getCipherSuites() != null) {
      options.cipherSuites(parameters.getCipherSuites());
    }
    if (parameters.getNamedGroups() != null) {
      options.namedGroups(parameters.getNamedGroups());
    }
    return options.build();
  }

  /** Other parameters must be unset, or have the context's defaults. */
  private static void requireHonourable(SSLParameters given, SSLParameters usual) {
    refuse(
        "algorithmConstraints",
        given.getAlgorithmConstraints() != null
            && !Objects.equals(given.getAlgorithmConstraints(), usual.getAlgorithmConstraints()),
        "the JVM's own apply; set jdk.tls.disabledAlgorithms");
    refuse(
        "signatureSchemes",
        given.getSignatureSchemes() != null
            && !Arrays.equals(given.getSignatureSchemes(), usual.getSignatureSchemes()),
        "the JVM's own apply; set jdk.tls.client.SignatureSchemes");
    refuse(
        "maximumPacketSize",
        given.getMaximumPacketSize() != 0
            && given.getMaximumPacketSize() != usual.getMaximumPacketSize(),
        "records have the maximum size that TLS allows");
    String identification = given.getEndpointIdentificationAlgorithm();
    refuse(
        "endpointIdentificationAlgorithm",
        identification != null
            && !identification.isEmpty()
            && !identification.equalsIgnoreCase("HTTPS"),
        "the host is verified by the rules of HTTPS");
  }

  private static void refuse(String name, boolean whether, String reason) {
    if (whether) {
      throw new IllegalArgumentException(
          "the option sslParameters." + name + " cannot be honoured: " + reason);
    }
  }

  /** The parameters that a client reports, with the versions and suites in use. */
  static SSLParameters effective(@Nullable SSLParameters given, SSLContext context) {
    SSLParameters answer = copy(given == null ? context.getDefaultSSLParameters() : given);
    if (given == null || given.getProtocols() == null) {
      answer.setProtocols(VERSIONS);
    }
    return answer;
  }

  static SSLParameters copy(SSLParameters from) {
    SSLParameters copy = new SSLParameters(from.getCipherSuites(), from.getProtocols());
    copy.setAlgorithmConstraints(from.getAlgorithmConstraints());
    copy.setApplicationProtocols(from.getApplicationProtocols());
    copy.setEnableRetransmissions(from.getEnableRetransmissions());
    copy.setEndpointIdentificationAlgorithm(from.getEndpointIdentificationAlgorithm());
    copy.setMaximumPacketSize(from.getMaximumPacketSize());
    copy.setNamedGroups(from.getNamedGroups());
    copy.setSignatureSchemes(from.getSignatureSchemes());
    copy.setServerNames(from.getServerNames());
    copy.setSNIMatchers(from.getSNIMatchers());
    copy.setUseCipherSuitesOrder(from.getUseCipherSuitesOrder());
    if (from.getNeedClientAuth()) {
      copy.setNeedClientAuth(true);
    } else {
      copy.setWantClientAuth(from.getWantClientAuth());
    }
    return copy;
  }
}
