package heddle.adapters.langchain4j;

import dev.langchain4j.http.client.FormDataFile;
import dev.langchain4j.http.client.HttpRequest;
import dev.langchain4j.http.client.SuccessfulHttpResponse;
import heddle.adapters.support.MessageFields;
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
    Headers.Builder headers = MessageFields.of(request.headers());
    return isForm ? headers.remove(HeaderName.CONTENT_TYPE).build() : headers.build();
  }

  /** Converts status and fields of a response. */
  static SuccessfulHttpResponse.Builder head(Response response) {
    return SuccessfulHttpResponse.builder()
        .statusCode(response.status().code())
        .headers(MessageFields.byName(response.headers()));
  }
}
