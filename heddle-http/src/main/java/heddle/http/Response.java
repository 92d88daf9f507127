package heddle.http;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A response (RFC 9110 section 3.4). Immutable; its body, when received, can be read once, and must
 * be read to its end or closed.
 *
 * <pre>{@code
 * try (Response response = client.send(Request.get("http://example.com/"))) {
 *   System.out.println(response.requireSuccess().string());
 * }
 * }</pre>
 */
public sealed class Response implements AutoCloseable {
  /** A codec may stop at the end of the value, before the white space behind it. */
  private static final int MAX_REST = 8 << 10;

  private final Status status;
  private final HttpVersion version;
  private final Headers headers;
  private final Body body;
  private final Trailers trailers;
  private final @Nullable Request request;

  /** With how it came about: a subclass, so that a plain response is no larger. */
  private static final class Traced extends Response {
    private final List<Response> earlier;

    Traced(Response response, @Nullable Request request, List<Response> earlier) {
      super(
          response.status,
          response.version,
          response.headers,
          response.body,
          response.trailers,
          request);
      this.earlier = earlier;
    }

    @Override
    public List<Response> earlier() {
      return earlier;
    }
  }

  private Response(
      Status status,
      HttpVersion version,
      Headers headers,
      Body body,
      Trailers trailers,
      @Nullable Request request) {
    this.status = status;
    this.version = version;
    this.headers = headers;
    this.body = body;
    this.trailers = trailers;
    this.request = request;
  }

  /** A response without fields and body. */
  public static Response of(Status status) {
    return new Response(
        status, HttpVersion.HTTP_1_1, Headers.empty(), Body.empty(), Trailers.none(), null);
  }

  /** 200 with a text as {@code text/plain; charset=utf-8}. */
  public static Response ok(String text) {
    return ok(Body.of(text));
  }

  /** 200 with a body. */
  public static Response ok(Body body) {
    Headers headers = Request.withContentType(Headers.empty(), body);
    return new Response(Status.OK, HttpVersion.HTTP_1_1, headers, body, Trailers.none(), null);
  }

  /** A builder for a response with this status. */
  public static Builder builder(Status status) {
    return new Builder(status);
  }

  /**
   * A response as a driver received it.
   *
   * @param request that it answers
   */
  public static Response received(
      Request request,
      Status status,
      HttpVersion version,
      Headers headers,
      Body body,
      Trailers trailers) {
    return new Response(status, version, headers, body, trailers, request);
  }

  /** The status of the head. */
  public Status status() {
    return status;
  }

  /** The version that the response was received with; HTTP/1.1 for one to be sent. */
  public HttpVersion version() {
    return version;
  }

  /** The fields of the head. */
  public Headers headers() {
    return headers;
  }

  /** The content, which can be read once. */
  public Body body() {
    return body;
  }

  /** The fields after the body. */
  public Trailers trailers() {
    return trailers;
  }

  /**
   * The request that this answers, as it was sent, with the fields that steps of the client have
   * added: after redirects its origin and target say where the response is from. Null for a
   * response that was not received.
   */
  public @Nullable Request request() {
    return request;
  }

  /**
   * The responses before this one in the same call, the oldest first, which led to other requests:
   * redirects that were followed, challenges that were answered. Without bodies and trailers; each
   * knows its {@link #request}.
   */
  public List<Response> earlier() {
    return List.of();
  }

  /** Reads the whole body, at most 64 MiB: see {@link Body#bytes()}. */
  public byte[] bytes() throws IOException {
    return body.bytes();
  }

  /** Reads the whole body as text, at most 64 MiB: see {@link Body#string()}. */
  public String string() throws IOException {
    return body.string();
  }

  /**
   * This response if its status is one of success (2xx).
   *
   * @throws StatusException otherwise, with the beginning of the content, which is closed
   */
  public Response requireSuccess() throws IOException {
    if (!status.isSuccess()) {
      throw StatusException.of(this);
    }
    return this;
  }

  /**
   * Reads the whole body as a value, by the {@linkplain Request#codec codec} of the request or the
   * {@linkplain BodyCodec#installed installed} one.
   *
   * @throws StatusException if the status is not one of success (2xx)
   * @throws BodyCodecException if the content is no such value
   * @throws IllegalStateException if there is no codec
   */
  public <T> T as(Class<T> type) throws IOException {
    return type.cast(requireSuccess().value(type));
  }

