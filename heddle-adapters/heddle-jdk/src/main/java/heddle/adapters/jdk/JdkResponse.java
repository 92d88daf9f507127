package heddle.adapters.jdk;

import heddle.adapters.support.ImmutableSession;
import heddle.client.spi.ConnectionInfo;
import java.net.URI;
import java.net.http.HttpClient.Version;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.ResponseInfo;
import java.util.Optional;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * A response of the JDK's, and the information for its body handler. Immutable.
 *
 * @param body null before the handler has returned one, and for previous responses
 * @param previous the previous response of the same call, which led to another request
 * @param connection that received it; null if unknown
 */
record JdkResponse<T>(
    HttpRequest request,
    int statusCode,
    HttpHeaders headers,
    Version version,
    @Nullable T body,
    @Nullable HttpResponse<T> previous,
    @Nullable ConnectionInfo connection)
    implements HttpResponse<T>, ResponseInfo {
  JdkResponse<T> withBody(@Nullable T newBody) {
    return new JdkResponse<>(request, statusCode, headers, version, newBody, previous, connection);
  }

  @Override
  public URI uri() {
    return request.uri();
  }

  @Override
  public Optional<HttpResponse<T>> previousResponse() {
    return Optional.ofNullable(previous);
  }

  @Override
  public Optional<SSLSession> sslSession() {
    return Optional.ofNullable(connection)
        .map(ConnectionInfo::tlsSession)
        .map(ImmutableSession::of);
  }

  @SuppressWarnings("MissingOverride") // Up to JDK 24 it overrides nothing.
  public Optional<String> connectionLabel() {
    return connection == null ? Optional.empty() : Optional.of(Long.toString(connection.id()));
  }

  /** Such as {@code (GET http://example.com/) 200}. */
  @Override
  public String toString() {
    return "(" + request.method() + " " + request.uri() + ") " + statusCode;
  }
}
