package heddle.adapters.aws;

import heddle.adapters.support.LimitAdvice;
import heddle.adapters.support.MessageFields;
import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Origin;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import java.nio.charset.StandardCharsets;
import java.util.List;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.SdkHttpResponse;

/** Converts requests and responses between the SDK and Heddle. */
final class Messages {
  private static final String BUILDER = " of the HTTP client's builder";

  /** Translates failures of calls. */
  static final LimitAdvice ADVICE = new LimitAdvice(
      "connectionTimeout" + BUILDER,
      "tlsNegotiationTimeout" + BUILDER,
      "readTimeout" + BUILDER,
      "connectionAcquisitionTimeout or maxConcurrency" + BUILDER,
      "maxPendingConnectionAcquires or maxConcurrency" + BUILDER);

  private Messages() {}

  /**
   * Converts a request of the SDK. Its path and query are sent unchanged, as they were signed.
   *
   * @throws IllegalArgumentException if something in it cannot be sent; the message says what
   */
  static Request request(SdkHttpRequest request, Body body) {
    Origin origin = new Origin(request.protocol(), request.host(), request.port());
    Method method = Method.of(request.method().name());
    return Request.builder(origin, method, target(request))
        .headers(headers(request))
        .body(body)
        .build();
  }

  private static String target(SdkHttpRequest request) {
    String path = request.encodedPath();
    String query = request.encodedQueryParameters().orElse("");
    String target = path == null || path.isEmpty() ? "/" : path;
    return query.isEmpty() ? target : target + "?" + query;
  }

  private static Headers headers(SdkHttpRequest request) {
    Headers.Builder headers = Headers.builder();
    request.forEachHeader((name, values) -> addAll(headers, HeaderName.of(name), values));
    return headers.build();
  }

  private static void addAll(Headers.Builder headers, HeaderName name, List<String> values) {
    if (MessageFields.isSetByBody(name)) {
      return;
    }
    for (String value : values) {
      // The signature covers the value in UTF-8 without surrounding white space.
      byte[] octets = (value == null ? "" : value.strip()).getBytes(StandardCharsets.UTF_8);
      headers.add(name, octets, 0, octets.length);
    }
  }

  /** Converts the head of a response. */
  static SdkHttpResponse head(Response response) {
    Status status = response.status();
    SdkHttpResponse.Builder head =
        SdkHttpResponse.builder().statusCode(status.code()).statusText(status.reason());
    for (Headers.Field field : response.headers()) {
      head.appendHeader(field.name().toString(), field.value());
    }
    return head.build();
  }
}
