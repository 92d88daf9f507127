package heddle.adapters.okhttp;

import java.net.UnknownServiceException;
import okhttp3.ConnectionSpec;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;

/** Checks whether a client supports the scheme of a URL. */
final class Schemes {
  private Schemes() {}

  static void checkAllowed(Request request, OkHttpClient client) throws UnknownServiceException {
    if (request.isHttps()) {
      if (client.x509TrustManager() == null) {
        throw new UnknownServiceException("CLEARTEXT-only client");
      }
      if (client.protocols().contains(Protocol.H2_PRIOR_KNOWLEDGE)) {
        throw new UnknownServiceException("H2_PRIOR_KNOWLEDGE cannot be used with HTTPS");
      }
    } else if (!client.connectionSpecs().contains(ConnectionSpec.CLEARTEXT)) {
      throw new UnknownServiceException("CLEARTEXT communication not enabled for client");
    }
  }
}
