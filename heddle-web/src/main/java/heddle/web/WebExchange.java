package heddle.web;

import heddle.http.Body;
import heddle.http.BodyCodecException;
import heddle.http.BodyTooLargeException;
import heddle.http.Form;
import heddle.http.GenericType;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.MediaType;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.spi.Attribute;
import heddle.server.spi.Exchange;
import heddle.server.spi.ExchangeHandler;
import heddle.server.spi.ForwardingExchange;
import heddle.web.form.FormData;
import heddle.web.form.FormException;
import heddle.web.form.FormLimits;
import heddle.web.form.UrlencodedForm;
import heddle.web.syntax.ContentType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An exchange with what handlers of applications need: parameters, cookies, values. What a client
 * got wrong ends the request with a {@link ProblemException}, which the {@link Router} answers.
 * Used by one thread at a time.
 */
public final class WebExchange extends ForwardingExchange {
  /** Leads from an exchange that a filter passes on to the one that the router has made. */
  private static final Attribute<WebExchange> ROUTED =
      Attribute.of("heddle.web.exchange", WebExchange.class);

  private final BodySettings bodies;
  private final WebExchange routed; // this, unless a filter has passed on another exchange
  private @Nullable Form query;

  // Set and read only in routed.
  private @Nullable Route route;
  private @Nullable RequestPath path;
  private @Nullable Object answerWithoutRoute;
  private @Nullable Exception passedOn;
  private boolean begun;

  WebExchange(Exchange exchange, BodySettings bodies) {
    super(exchange);
    this.bodies = bodies;
    this.routed = this;
  }

  private WebExchange(Exchange exchange, WebExchange routed) {
    super(exchange);
    this.bodies = routed.bodies;
    this.routed = routed;
  }

  /**
   * The exchange as handlers of a router see it, for filters and other handlers. Before a router,
   * it has no path parameters.
   */
  public static WebExchange of(Exchange exchange) {
    if (exchange instanceof WebExchange web) {
      return web;
    }
    WebExchange routed = exchange.get(ROUTED);
    return routed == null
        ? new WebExchange(exchange, BodySettings.DEFAULTS)
        : new WebExchange(exchange, routed);
  }

  /** The request leads to this route. */
  void follows(Route chosen, RequestPath parsed) {
    route = chosen;
    path = parsed;
    set(Router.ROUTE, chosen.pattern().text());
  }

  /** No route answers the request: this does, behind the filters of the scope. */
  ExchangeHandler endsWith(Scope scope, Response answer) {
    answerWithoutRoute = answer;
    return scope.withoutRoute();
  }

  /** No route answers the request: this problem does, behind the filters of the scope. */
  ExchangeHandler endsWith(Scope scope, ProblemException problem) {
    answerWithoutRoute = problem;
    return scope.withoutRoute();
  }

  Response answerWithoutRoute() {
    if (routed.answerWithoutRoute instanceof ProblemException problem) {
      throw problem;
    }
    return (Response) Objects.requireNonNull(routed.answerWithoutRoute);
  }

  boolean hasBegun() {
    return routed.begun;
  }

  /** An error handler has failed with this, or there is none for it: the server gets it. */
  void passOn(Exception failure) {
    routed.passedOn = failure;
  }

  boolean passes(Exception failure) {
    return routed.passedOn == failure;
  }

  @Override
  public <T> @Nullable T get(Attribute<T> attribute) {
    return attribute == ROUTED ? attribute.type().cast(routed) : super.get(attribute);
  }

  @Override
  public OutputStream begin(Response head) {
    OutputStream out = super.begin(head);
    routed.begun = true;
    return out;
  }