  /** As {@link #as(Class)}, for a type with parameters. */
  @SuppressWarnings("unchecked") // What a codec returns is of the type that it was given.
  public <T> T as(GenericType<T> type) throws IOException {
    return (T) requireSuccess().value(type.type());
  }

  /** As {@link #as}, whatever the status is. */
  Object value(Type type) throws IOException {
    BodyCodec own = request == null ? null : request.codec();
    BodyCodec codec = own == null ? BodyCodec.installed() : own;
    try (InputStream content = body.stream()) {
      Object value = codec.decode(content, type);
      content.readNBytes(MAX_REST);
      return value;
    } catch (BodyCodecException e) {
      throw e.of(this, type);
    }
  }

  /** This response with another body; its fields stay as they are. */
  public Response withBody(Body other) {
    Response plain = new Response(status, version, headers, other, trailers, request);
    return earlier().isEmpty() ? plain : new Traced(plain, request, earlier());
  }

  /**
   * This response, with how it came about.
   *
   * @param request which it {@linkplain #request answers}
   * @param earlier the responses {@linkplain #earlier before} it, the oldest first
   */
  public Response answering(Request request, List<Response> earlier) {
    return new Traced(this, request, List.copyOf(earlier));
  }

  /** A builder that holds all of this response. */
  public Builder toBuilder() {
    return new Builder(status)
        .version(version)
        .headers(headers)
        .body(body)
        .trailers(trailers)
        .request(request())
        .earlier(earlier());
  }

  /** Closes the body. */
  @Override
  public void close() throws IOException {
    body.close();
  }

  /** Version, status and fields, for a log; credentials are masked. */
  @Override
  public String toString() {
    return version + " " + status + " " + headers;
  }

  /** Collects a response. Not safe for use by several threads. */
  public static final class Builder {
    private final Headers.Builder headers = Headers.builder();
    private Status status;
    private HttpVersion version = HttpVersion.HTTP_1_1;
    private Body body = Body.empty();
    private Trailers trailers = Trailers.none();
    private @Nullable Request request;
    private List<Response> earlier = List.of();

    private Builder(Status status) {
      this.status = status;
    }

    /** Sets the status; 200 by default. */
    public Builder status(Status status) {
      Objects.requireNonNull(status, "status");
      this.status = status;
      return this;
    }

    /** Sets the version of the protocol. */
    public Builder version(HttpVersion version) {
      Objects.requireNonNull(version, "version");
      this.version = version;
      return this;
    }

    /** Adds a field, as {@link Headers.Builder#add(String, String)} does. */
    public Builder header(String name, String value) {
      headers.add(name, value);
      return this;
    }

    /** Adds a field, as {@link Headers.Builder#add(HeaderName, String)} does. */
    public Builder header(HeaderName name, String value) {
      headers.add(name, value);
      return this;
    }

    /** Replaces all fields. */
    public Builder headers(Headers replacement) {
      Objects.requireNonNull(replacement, "replacement");
      headers.clear().addAll(replacement);
      return this;
    }

    /** Sets the body; its media type becomes Content-Type unless there is such a field. */
    public Builder body(Body body) {
      Objects.requireNonNull(body, "body");
      this.body = body;
      return this;
    }

    /** Sets the fields after the body. */
    public Builder trailers(Trailers trailers) {
      Objects.requireNonNull(trailers, "trailers");
      this.trailers = trailers;
      return this;
    }

    /** Sets the {@linkplain Response#request request} that it answers. */
    public Builder request(@Nullable Request request) {
      this.request = request;
      return this;
    }

    /** Sets the responses {@linkplain Response#earlier before} it, the oldest first. */
    public Builder earlier(List<Response> earlier) {
      Objects.requireNonNull(earlier, "earlier");
      this.earlier = List.copyOf(earlier);
      return this;
    }

    /** Builds the response. */
    public Response build() {
      Headers fields = Request.withContentType(headers.build(), body);
      Response plain = new Response(status, version, fields, body, trailers, request);
      return earlier.isEmpty() ? plain : new Traced(plain, request, earlier);
    }
  }
}
