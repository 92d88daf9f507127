package heddle.web.testkit;

import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.MediaType;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.spi.Attribute;
import heddle.server.spi.Exchange;
import heddle.server.spi.ExchangeHandler;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * An exchange for tests, which answers one request with a handler or a router on the calling
 * thread, and keeps the response. Used by one thread.
 *
 * <pre>{@code
 * Response response = TestExchange.call(router, Request.get("http://localhost/users/7"));
 * assertEquals("user 7", response.string());
 * }</pre>
 *
 * <p>The client speaks HTTP/1.1 without TLS from a port of the loopback interface, unless a test
 * says otherwise. It does nothing that only a server does: it adds no fields such as Date and
 * Content-Length, has no limits and timeouts, and does not answer 500 if a handler throws.
 */
public final class TestExchange implements Exchange {
  private static final int CLIENT_PORT = 49_152; // the first one that clients use (RFC 6335)

  private final Request request;
  private final Map<Attribute<?>, Object> attributes = new HashMap<>();
  private final List<Response> interim = new ArrayList<>();
  private HttpVersion version = HttpVersion.HTTP_1_1;
  private SocketAddress remoteAddress =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), CLIENT_PORT);
  private boolean called;
  private boolean aborted;
  private @Nullable Response head;
  private @Nullable Content content;

  private TestExchange(Request request) {
    this.request = request;
  }

  /** An exchange with this request. */
  public static TestExchange of(Request request) {
    return new TestExchange(Objects.requireNonNull(request, "request"));
  }

  /**
   * What a handler answers to a request: see {@link #call(ExchangeHandler)}.
   *
   * @throws Exception what the handler throws
   */
  public static Response call(ExchangeHandler handler, Request request) throws Exception {
    return of(request).call(handler);
  }

  /** Sets the version of HTTP that the client speaks. */
  public TestExchange version(HttpVersion version) {
    this.version = Objects.requireNonNull(version, "version");
    return this;
  }

  /** Sets the address of the client. */
  public TestExchange remoteAddress(SocketAddress address) {
    this.remoteAddress = Objects.requireNonNull(address, "address");
    return this;
  }

  /** Attaches a value, as a filter before the handler would. */
  public <T> TestExchange with(Attribute<T> attribute, T value) {
    set(attribute, value);
    return this;
  }

  /**
   * Answers the request with a handler, once.
   *
   * @return the response with its trailers; content that the handler has written is in memory, and
   *     that of a response that has none, such as one to HEAD, is dropped
   * @throws Exception what the handler throws, also if it has begun a response
   * @throws IOException if the handler aborts the exchange, or the content differs from the
   *     Content-Length of a response that was begun
   * @throws IllegalStateException if the handler has begun a response and returned another, or this
   *     exchange was used before
   * @throws NullPointerException if the handler returns null and has begun no response
   */
  public Response call(ExchangeHandler handler) throws Exception {
    if (called) {
      throw new IllegalStateException("this exchange was used: make another one");
    }
    called = true;
    Response returned = run(handler);
    Response begun = head;
    if (begun == null) {
      return received(Objects.requireNonNull(returned, "the handler returned null"));
    }
    if (returned != null) {
      returned.close();
      throw new IllegalStateException(
          "the handler has begun a response and returned another: return null");
    }
    return received(begun.withBody(Objects.requireNonNull(content).body()));
  }

  private @Nullable Response run(ExchangeHandler handler) throws Exception {
    Response returned = null;
    try {
      returned = handler.handle(this);
    } catch (Exception e) {
      if (!aborted) {
        throw e;
      }
    }
    if (aborted) {
      if (returned != null) {
        returned.close();
      }
      throw new IOException("the handler has aborted the exchange: its client gets no response");
    }
    return returned;
  }

  /** The response as a client would see it. */
  private Response received(Response response) throws IOException {
    Body body = response.body();
    if (!hasContent(response)) {
      body.close();
      return response.withBody(Body.empty());
    }
    if (!body.isWritten()) {
      return response;
    }
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    body.transferTo(written);
    return response.withBody(Content.body(written.toByteArray(), body.mediaType()));
  }

  private boolean hasContent(Response response) {
    return response.status().mayHaveContent() && !request.method().equals(Method.HEAD);
  }

  /** The informational responses that were sent, in their order. */
  public List<Response> interimResponses() {
    return List.copyOf(interim);
  }

  @Override
  public Request request() {
    return request;
  }

  @Override
  public HttpVersion version() {
    return version;
  }

  @Override
  public SocketAddress remoteAddress() {
    return remoteAddress;
  }

  /** The loopback interface, and the port of the request's URL. */
  @Override
  public SocketAddress localAddress() {
    return new InetSocketAddress(
        InetAddress.getLoopbackAddress(), request.origin().port());
  }

  @Override
  public long connectionId() {
    return 1;
  }

  /** Always null. */
  @Override
  public @Nullable SSLSession tlsSession() {
    return null;
  }

  @Override
  public <T> @Nullable T get(Attribute<T> attribute) {
    Object value = attributes.get(attribute);
    return value == null ? null : attribute.type().cast(value);
  }

  @Override
  public <T> void set(Attribute<T> attribute, T value) {
    attributes.put(attribute, Objects.requireNonNull(value, "value"));
  }

  @Override
  public void interim(Status status, Headers fields) {
    if (!status.isInformational() || status.equals(Status.SWITCHING_PROTOCOLS)) {
      throw new IllegalArgumentException(status.code() + " is no interim response");
    }
    checkNotBegun();
    if (version != HttpVersion.HTTP_1_0) {
      interim.add(Response.builder(status).headers(fields).build());
    }
  }

  @Override
  public OutputStream begin(Response response) {
    if (response.status().isInformational()) {
      throw new IllegalArgumentException(
          "a response begins with a final status, not " + response.status().code());
    }
    if (response.body().length() != 0) {
      throw new IllegalArgumentException("the head has a body: return the response instead");
    }
    checkNotBegun();
    head = response;
    content = new Content(response.headers(), hasContent(response));
    return content;
  }

  /** Ends {@link #call} with an {@link IOException}. */
  @Override
  public void abort() {
    aborted = true;
  }

  private void checkNotBegun() {
    if (head != null) {
      throw new IllegalStateException("the response has begun already");
    }
  }

  /** Method and URL of the request. */
  @Override
  public String toString() {
    return "TestExchange(" + request.method() + " " + request.origin() + request.path() + ")";
  }

  /** What the handler has written. */
  private static final class Content extends OutputStream {
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final @Nullable MediaType mediaType;
    private final long length;
    private boolean closed;

    Content(Headers head, boolean kept) {
      String type = head.first(HeaderName.CONTENT_TYPE);
      String announced = head.first(HeaderName.CONTENT_LENGTH);
      mediaType = type == null ? null : MediaType.parse(type);
      length = announced == null || !kept ? Body.UNKNOWN : Long.parseLong(announced);
    }

    @Override
    public void write(int octet) throws IOException {
      write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int count) throws IOException {
      if (closed) {
        throw new IOException("the response has ended");
      }
      if (length != Body.UNKNOWN && written.size() + (long) count > length) {
        throw new IOException("the content has more than the " + length + " bytes announced");
      }
      written.write(source, offset, count);
    }

    @Override
    public void close() {
      closed = true;
    }

    Body body() throws IOException {
      if (length != Body.UNKNOWN && written.size() < length) {
        throw new IOException(
            "the content has " + written.size() + " of the " + length + " bytes announced");
      }
      return body(written.toByteArray(), mediaType);
    }

    static Body body(byte[] bytes, @Nullable MediaType mediaType) {
      return mediaType == null ? Body.of(bytes) : Body.of(bytes, mediaType);
    }
  }
}