  /**
   * A parameter of the route's path, decoded. That of <code>{path...}</code> is the rest of the
   * path, with its slashes.
   *
   * @throws IllegalArgumentException if the path has no such parameter
   * @throws ProblemException 400 if one of the segments of a rest has an encoded slash, which would
   *     look like the slashes between them: see {@link #segments}
   */
  public Parameter path(String name) {
    Route known = route();
    int index = indexOf(known, name);
    RequestPath segments = Objects.requireNonNull(routed.path);
    if (!known.pattern().isRest(index)) {
      return new Parameter(Parameter.Place.PATH, name, segments.segment(index));
    }
    List<String> rest = segments.segmentsFrom(index);
    for (String each : rest) {
      if (each.indexOf('/') >= 0) {
        throw new ProblemException(400, "the path has an encoded slash");
      }
    }
    return new Parameter(Parameter.Place.PATH, name, String.join("/", rest));
  }

  /**
   * The segments of a parameter of the route's path, each decoded: one, or those that <code>
   * {path...}</code> stands for, of which there is at least one. Each may have slashes, which were
   * encoded.
   *
   * @throws IllegalArgumentException if the path has no such parameter
   */
  public List<String> segments(String name) {
    Route known = route();
    int index = indexOf(known, name);
    RequestPath segments = Objects.requireNonNull(routed.path);
    return known.pattern().isRest(index)
        ? segments.segmentsFrom(index)
        : List.of(segments.segment(index));
  }

  private Route route() {
    Route known = routed.route;
    if (known == null) {
      throw new IllegalStateException(
          "the request was led to no route of a router, so its path has no parameters");
    }
    return known;
  }

  private static int indexOf(Route route, String name) {
    int index = route.pattern().indexOf(name);
    if (index < 0) {
      throw new IllegalArgumentException("the route %s has no parameter %s: it has %s"
          .formatted(route, name, route.pattern().names()));
    }
    return index;
  }

  /**
   * A parameter of the query, decoded as {@link #query()} says; the first one of several.
   *
   * @return also if the query does not have it
   * @throws ProblemException 400 if the query is malformed
   */
  public Parameter query(String name) {
    return new Parameter(Parameter.Place.QUERY, name, query().first(name));
  }

  /**
   * The values of all parameters of the query with this name, in their order.
   *
   * @throws ProblemException 400 if the query is malformed
   */
  public List<String> queryAll(String name) {
    return query().all(name);
  }

  /**
   * The parameters of the query, in their order: parts between ampersands, of which those that are
   * empty are skipped; each is a name and, after the first {@code =}, a value. Escapes are UTF-8,
   * and {@code +} is a space.
   *
   * @throws ProblemException 400 if an escape is malformed or not UTF-8
   */
  public Form query() {
    Form known = query;
    if (known == null) {
      known = parseQuery(request().query());
      query = known;
    }
    return known;
  }

  static Form parseQuery(@Nullable String text) {
    try {
      return text == null ? Form.of() : UrlencodedForm.parse(text, Integer.MAX_VALUE);
    } catch (FormException e) {
      throw new ProblemException(400, "the query has an escape that is malformed or not UTF-8");
    }
  }

  /**
   * The value of the request's cookie with this name, as it was sent; the first one of several.
   *
   * @return null if there is none
   */
  public @Nullable String cookie(String name) {
    return RequestCookies.first(request().headers(), name);
  }

  /** The first 300 cookies of the request, as they were sent; the first one of each name. */
  public Map<String, String> cookies() {
    return RequestCookies.all(request().headers());
  }

  /**
   * The one of these media types that the client prefers by its Accept fields (RFC 9110 section
   * 12.5.1); of those that it likes alike, the first. A client without valid Accept fields takes
   * the first.
   *
   * @return null if it accepts none
   */
  public @Nullable MediaType accepts(MediaType... offered) {
    return Accept.of(request().headers()).best(offered);
  }

  /**
   * The request's content as a value, by the router's {@linkplain Router.Builder#codec codec}.
   *
   * @throws ProblemException 400 if there is no content or it is no such value; 413 if it is larger
   *     than {@link Router.Builder#maxBodyBytes}; 415 with Accept if the codec does not read its
   *     media type, or with Accept-Encoding if it is compressed
   * @throws IOException if the request cannot be received
   * @throws IllegalStateException if there is no codec
   */
  public <T> T bodyAs(Class<T> type) throws IOException {
    return type.cast(value(type));
  }

