package heddle.adapters.feign;

import feign.Request;
import feign.Request.ProtocolVersion;
import feign.Response;
import feign.Util;
import heddle.adapters.support.MessageFields;
import heddle.adapters.support.ResponseContent;
import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.Method;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Collection;
import java.util.Collections;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** Converts requests and responses between Feign and Heddle. */
final class Messages {
  private Messages() {}

  // ---- requests

  /**
   * Converts a request. If its Content-Encoding is gzip or deflate, the content is compressed here,
   * as by Feign's own client.
   *
   * @throws IOException if its URL is malformed
   * @throws IllegalArgumentException if a field cannot be sent; the message says what
   */
  static heddle.http.Request request(Request request) throws IOException {
    return heddle.http.Request.builder(request.url())
        .method(Method.of(request.httpMethod().name()))
        .headers(headers(request))
        .body(body(request))
        .build();
  }

  private static Headers headers(Request request) {
    Headers given = MessageFields.of(request.headers()).build();
    // As by Feign's own client: some servers refuse the default Accept of HttpURLConnection.
    return given.contains(HeaderName.ACCEPT)
        ? given
        : given.toBuilder().add(HeaderName.ACCEPT, "*/*").build();
  }

  private static Body body(Request request) throws IOException {
    byte[] content = request.body();
    if (content == null) {
      return Body.empty();
    }
    Collection<String> codings = codings(request);
    if (codings.contains(Util.ENCODING_GZIP)) {
      return compressed(content, GZIPOutputStream::new);
    }
    return codings.contains(Util.ENCODING_DEFLATE)
        ? compressed(content, DeflaterOutputStream::new)
        : Body.of(content);
  }

  private static Collection<String> codings(Request request) {
    return request.headers().entrySet().stream()
        .filter(field -> field.getKey().equalsIgnoreCase(Util.CONTENT_ENCODING))
        .flatMap(field -> field.getValue().stream())
        .toList();
  }

  private interface Compressor {
    OutputStream over(OutputStream out) throws IOException;
  }

  private static Body compressed(byte[] content, Compressor compressor) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = compressor.over(bytes)) {
      out.write(content);
    }
    return Body.of(bytes.toByteArray());
  }

  // ---- responses

  /** Converts a response. Closing its body closes it; without a body it is closed here. */
  static Response response(Request request, heddle.http.Response response) throws IOException {
    Response.Builder told = Response.builder()
        .status(response.status().code())
        .headers(Collections.unmodifiableMap(MessageFields.byName(response.headers())))
        .protocolVersion(version(response.version()))
        .request(request);
    if (response.version() != HttpVersion.HTTP_2) {
      told.reason(response.status().reason()); // HTTP/2 has no phrases (RFC 9113 section 8.3.2).
    }
    if (MessageFields.mayHaveContent(Method.of(request.httpMethod().name()), response)) {
      told.body(
          new ResponseContent(response, CallOptions.ADVICE::translate), length(response.headers()));
    } else {
      response.close();
    }
    return told.build();
  }

  private static ProtocolVersion version(HttpVersion version) {
    return switch (version) {
      case HTTP_1_0 -> ProtocolVersion.HTTP_1_0;
      case HTTP_1_1 -> ProtocolVersion.HTTP_1_1;
      case HTTP_2 -> ProtocolVersion.HTTP_2;
    };
  }

  /**
   * The length as Feign defines it: the announced one, or null if there is none or it exceeds an
   * int. The body itself also knows the length of content that arrived with its head.
   */
  private static @Nullable Integer length(Headers headers) {
    String announced = headers.first(HeaderName.CONTENT_LENGTH);
    long length = announced == null ? Body.UNKNOWN : Long.parseLong(announced);
    return length < 0 || length > Integer.MAX_VALUE ? null : (Integer) (int) length;
  }
}
