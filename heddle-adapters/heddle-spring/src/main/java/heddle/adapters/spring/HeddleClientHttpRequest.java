package heddle.adapters.spring;

import heddle.adapters.spring.HeddleClientHttpRequestFactory.Executor;
import heddle.adapters.spring.HeddleClientHttpRequestFactory.Options;
import heddle.adapters.support.MessageFields;
import heddle.adapters.support.WrittenContent;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.StreamingHttpOutputMessage;
import org.springframework.http.client.AbstractClientHttpRequest;
import org.springframework.http.client.ClientHttpResponse;

/** A Spring request, sent once on the executing thread. */
final class HeddleClientHttpRequest extends AbstractClientHttpRequest
    implements StreamingHttpOutputMessage {
  private static final String USER_AGENT = "heddle/" + version() + " (Java)";

  private final Executor executor;
  private final URI uri;
  private final HttpMethod method;

  /** Streaming content; only one of the two fields is set. */
  private @Nullable Body body;

  private @Nullable ByteArrayOutputStream written;

  HeddleClientHttpRequest(Executor executor, URI uri, HttpMethod method) {
    this.executor = executor;
    this.uri = uri;
    this.method = method;
  }

  @Override
  public HttpMethod getMethod() {
    return method;
  }

  @Override
  public URI getURI() {
    return uri;
  }

  @Override
  protected OutputStream getBodyInternal(HttpHeaders headers) {
    if (body != null) {
      throw new IllegalStateException("setBody was called: call setBody or getBody, not both");
    }
    ByteArrayOutputStream out = written == null ? new ByteArrayOutputStream() : written;
    written = out;
    return out;
  }

  @Override
  public void setBody(Body newBody) {
    assertNotExecuted();
    if (written != null) {
      throw new IllegalStateException("getBody was called: call getBody or setBody, not both");
    }
    body = newBody;
  }

  @Override
  protected ClientHttpResponse executeInternal(HttpHeaders headers) throws IOException {
    // A URI may contain characters outside ASCII, a request line must not (RFC 3986 section 2).
    Request.Builder request = Request.builder(URI.create(uri.toASCIIString()))
        .method(Method.of(method.name()))
        .headers(fields(headers));
    try {
      Response response = send(request, headers.getContentLength());
      return new HeddleClientHttpResponse(method, response, isDecoded(headers), executor);
    } catch (IOException e) {
      throw executor.translate(e);
    }
  }

  /** Whether the client decodes the response, and removes the fields about its coding. */
  private boolean isDecoded(HttpHeaders headers) {
    Options options = executor.options();
    return options != null
        && options.compression()
        && !headers.containsHeader(HttpHeaders.ACCEPT_ENCODING);
  }

  private Response send(Request.Builder request, long announced) throws IOException {
    Body streamed = body;
    if (streamed != null) {
      WrittenContent content = new WrittenContent(executor.client(), request);
      content.announce(announced);
      return content.send(out -> {
        streamed.writeTo(out);
        requireTrue(announced, content.held());
      });
    }
    ByteArrayOutputStream held = written;
    if (held != null) {
      request.body(heddle.http.Body.of(held.toByteArray()));
    }
    return executor.client().send(request.build());
  }

  /** Checks the announced length. The engine checks that of streamed content. */
  private static void requireTrue(long announced, long held) throws IOException {
    if (announced >= 0 && held >= 0 && announced != held) {
      throw new IOException("the request's content has " + held
          + " bytes, but Content-Length announces " + announced
          + ": announce its true length, or none");
    }
  }

  private static Headers fields(HttpHeaders headers) {
    Headers.Builder fields = Headers.builder();
    headers.forEach((name, values) -> MessageFields.add(fields, name, values));
    if (!headers.containsHeader(HttpHeaders.USER_AGENT)) {
      fields.add(HeaderName.of(HttpHeaders.USER_AGENT), USER_AGENT);
    }
    return fields.build();
  }

  private static String version() {
    Properties properties = new Properties();
    try (InputStream in = HeddleClientHttpRequest.class.getResourceAsStream("version.properties")) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("version", "unknown");
  }
}
