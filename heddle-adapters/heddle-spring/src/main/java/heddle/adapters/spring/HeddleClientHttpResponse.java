package heddle.adapters.spring;

import heddle.adapters.spring.HeddleClientHttpRequestFactory.Executor;
import heddle.adapters.support.MessageFields;
import heddle.adapters.support.ResponseContent;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Response;
import heddle.http.Status;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpResponse;

/** A response as Spring reads it. Used by one thread at a time. */
final class HeddleClientHttpResponse implements ClientHttpResponse {
  private static final List<String> CODINGS = List.of("gzip", "deflate");

  private final Response response;
  private final HttpHeaders headers;
  private final InputStream content;

  /**
   * @param decoded whether the client decodes content
   * @param executor translates failures of reading
   * @throws IOException if the content cannot be opened
   */
  HeddleClientHttpResponse(HttpMethod method, Response response, boolean decoded, Executor executor)
      throws IOException {
    this.response = response;
    HttpHeaders fields = new HttpHeaders();
    for (Headers.Field field : response.headers()) {
      fields.add(field.name().toString(), field.value());
    }
    String coding = fields.getFirst(HttpHeaders.CONTENT_ENCODING);
    if (decoded && coding != null && CODINGS.contains(coding)) {
      // Of HEAD: the response to a GET would not have them, as its content is decoded.
      fields.remove(HttpHeaders.CONTENT_ENCODING);
      fields.remove(HttpHeaders.CONTENT_LENGTH);
    }
    headers = HttpHeaders.readOnlyHttpHeaders(fields);
    content = MessageFields.mayHaveContent(Method.of(method.name()), response)
        ? new ResponseContent(response, executor::translate)
        : InputStream.nullInputStream();
  }

  @Override
  public HttpStatusCode getStatusCode() {
    return HttpStatusCode.valueOf(response.status().code());
  }

  /** The server's reason phrase over HTTP/1.1, else the registered phrase; may be empty. */
  @Override
  public String getStatusText() {
    Status status = response.status();
    return status.reason().isEmpty() ? Status.of(status.code()).reason() : status.reason();
  }

  @Override
  public HttpHeaders getHeaders() {
    return headers;
  }

  @Override
  public InputStream getBody() {
    return content;
  }

  /** Discards unread content, and closes the connection unless all content has arrived. */
  @Override
  public void close() {
    try {
      response.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
