package heddle.adapters.jersey;

import heddle.adapters.support.LimitAdvice;
import heddle.client.spi.Proxy;
import jakarta.ws.rs.core.Configuration;
import jakarta.ws.rs.core.HttpHeaders;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.glassfish.jersey.client.ClientProperties;
import org.glassfish.jersey.client.ClientRequest;
import org.jspecify.annotations.Nullable;

/**
 * The options from Jersey's properties that Heddle needs when a client is built.
 *
 * @param connectMillis connect timeout in milliseconds; 0 for none
 * @param readMillis how long the server may be silent, in milliseconds; 0 for no limit
 * @param proxy null for the JVM's
 * @param tls null for the client's
 * @param name server name for the TLS handshake; null for the host
 * @param keepsCookies whether requests use the cookies of their client
 */
record CallOptions(
    int connectMillis,
    int readMillis,
    boolean follow,
    @Nullable Proxy proxy,
    @Nullable SSLContext tls,
    @Nullable ServerName name,
    boolean keepsCookies) {
  /** Translates failures of calls. */
  static final LimitAdvice ADVICE =
      new LimitAdvice("ClientProperties.CONNECT_TIMEOUT", "ClientProperties.READ_TIMEOUT");

  /** Looks up properties of a client or a request. */
  private interface Properties {
    <T> @Nullable T find(String name, Class<T> type);
  }

  /**
   * Returns the options of a client, whose requests may each set a server name.
   *
   * @throws IllegalArgumentException if a property has a value that cannot be honoured
   */
  static CallOptions of(Configuration configuration, boolean keepsCookies) {
    return of(
        new Properties() {
          @Override
          public <T> @Nullable T find(String name, Class<T> type) {
            return ClientProperties.getValue(configuration.getProperties(), name, type);
          }
        },
        null,
        keepsCookies);
  }

  /**
   * Returns the options of a request, whose own properties override its client's.
   *
   * @throws IllegalArgumentException if a property has a value that cannot be honoured
   */
  static CallOptions of(ClientRequest request, boolean keepsCookies) {
    ServerName name = ServerName.of(
        request.getUri(),
        request.resolveProperty(ClientProperties.SNI_HOST_NAME, String.class),
        request.getHeaderString(HttpHeaders.HOST));
    return of(request::resolveProperty, name, keepsCookies);
  }

  private static CallOptions of(
      Properties properties, @Nullable ServerName name, boolean keepsCookies) {
    return new CallOptions(
        millis(properties, ClientProperties.CONNECT_TIMEOUT),
        millis(properties, ClientProperties.READ_TIMEOUT),
        !Boolean.FALSE.equals(properties.find(ClientProperties.FOLLOW_REDIRECTS, Boolean.class)),
        Proxies.given(
            properties.find(ClientProperties.PROXY_URI, Object.class),
            properties.find(ClientProperties.PROXY_USERNAME, String.class),
            properties.find(ClientProperties.PROXY_PASSWORD, String.class)),
        context(properties.find(ClientProperties.SSL_CONTEXT_SUPPLIER, Supplier.class)),
        name,
        keepsCookies);
  }

  private static int millis(Properties properties, String name) {
    Integer millis = properties.find(name, Integer.class);
    if (millis != null && millis < 0) {
      throw Settings.refusal(
          name, "it is negative, " + millis + "; use milliseconds, or 0 for no limit");
    }
    return millis == null ? 0 : millis;
  }

  private static @Nullable SSLContext context(@Nullable Supplier<?> supplier) {
    if (supplier == null) {
      return null;
    }
    if (supplier.get() instanceof SSLContext context) {
      return context;
    }
    throw Settings.refusal(
        ClientProperties.SSL_CONTEXT_SUPPLIER, "it does not supply an SSLContext");
  }
}
