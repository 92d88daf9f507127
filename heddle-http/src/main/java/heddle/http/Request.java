package heddle.http;

import heddle.http.syntax.Iri;
import heddle.http.syntax.Reference;
import heddle.http.syntax.Url;
import heddle.http.syntax.UrlTemplate;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request (RFC 9110 section 3.4). Immutable and safe to share; one with a {@linkplain
 * Body#isReplayable replayable} body may be sent many times.
 *
 * <pre>{@code
 * Request request =
 *     Request.builder("https://example.com/search?q=loom")
 *         .header("Accept", "application/json")
 *         .deadline(Duration.ofSeconds(5))
 *         .build();
 * }</pre>
 *
 * <p>URLs are absolute, http or https. Characters beyond ASCII are percent-encoded in UTF-8, and
 * international host names put in their ASCII form (RFC 3987); all others must be legal in a URL
 * (RFC 3986), and stay as they are. A fragment is dropped, user information is refused. Where a
 * {@link URI} is not such a URL, an {@link IllegalArgumentException} is thrown.
 *
 * <p>A URL with placeholders takes a value for each, in their order, in which all but letters,
 * digits and {@code -._~} is percent-encoded; {@link Builder#query} adds parameters:
 *
 * <pre>{@code
 * Request page =
 *     Request.builder("https://example.com/users/{id}/posts", "jo/ann")
 *         .query("page", 2)
 *         .build(); // /users/jo%2Fann/posts?page=2
 * }</pre>
 */
public final class Request {
  private static final String CONTINUE = "100-continue";

  private final Method method;
  private final Origin origin;
  private final String target;
  private final Headers headers;
  private final Body body;
  private final Trailers trailers;
  private final @Nullable Duration deadline;
  private final @Nullable HttpVersion version;
  private final boolean onNewConnection;
  private final @Nullable InformationalListener informational;
  private final @Nullable BodyCodec codec;
  private final @Nullable String template;

  private Request(
      Method method,
      Origin origin,
      String target,
      Headers headers,
      Body body,
      Trailers trailers,
      @Nullable Duration deadline,
      @Nullable HttpVersion version,
      boolean onNewConnection,
      @Nullable InformationalListener informational,
      @Nullable BodyCodec codec,
      @Nullable String template) {
    this.method = method;
    this.origin = origin;
    this.target = target;
    this.headers = headers;
    this.body = body;
    this.trailers = trailers;
    this.deadline = deadline;
    this.version = version;
    this.onNewConnection = onNewConnection;
    this.informational = informational;
    this.codec = codec;
    this.template = template;
  }

  /** A GET of {@code url}. */
  public static Request get(String url) throws MalformedUrlException {
    return simple(Method.GET, parse(url), Body.empty());
  }

  /** A GET of {@code url}. */
  public static Request get(URI url) {
    return simple(Method.GET, Url.parse(url.toString()), Body.empty());
  }

  /** A HEAD of {@code url}. */
  public static Request head(String url) throws MalformedUrlException {
    return simple(Method.HEAD, parse(url), Body.empty());
  }

  /** A DELETE of {@code url}. */
  public static Request delete(String url) throws MalformedUrlException {
    return simple(Method.DELETE, parse(url), Body.empty());
  }

  /** A POST to {@code url}. */
  public static Request post(String url, Body body) throws MalformedUrlException {
    return simple(Method.POST, parse(url), body);
  }

  /** A PUT to {@code url}. */
  public static Request put(String url, Body body) throws MalformedUrlException {
    return simple(Method.PUT, parse(url), body);
  }

  /** A PATCH of {@code url}. */
  public static Request patch(String url, Body body) throws MalformedUrlException {
    return simple(Method.PATCH, parse(url), body);
  }

  private static Request simple(Method method, Url url, Body body) {
    Objects.requireNonNull(body, "body");
    Headers headers = withContentType(Headers.empty(), body);
    return new Request(
        method,
        Origin.of(url),
        url.target(),
        headers,
        body,
        Trailers.none(),
        null,
        null,
        false,
        null,
        null,
        null);
  }

  private static Url parse(String url) throws MalformedUrlException {
    Objects.requireNonNull(url, "url");
    try {
      return Url.parse(url);
    } catch (IllegalArgumentException malformed) {
      throw new MalformedUrlException("malformed URL: " + malformed.getMessage());
    }
  }

  /** Adds the body's media type as Content-Type unless there is such a field. */
  static Headers withContentType(Headers headers, Body body) {
    MediaType mediaType = body.mediaType();
    if (mediaType == null || headers.contains(HeaderName.CONTENT_TYPE)) {
      return headers;
    }
    Headers contentType = mediaType.asHeaders();
    return headers.isEmpty()
        ? contentType
        : headers.toBuilder().addAll(contentType).build();
  }

  /** A builder without a URL, for a GET. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * A builder for a GET of {@code url}.
   *
   * @param values for the placeholders of the URL; see {@link Builder#url(String, Object...)}
   */
  public static Builder builder(String url, Object... values) throws MalformedUrlException {
    return new Builder().url(url, values);
  }

  /** A builder for a GET of {@code url}. */
  public static Builder builder(URI url) {
    return new Builder().url(url);
  }

  /**
   * A builder for a request as a server receives it.
   *
   * @param target in origin-form, {@code *} for OPTIONS, or host and port for CONNECT (RFC 9112
   *     section 3.2)
   * @throws IllegalArgumentException if the target is not in one of these forms
   */
  public static Builder builder(Origin origin, Method method, String target) {
    checkTarget(method, target);
    return new Builder().origin(origin, target).method(method);
  }

  /**
   * A request with nothing checked but its target, for drivers that parsed it.
   *
   * @throws IllegalArgumentException if the target is not right: see {@link #builder(Origin,
   *     Method, String)}
   */
  public static Request received(
      Origin origin, Method method, String target, Headers headers, Body body, Trailers trailers) {
    checkTarget(method, target);
    return new Request(
        method, origin, target, headers, body, trailers, null, null, false, null, null, null);
  }

  private static void checkTarget(Method method, String target) {
    if (method == Method.CONNECT) {
      Url.checkAuthorityForm(target);
    } else if (!(method == Method.OPTIONS && target.equals("*"))) {
      Url.checkOriginForm(target);
    }
  }

  /** The method. */
  public Method method() {
    return method;
  }

  /** Scheme, host and port of the URL. */
  public Origin origin() {
    return origin;
  }

  /**
   * The request-target exactly as it is sent (RFC 9112 section 3.2): origin-form such as {@code
   * /search?q=loom}, {@code *}, or host and port for CONNECT.
   */
  public String target() {
    return target;
  }

  /**
   * The request-target as it is sent to a proxy that forwards the request: the whole URL, without
   * an asterisk (RFC 9112 sections 3.2.2 and 3.2.4); for CONNECT as {@link #target}.
   */
  public String absoluteTarget() {
    String path = target.equals("*") ? "" : target;
    return method == Method.CONNECT ? target : origin.scheme() + "://" + origin.hostHeader() + path;
  }

  /** The target up to the question mark, escapes as they are; {@code *} or empty as the target. */
  public String path() {
    if (method == Method.CONNECT) {
      return "";
    }
    int mark = target.indexOf('?');
    return mark < 0 ? target : target.substring(0, mark);
  }

  /** What follows the question mark, escapes as they are; null if there is no question mark. */
  public @Nullable String query() {
    int mark = target.indexOf('?');
    return mark < 0 ? null : target.substring(mark + 1);
  }

  /** The fields that the caller has set. */
  public Headers headers() {
    return headers;
  }

  /** The content; empty if there is none. */
  public Body body() {
    return body;
  }

  /** The fields after the body. */
  public Trailers trailers() {
    return trailers;
  }

  /** The most time for the whole call; null for the client's limits. */
  public @Nullable Duration deadline() {
    return deadline;
  }

  /** The version to send it with, and no other; null for what the client prefers. */
  public @Nullable HttpVersion version() {
    return version;
  }

  /** Whether it needs a new connection: see {@link Builder#onNewConnection}. */
  public boolean needsNewConnection() {
    return onNewConnection;
  }

  /** The listener that receives informational responses, or null. */
  public @Nullable InformationalListener informational() {
    return informational;
  }

  /**
   * The path with placeholders that the URL was made from, such as {@code /users/{id}}; null if it
   * had none. Few requests have different ones, so that it can group them in metrics.
   */
  public @Nullable String template() {
    return template;
  }

  /** What converts values; null for the client's codec, or else the installed one. */
  public @Nullable BodyCodec codec() {
    return codec;
  }

  /**
   * Whether the body waits until the server says that it may come: there is one, and {@code Expect:
   * 100-continue} announces it (RFC 9110 section 10.1.1).
   */
  public boolean expectsContinue() {
    return body.length() != 0 && headers.containsToken(HeaderName.EXPECT, CONTINUE);
  }

  /** A builder that holds all of this request. */
  public Builder toBuilder() {
    Builder builder = new Builder().origin(origin, target).method(method).headers(headers);
    builder.body = body;
    builder.trailers = trailers;
    builder.deadline = deadline;
    builder.version = version;
    builder.onNewConnection = onNewConnection;
    builder.informational = informational;
    builder.codec = codec;
    builder.template = template;
    return builder;
  }

  /** Method, URL and fields, for a log; credentials and the query are masked. */
  @Override
  public String toString() {
    int query = target.indexOf('?');
    String shown = query < 0 ? target : target.substring(0, query) + "?***";
    String url =
        method == Method.CONNECT || target.equals("*") ? origin + " " + target : origin + shown;
    return method + " " + url + " " + headers;
  }

  /** Collects a request. Not safe for use by several threads. */
  public static final class Builder {
    private Method method = Method.GET;
    private @Nullable Origin origin;
    private String target = "/";
    private Headers headers = Headers.empty();

    /** Set once {@link #headers} are changed. */
    private Headers.@Nullable Builder changedHeaders;

    private Body body = Body.empty();
    private Trailers trailers = Trailers.none();
    private @Nullable Duration deadline;
    private @Nullable HttpVersion version;
    private boolean onNewConnection;
    private @Nullable InformationalListener informational;
    private @Nullable BodyCodec codec;
    private @Nullable String template;

    private Builder() {}

    /**
     * Sets origin and target.
     *
     * @param values one for each placeholder such as <code>{id}</code>, in their order; what is not
     *     unreserved in their texts is percent-encoded
     * @throws MalformedUrlException if it is no URL, or there are more or fewer values than
     *     placeholders, or one that would address another resource: a whole segment of the path
     *     that is empty, {@code .} or {@code ..}
     */
    public Builder url(String url, Object... values) throws MalformedUrlException {
      if (values.length == 0) {
        return url(parse(url));
      }
      url(parse(expand(url, values)));
      template = UrlTemplate.path(url);
      return this;
    }

    private static String expand(String template, Object... values) throws MalformedUrlException {
      try {
        return UrlTemplate.expand(template, values);
      } catch (IllegalArgumentException e) {
        throw new MalformedUrlException("malformed URL: " + e.getMessage());
      }
    }

    /**
     * Adds a parameter to the query of the URL that is set; what is not unreserved in name and
     * value is percent-encoded. One that is there already stays, even if it has the same name.
     */
    public Builder query(String name, Object value) {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(value, "value");
      String parameter = Iri.encode(name) + "=" + Iri.encode(value.toString());
      int mark = target.indexOf('?');
      boolean first = mark < 0 || mark == target.length() - 1;
      target = target + (mark < 0 ? "?" : first ? "" : "&") + parameter;
      return this;
    }

    /** Sets origin and target. */
    public Builder url(URI url) {
      Objects.requireNonNull(url, "url");
      return url(Url.parse(url.toString()));
    }

    /**
     * Sets origin and target to what a reference, such as that of Location, means relative to the
     * URL that is set (RFC 3986 section 5.2).
     *
     * @throws MalformedUrlException if that is no http or https URL
     */
    public Builder resolve(String reference) throws MalformedUrlException {
      Objects.requireNonNull(reference, "reference");
      Origin base = Objects.requireNonNull(origin, "a reference needs a URL before it: call url");
      return url(Reference.resolve(base.scheme(), base.authority(), target, reference));
    }

    private Builder url(Url url) {
      return origin(Origin.of(url), url.target());
    }

    private Builder origin(Origin origin, String target) {
      this.origin = origin;
      this.target = target;
      this.template = null;
      return this;
    }

    /** Sets the method; GET when not called. */
    public Builder method(Method method) {
      Objects.requireNonNull(method, "method");
      this.method = method;
      return this;
    }

    /** Adds a field, as {@link Headers.Builder#add(String, String)} does. */
    public Builder header(String name, String value) {
      return header(HeaderName.of(name), value);
    }

    /** Adds a field, as {@link Headers.Builder#add(HeaderName, String)} does. */
    public Builder header(HeaderName name, String value) {
      Headers.Builder changed = changedHeaders == null ? headers.toBuilder() : changedHeaders;
      changedHeaders = changed.add(name, value);
      return this;
    }

    /** Replaces all fields. */
    public Builder headers(Headers replacement) {
      Objects.requireNonNull(replacement, "replacement");
      headers = replacement;
      changedHeaders = null;
      return this;
    }

    /** Sets the body; its media type becomes Content-Type unless there is such a field. */
    public Builder body(Body body) {
      Objects.requireNonNull(body, "body");
      this.body = body;
      return this;
    }

    /**
     * Sets the body to the content of a value, such as JSON, by the {@linkplain #codec codec} that
     * was set before, or the {@linkplain BodyCodec#installed installed} one.
     *
     * @throws BodyCodecException if there is no content for it
     * @throws IllegalArgumentException if it is a text or bytes: use {@link Body#of}
     * @throws IllegalStateException if there is no codec
     */
    public Builder body(Object value) throws IOException {
      Objects.requireNonNull(value, "value");
      if (value instanceof CharSequence || value instanceof byte[]) {
        throw new IllegalArgumentException(
            "body(Object) converts values, so that a text would become"
                + " a quoted one: use Body.of for content as it is");
      }
      return body((codec == null ? BodyCodec.installed() : codec).encode(value));
    }

    /** Sets what converts values; null for the client's codec, or else the installed one. */
    public Builder codec(@Nullable BodyCodec codec) {
      this.codec = codec;
      return this;
    }

    /**
     * Sets the fields after the body (RFC 9110 section 6.5). Over HTTP/1.1 the body is sent in
     * chunks for their sake, whatever its length is. Names that are known beforehand are announced
     * in a Trailer field unless there is one. Fields that frame or route a message, say how it is
     * to be processed, or hold credentials may not be among them (section 6.5.1): the call fails.
     */
    public Builder trailers(Trailers trailers) {
      Objects.requireNonNull(trailers, "trailers");
      this.trailers = trailers;
      return this;
    }

    /**
     * Asks the server to say that it takes the body before it is sent: adds {@code Expect:
     * 100-continue}, as adding that field does (RFC 9110 section 10.1.1). The body follows when the
     * server answers 100 (Continue), or nothing for a bounded time, one second as a rule. It is
     * neither opened nor sent when a final response comes first, such as 401 (Unauthorized) or 413
     * (Content Too Large), so that one that can be opened once can be sent with another request.
     * Over HTTP/1.1 that costs the connection. A request without a body is sent without the field,
     * as is, once more, one that was answered 417 (Expectation Failed).
     */
    public Builder expectContinue() {
      return header(HeaderName.EXPECT, CONTINUE);
    }

    /**
     * Tells the server that trailers of its response will be read: adds {@code TE: trailers},
     * and the connection option that HTTP/1.1 needs with it (RFC 9110 section 10.1.4). Trailers are
     * received without this too, but a server may omit those that matter unless it sees TE.
     */
    public Builder acceptTrailers() {
      return header(HeaderName.TE, "trailers").header(HeaderName.CONNECTION, "TE");
    }

    /**
     * Sets the listener for informational responses, such as 103 (Early Hints); null for none. See
     * {@link InformationalListener} for when it is called and on which thread.
     */
    public Builder onInformational(@Nullable InformationalListener listener) {
      informational = listener;
      return this;
    }

    /**
     * Sets the most time for the whole call, from the queue to the last byte of the response's
     * body. Without it, the client's limits hold: by default there must be a response after 60 s,
     * whose body may take any time in which the server is not silent.
     *
     * @param deadline more than zero; null for the client's limits
     * @throws IllegalArgumentException if it is zero or negative
     */
    public Builder deadline(@Nullable Duration deadline) {
      if (deadline != null && !deadline.isPositive()) {
        throw new IllegalArgumentException(
            "the deadline must be more than zero, but was " + deadline);
      }
      this.deadline = deadline;
      return this;
    }

    /**
     * Removes the call's deadline, as for a response that begins late: neither the client's limits
     * nor an earlier {@link #deadline} apply. How long the server may be silent is still limited,
     * and so is the call if it is made within the deadline of something larger.
     */
    public Builder noDeadline() {
      return deadline(Duration.ofSeconds(Long.MAX_VALUE));
    }

    /**
     * Sends the request with this version and no other. HTTP/2 without TLS is spoken without asking
     * whether the server knows it (RFC 9113 section 3.3).
     *
     * @param version HTTP/1.1 or HTTP/2; null for what the client prefers
     * @throws IllegalArgumentException if it is HTTP/1.0, which no client of this kind sends
     */
    public Builder version(@Nullable HttpVersion version) {
      if (version == HttpVersion.HTTP_1_0) {
        throw new IllegalArgumentException("a request is sent with HTTP/1.1 or HTTP/2");
      }
      this.version = version;
      return this;
    }

    /**
     * Sends the request on a new connection, which stays open for later ones. Over HTTP/2, where
     * requests share a connection, this has no effect. Use it to repeat a request that was lost
     * with a reused connection: the server may be closing the other idle connections too. The
     * client's own retries do this by themselves.
     *
     * @param anew false, the default, to reuse a connection if there is one
     */
    public Builder onNewConnection(boolean anew) {
      onNewConnection = anew;
      return this;
    }

    /**
     * The request.
     *
     * @throws IllegalStateException if no URL was set
     * @throws IllegalArgumentException if the target does not suit the method
     */
    public Request build() {
      if (origin == null) {
        throw new IllegalStateException("a request needs a URL: call url");
      }
      // RFC 9110 section 9.3.6: CONNECT names a host and port only; its URL means these.
      if (method == Method.CONNECT && target.equals("/")) {
        target = origin.authority();
      }
      checkTarget(method, target);
      Headers fields =
          withContentType(changedHeaders == null ? headers : changedHeaders.build(), body);
      return new Request(
          method,
          origin,
          target,
          fields,
          body,
          trailers,
          deadline,
          version,
          onNewConnection,
          informational,
          codec,
          template);
    }
  }
}
