package heddle.web.filter;

import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.spi.Exchange;
import heddle.server.spi.ExchangeHandler;
import heddle.server.spi.Filter;
import heddle.server.spi.ForwardingExchange;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Lets pages of other origins read responses, by the CORS protocol of the <a
 * href="https://fetch.spec.whatwg.org/#http-cors-protocol">Fetch standard</a>. Thread-safe.
 *
 * <pre>{@code
 * Filter cors = Cors.builder()
 *     .origins("https://app.example.com")
 *     .methods(Method.GET, Method.PUT)
 *     .requestHeaders("Content-Type", "Authorization")
 *     .credentials(true)
 *     .build();
 * HttpServer.builder().exchangeHandler(cors.before(handler)).start();
 * }</pre>
 *
 * <p>The filter answers preflight requests (OPTIONS with Origin and Access-Control-Request-Method)
 * by itself, with 204. All other requests reach the handler, of any origin: CORS tells browsers
 * what a page may read, it does not protect the server from requests. To responses for an allowed
 * origin the filter adds its fields, and replaces those of the handler's; for another origin and
 * for requests without Origin there are none. Unless all origins are allowed, every response gets
 * {@code Vary: Origin}, so that a cache does not show it to another origin.
 *
 * <p>A preflight request for a method or a field that is not allowed is answered with what is
 * allowed, so the browser reports what is missing. Access to private networks is not supported:
 * {@code Access-Control-Request-Private-Network} is ignored, which refuses it.
 *
 * <p>If the handler fails with an exception, the server answers without the fields of this filter,
 * and the page cannot read the status: turn exceptions into responses behind this filter.
 */
public final class Cors implements Filter {
  private static final String NULL_ORIGIN = "null";

  private final boolean anyOrigin;
  private final Predicate<String> origins;
  private final boolean credentials;
  private final String methods;
  private final String requestHeaders;
  private final boolean anyHeader;
  private final String exposed;
  private final @Nullable Duration maxAge;

  private Cors(Builder builder) {
    Predicate<String> predicate = builder.predicate;
    Set<String> list = Set.copyOf(builder.origins);
    anyOrigin = builder.anyOrigin;
    origins = origin -> list.contains(origin) || (predicate != null && predicate.test(origin));
    credentials = builder.credentials;
    methods = builder.methods.stream().map(Method::name).collect(Collectors.joining(", "));
    requestHeaders = join(builder.requestHeaders);
    anyHeader = builder.anyHeader;
    exposed = join(builder.exposed);
    maxAge = builder.maxAge;
  }

  private static String join(Set<HeaderName> names) {
    return names.stream().map(HeaderName::toString).collect(Collectors.joining(", "));
  }

  /** A builder that allows no origin yet. */
  public static Builder builder() {
    return new Builder();
  }

  /** What is allowed. Not thread-safe. */
  public static final class Builder {
    private final Set<String> origins = new LinkedHashSet<>();
    private @Nullable Predicate<String> predicate;
    private boolean anyOrigin;
    private boolean credentials;
    private Set<Method> methods =
        new LinkedHashSet<>(List.of(Method.GET, Method.HEAD, Method.POST));
    private final Set<HeaderName> requestHeaders = new LinkedHashSet<>();
    private boolean anyHeader;
    private final Set<HeaderName> exposed = new LinkedHashSet<>();
    private @Nullable Duration maxAge;

    private Builder() {}

    /**
     * Adds origins as browsers send them, such as {@code https://app.example.com} or {@code
     * http://localhost:8080}: in lower case, without a path, and without the default port. {@code
     * *} allows all.
     *
     * @throws IllegalArgumentException if one cannot be an origin
     */
    public Builder origins(String... allowed) {
      for (String origin : allowed) {
        if (origin.equals("*")) {
          anyOrigin = true;
        } else {
          checkOrigin(origin);
          origins.add(origin);
        }
      }
      return this;
    }

    private static void checkOrigin(String origin) {
      int authority = origin.indexOf("://") + 3;
      boolean valid = authority > 3
          && authority < origin.length()
          && origin.equals(origin.toLowerCase(Locale.ROOT))
          && origin.chars().allMatch(c -> c > ' ' && c < 0x7F)
          && "/?#@,*".chars().noneMatch(c -> origin.indexOf(c, authority) >= 0)
          && !(origin.startsWith("https:") && origin.endsWith(":443"))
          && !(origin.startsWith("http:") && origin.endsWith(":80"));
      if (!valid) {
        throw new IllegalArgumentException("not an origin as browsers send it: '" + origin
            + "': give a scheme and a host in lower case, and a port unless it is the default,"
            + " such as https://app.example.com; for patterns give a predicate");
      }
    }

    /**
     * Allows the origins that this accepts, too. Compare whole hosts: {@code endsWith(
     * "example.com")} also accepts {@code https://attackers-example.com}. It is given what the
     * request says, except {@code null}, the origin of sandboxed pages and local files, which only
     * {@code *} allows.
     */
    public Builder origins(Predicate<String> allowed) {
      predicate = Objects.requireNonNull(allowed, "origins");
      return this;
    }

    /** The methods that pages may use: GET, HEAD and POST by default. */
    public Builder methods(Method... allowed) {
      methods = new LinkedHashSet<>(Arrays.asList(allowed));
      return this;
    }

    /**
     * Adds fields of requests that pages may set, beyond those that need no permission. {@code *}
     * allows all: what a preflight request asks for is then allowed by name, Authorization too.
     *
     * @throws IllegalArgumentException if a name is not a token
     */
    public Builder requestHeaders(String... names) {
      for (String name : names) {
        if (name.equals("*")) {
          anyHeader = true;
        } else {
          requestHeaders.add(HeaderName.of(name));
        }
      }
      return this;
    }

