package heddle.adapters.langchain4j;

import dev.langchain4j.http.client.FormDataFile;
import dev.langchain4j.http.client.HttpRequest;
import dev.langchain4j.http.client.SuccessfulHttpResponse;
import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.MalformedUrlException;
import heddle.http.MediaType;
import heddle.http.Method;
import heddle.http.MultipartBody;
import heddle.http.Request;
import heddle.http.Response;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Converts requests and responses between LangChain4j and Heddle. */
final class Messages {
  private Messages() {}

  /**
   * Converts a request.
   *
   * @throws IllegalArgumentException if something in it cannot be sent; the message says what
   */
  static Request request(HttpRequest request) {
    Body body = body(request);
    try {
      return Request.builder(request.url())
          .method(Method.of(request.method().name()))
          .headers(headers(request, body instanceof MultipartBody))
          .body(body)
          .build();
    } catch (MalformedUrlException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private static Body body(HttpRequest request) {
    if (request.formDataFields().isEmpty() && request.formDataFiles().isEmpty()) {
      String body = request.body();
      return body == null ? Body.empty() : Body.of(body.getBytes(StandardCharsets.UTF_8));
    }
    MultipartBody.Builder form = MultipartBody.builder();
    request.formDataFields().forEach(form::add);
    request.formDataFiles().forEach((name, file) -> addFile(form, name, file));
    return form.build();
  }

  private static void addFile(MultipartBody.Builder form, String name, FormDataFile file) {
    String type = file.contentType();
    Body content = type == null || type.isBlank()
        ? Body.of(file.content())
        : Body.of(file.content(), MediaType.parse(type));
    form.addFile(name, file.fileName(), content);
  }

  /**
   * @param isForm whether Content-Type comes from the form content, which knows its boundary
   */
  private static Headers headers(HttpRequest request, boolean isForm) {
    Headers.Builder headers = Headers.builder();
    request.headers().forEach((text, values) -> {
      HeaderName name = HeaderName.of(text);
      if (values != null && !isOurs(name, isForm)) {
        values.forEach(value -> headers.add(name, value));
      }
    });
    return headers.build();
  }

  private static boolean isOurs(HeaderName name, boolean isForm) {
    return name == HeaderName.CONTENT_LENGTH
        || name == HeaderName.TRANSFER_ENCODING
        || (isForm && name == HeaderName.CONTENT_TYPE);
  }

  /** Converts status and fields of a response. */
  static SuccessfulHttpResponse.Builder head(Response response) {
    Map<String, List<String>> headers = new LinkedHashMap<>();
    for (Headers.Field field : response.headers()) {
      headers
          .computeIfAbsent(field.name().toString(), name -> new ArrayList<>())
          .add(field.value());
    }
    return SuccessfulHttpResponse.builder().statusCode(response.status().code()).headers(headers);
  }
}