  /** As {@link #bodyAs(Class)}, for a type with parameters. */
  @SuppressWarnings("unchecked") // What a codec returns is of the type that it was given.
  public <T> T bodyAs(GenericType<T> type) throws IOException {
    return (T) value(type.type());
  }

  private Object value(Type type) throws IOException {
    Body body = request().body();
    if (body.length() == 0) {
      throw new ProblemException(400, "the request has no content");
    }
    if (!bodies.reads(mediaType(body))) {
      throw ProblemException.of(
          415,
          "the content must be of the type " + bodies.readable(),
          HeaderName.ACCEPT,
          bodies.readable());
    }
    checkNotCoded();
    if (body.length() > bodies.maxBytes()) {
      throw tooLarge();
    }
    try (InputStream content = content(body)) {
      return bodies.codec().decode(content, type);
    } catch (BodyTooLargeException e) {
      throw tooLarge();
    } catch (BodyCodecException e) {
      // The message has names of classes, which are not for clients.
      throw new ProblemException(
          Problem.of(400).detail("the content is not what is expected here"), Headers.empty(), e);
    }
  }

  /** All of the content, so that the server's memory budget counts it. */
  private InputStream content(Body body) throws IOException {
    return body.inMemory() != null
        ? body.stream()
        : new ByteArrayInputStream(body.bytes(bodies.maxBytes()));
  }

  /** By the field, if a filter has put another body in the place of the received one. */
  private @Nullable MediaType mediaType(Body body) {
    MediaType own = body.mediaType();
    return own != null ? own : ContentType.first(request().headers());
  }

  private void checkNotCoded() {
    String coding = request().headers().first(HeaderName.CONTENT_ENCODING);
    if (coding != null && !coding.equalsIgnoreCase("identity")) {
      throw ProblemException.of(
          415, "the content must not be compressed", HeaderName.ACCEPT_ENCODING, "identity");
    }
  }

  private ProblemException tooLarge() {
    return new ProblemException(413, "the content has more than " + bodies.maxBytes() + " bytes");
  }

  /**
   * The request's content as text, in the charset of its media type or UTF-8.
   *
   * @throws ProblemException 413 if it is larger than {@link Router.Builder#maxBodyBytes}; 415 with
   *     Accept-Encoding if it is compressed
   * @throws IOException if the request cannot be received
   */
  public String bodyText() throws IOException {
    checkNotCoded();
    Body body = request().body();
    if (body.length() > bodies.maxBytes()) {
      throw tooLarge();
    }
    try {
      return body.string(bodies.maxBytes());
    } catch (BodyTooLargeException e) {
      throw tooLarge();
    }
  }

  /** As {@link #form(FormLimits)}, with {@link FormLimits#DEFAULT}. */
  public FormData form() throws IOException {
    return form(FormLimits.DEFAULT);
  }

  /**
   * Reads the request's content as a form, urlencoded or multipart, which the caller closes.
   *
   * @throws FormException which the router answers: 400 if it is malformed, 413 if it is larger
   *     than a limit, 415 if it is no form
   * @throws IOException if the request cannot be received
   */
  public FormData form(FormLimits limits) throws IOException {
    return FormData.read(request(), limits);
  }

  /**
   * A response with a value as its content, by the router's {@linkplain Router.Builder#codec
   * codec}.
   *
   * @param status from 200 to 999
   * @throws BodyCodecException if the value has no content
   * @throws IllegalStateException if there is no codec
   */
  public Response respond(int status, Object value) throws IOException {
    Objects.requireNonNull(value, "value");
    return Response.builder(Status.of(status))
        .body(bodies.codec().encode(value))
        .build();
  }

  /** As {@link #respond(int, Object)}, with 200. */
  public Response respond(Object value) throws IOException {
    return respond(200, value);
  }

  /** The problem as JSON, or as plain text if the client accepts no JSON. */
  public Response respond(Problem problem) {
    MediaType best =
        accepts(Problem.MEDIA_TYPE, MediaType.APPLICATION_JSON, MediaType.TEXT_PLAIN_UTF8);
    return best == null || best.type().equals("text")
        ? problem.toTextResponse()
        : problem.toResponse();
  }
}