    /**
     * Adds fields of responses that pages may read, beyond those that need no permission.
     *
     * @throws IllegalArgumentException if a name is not a token; {@code *}, which browsers do not
     *     take together with credentials, is one
     */
    public Builder exposedHeaders(String... names) {
      for (String name : names) {
        exposed.add(HeaderName.of(name));
      }
      return this;
    }

    /**
     * Whether pages may send cookies and other credentials, and read the response: false by
     * default. Not together with all origins.
     */
    public Builder credentials(boolean allowed) {
      credentials = allowed;
      return this;
    }

    /**
     * How long browsers may remember the answer to a preflight request, in whole seconds; by
     * default they decide (5 s), and have an upper bound (Chromium: 2 h).
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Builder maxAge(Duration age) {
      if (age.isNegative()) {
        throw new IllegalArgumentException("maxAge must not be negative, but was " + age);
      }
      maxAge = age;
      return this;
    }

    /**
     * Builds the filter.
     *
     * @throws IllegalStateException if no origin is allowed, or all are together with credentials:
     *     then any page could act for its visitors
     */
    public Cors build() {
      if (!anyOrigin && origins.isEmpty() && predicate == null) {
        throw new IllegalStateException("no origin is allowed: call origins(...)");
      }
      if (anyOrigin && credentials) {
        throw new IllegalStateException(
            "all origins (*) cannot be allowed together with credentials: name the origins");
      }
      if (credentials && exposed.contains(HeaderName.of("*"))) {
        throw new IllegalStateException(
            "exposed headers cannot be * together with credentials: name them");
      }
      return new Cors(this);
    }
  }

  @Override
  public @Nullable Response filter(Exchange exchange, ExchangeHandler next) throws Exception {
    Request request = exchange.request();
    String origin = origin(request);
    if (origin != null && isPreflight(request)) {
      return preflight(request, origin);
    }
    String allowed = origin != null && allows(origin) ? origin : null;
    Response response = next.handle(new CorsExchange(exchange, allowed));
    return response == null ? null : with(response, allowed);
  }

  /** Null unless there is exactly one. */
  private static @Nullable String origin(Request request) {
    List<String> all = request.headers().all(HeaderName.ORIGIN);
    return all.size() == 1 ? all.getFirst() : null;
  }

  private static boolean isPreflight(Request request) {
    return request.method().equals(Method.OPTIONS)
        && request.headers().contains(HeaderName.ACCESS_CONTROL_REQUEST_METHOD);
  }

  private boolean allows(String origin) {
    return anyOrigin || (!origin.equals(NULL_ORIGIN) && origins.test(origin));
  }

  private Response preflight(Request request, String origin) {
    Headers.Builder fields = Headers.builder();
    if (allows(origin)) {
      allow(fields, origin);
      addUnlessEmpty(fields, HeaderName.ACCESS_CONTROL_ALLOW_METHODS, methods);
      String asked =
          String.join(", ", request.headers().all(HeaderName.ACCESS_CONTROL_REQUEST_HEADERS));
      addUnlessEmpty(
          fields, HeaderName.ACCESS_CONTROL_ALLOW_HEADERS, anyHeader ? asked : requestHeaders);
      if (maxAge != null) {
        fields.add(HeaderName.ACCESS_CONTROL_MAX_AGE, Long.toString(maxAge.toSeconds()));
      }
    }
    Headers varying = vary(fields.build());
    if (anyHeader) {
      varying = Vary.on(HeaderName.ACCESS_CONTROL_REQUEST_HEADERS, varying);
    }
    return Response.builder(Status.NO_CONTENT).headers(varying).build();
  }

  private Headers vary(Headers fields) {
    return anyOrigin ? fields : Vary.on(HeaderName.ORIGIN, fields);
  }

  private void allow(Headers.Builder fields, String origin) {
    fields.set(HeaderName.ACCESS_CONTROL_ALLOW_ORIGIN, anyOrigin ? "*" : origin);
    if (credentials) {
      fields.set(HeaderName.ACCESS_CONTROL_ALLOW_CREDENTIALS, "true");
    }
  }

  private static void addUnlessEmpty(Headers.Builder fields, HeaderName name, String value) {
    if (!value.isEmpty()) {
      fields.add(name, value);
    }
  }

  /**
   * The response with the fields for its origin.
   *
   * @param allowed null if the response is not to be read by another origin
   */
  private Response with(Response response, @Nullable String allowed) {
    Headers given = response.headers();
    Headers.Builder fields = vary(given).toBuilder()
        .remove(HeaderName.ACCESS_CONTROL_ALLOW_ORIGIN)
        .remove(HeaderName.ACCESS_CONTROL_ALLOW_CREDENTIALS)
        .remove(HeaderName.ACCESS_CONTROL_EXPOSE_HEADERS);
    if (allowed != null) {
      allow(fields, allowed);
      addUnlessEmpty(fields, HeaderName.ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
    }
    Headers replaced = fields.build();
    return replaced.equals(given)
        ? response
        : response.toBuilder().headers(replaced).build();
  }

  /** Adds the fields to a response that the handler begins. */
  private final class CorsExchange extends ForwardingExchange {
    private final @Nullable String allowed;

    CorsExchange(Exchange exchange, @Nullable String allowed) {
      super(exchange);
      this.allowed = allowed;
    }

    @Override
    public OutputStream begin(Response head) {
      return super.begin(with(head, allowed));
    }
  }
}
