package heddle.verify.sample.client;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

/** Takes what belongs to {@code transport.tls}. */
public final class MakesTlsEngines {
  private MakesTlsEngines() {}

  public static SSLEngine engine(SSLContext context) {
    return context.createSSLEngine();
  }
}
