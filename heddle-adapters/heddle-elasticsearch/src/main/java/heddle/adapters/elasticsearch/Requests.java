package heddle.adapters.elasticsearch;

import static java.nio.charset.StandardCharsets.UTF_8;

import co.elastic.clients.transport.ElasticsearchTransportConfig;
import co.elastic.clients.transport.TransportOptions;
import co.elastic.clients.transport.http.TransportHttpClient;
import heddle.http.Body;
import heddle.http.GzipBody;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Request;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts requests of Elasticsearch's client. Immutable. */
final class Requests {
  private final @Nullable String credentials;
  private final boolean compress;

  Requests(ElasticsearchTransportConfig config) {
    credentials = credentials(config);
    compress = config.useCompression();
  }

  private static @Nullable String credentials(ElasticsearchTransportConfig config) {
    if (config.username() != null) {
      String pair = config.username() + ":" + config.password();
      return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(UTF_8));
    }
    if (config.apiKey() != null) {
      return "ApiKey " + config.apiKey();
    }
    return config.token() == null ? null : "Bearer " + config.token();
  }

  /** A request before its node is chosen. */
  record Draft(Method method, String target, Headers headers, Body body) {
    /**
     * Returns the request to a node.
     *
     * @throws IOException if the node's URI and the target form no URL
     */
    Request to(TransportHttpClient.Node node) throws IOException {
      String base = node.uri().toASCIIString();
      return Request.builder(base.substring(0, base.length() - 1) + target)
          .method(method)
          .headers(headers)
          .body(body)
          .build();
    }
  }

  /**
   * Converts a request. Fields and parameters of the options replace those of the request.
   *
   * @throws IllegalArgumentException if a field cannot be sent; the message says what
   * @throws IOException if the content cannot be compressed
   */
  Draft draft(TransportHttpClient.Request request, TransportOptions options) throws IOException {
    Headers.Builder headers = Headers.builder();
    if (credentials != null) {
      headers.set(HeaderName.AUTHORIZATION, credentials);
    }
    request.headers().forEach((name, value) -> headers.set(HeaderName.of(name), value));
    for (Map.Entry<String, String> field : options.headers()) {
      headers.set(HeaderName.of(field.getKey()), field.getValue());
    }
    Body body = body(request);
    if (compress && body.length() != 0) {
      body = GzipBody.of(body);
      headers.set(HeaderName.CONTENT_ENCODING, "gzip");
    }
    return new Draft(Method.of(request.method()), target(request, options), headers.build(), body);
  }

  private static String target(TransportHttpClient.Request request, TransportOptions options) {
    Map<String, String> parameters = new HashMap<>(request.queryParams());
    parameters.putAll(options.queryParameters());
    String path = request.path();
    StringBuilder target = new StringBuilder(path.startsWith("/") ? path : "/" + path);
    char before = '?';
    for (Map.Entry<String, String> parameter : parameters.entrySet()) {
      target
          .append(before)
          .append(encoded(parameter.getKey()))
          .append('=')
          .append(encoded(parameter.getValue()));
      before = '&';
    }
    return target.toString();
  }

  /** Percent-encodes (RFC 3986 section 2.1). Form encoding would turn a space into a plus. */
  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8).replace("+", "%20");
  }

  /** Collects the content, as it may have to be sent to another node. */
  private static Body body(TransportHttpClient.Request request) {
    Iterable<ByteBuffer> pieces = request.body();
    if (pieces == null) {
      return Body.empty();
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (ByteBuffer piece : pieces) {
      byte[] copy = new byte[piece.remaining()];
      piece.duplicate().get(copy);
      bytes.writeBytes(copy);
    }
    return Body.of(bytes.toByteArray());
  }
}
