package heddle.adapters.urlconnection;

import heddle.adapters.support.Clients;
import heddle.transport.tls.TlsOptions;
import java.lang.reflect.Field;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * The TLS settings of a connection.
 *
 * @param verifier null for the rules of HTTPS
 */
record Tls(SSLContext context, @Nullable HostnameVerifier verifier) {
  /** The verifier that each HttpsURLConnection has at first. It refuses; only its name is known. */
  private static final String DEFAULT_VERIFIER = "DefaultHostnameVerifier";

  private static final Map<SSLSocketFactory, SSLContext> CONTEXTS =
      Collections.synchronizedMap(new WeakHashMap<>());

  private static final class ContextOfFactory extends SSLContext {
    ContextOfFactory(SSLContextSpi spi, SSLContext like) {
      super(spi, like.getProvider(), like.getProtocol());
    }
  }

  /**
   * Returns the settings that a factory and a verifier stand for.
   *
   * @throws IllegalArgumentException if the context of the factory is unknown
   */
  static Tls of(SSLSocketFactory factory, HostnameVerifier verifier) {
    boolean usual = verifier.getClass().getSimpleName().equals(DEFAULT_VERIFIER);
    return new Tls(contextOf(factory), usual ? null : verifier);
  }

  /** Returns a factory whose context is known from now on. */
  static SSLSocketFactory socketFactory(SSLContext context) {
    SSLSocketFactory factory = context.getSocketFactory();
    CONTEXTS.put(factory, context);
    return factory;
  }

  /**
   * Returns the context of a socket factory.
   *
   * @throws IllegalArgumentException if it is unknown
   */
  static SSLContext contextOf(SSLSocketFactory factory) {
    SSLContext known = CONTEXTS.get(factory);
    if (known != null) {
      return known;
    }
    SSLContextSpi spi = spiOf(factory);
    if (spi == null) {
      throw new IllegalArgumentException(
          "setSSLSocketFactory: the SSLContext of " + factory.getClass().getName()
              + " is not accessible, and sockets are not used; pass"
              + " HeddleUrlConnections.socketFactory(context), or start the JVM with"
              + " --add-opens java.base/sun.security.ssl=ALL-UNNAMED");
    }
    SSLContext context = new ContextOfFactory(spi, Clients.defaultContext());
    CONTEXTS.put(factory, context);
    return context;
  }

  /**
   * Makes the context of the JDK's default factory known. HttpsURLConnection asks for that factory
   * once, unless a program has set another one before, and a factory cannot be asked for its
   * context: so it is asked for while the default context is one whose factory is known.
   */
  static void learnDefault() {
    SSLContext usual = Clients.defaultContext();
    SSLContext asked = new ContextOfFactory(new KnownFactory(usual), usual);
    CONTEXTS.put(asked.getSocketFactory(), usual);
    SSLContext.setDefault(asked);
    try {
      var ignored = HttpsURLConnection.getDefaultSSLSocketFactory();
    } finally {
      if (Clients.defaultContext() == asked) { // The program may have set another one meanwhile.
        SSLContext.setDefault(usual);
      }
    }
  }

  /** The context that the JDK's own factories have in a field; null if it cannot be read. */
  private static @Nullable SSLContextSpi spiOf(SSLSocketFactory factory) {
    for (Field each : factory.getClass().getDeclaredFields()) {
      if (SSLContextSpi.class.isAssignableFrom(each.getType()) && each.trySetAccessible()) {
        try {
          return (SSLContextSpi) each.get(factory);
        } catch (IllegalAccessException e) {
          return null;
        }
      }
    }
    return null;
  }

  TlsOptions options() {
    return Clients.tls(context, verifier).build();
  }
}
