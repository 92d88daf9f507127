package heddle.web.filter;

import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Redaction;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.spi.Attribute;
import heddle.server.spi.Exchange;
import heddle.server.spi.ExchangeHandler;
import heddle.server.spi.ExchangeSummary;
import heddle.server.spi.ExchangeWatch;
import heddle.server.spi.Filter;
import heddle.server.spi.RefusedRequest;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Logs a line for each request, when its response has ended: its last content has been handed to
 * the connection, or it was cut. Thread-safe. Put it before other filters, so that it sees the
 * responses that are sent.
 *
 * <pre>{@code
 * try (AccessLogWriter file = AccessLogWriter.of(Path.of("access.log"))) {
 *   Filter log = AccessLog.builder(file).format(AccessLog.Format.JSON).build();
 *   HttpServer.builder().exchangeHandler(log.before(handler)).start();
 * }
 * }</pre>
 *
 * <p>The line is written on the thread that answers, so the sink must not block for long: {@link
 * AccessLogWriter} does not. No peer can forge or split a line: quotes, backslashes, control
 * characters and everything outside ASCII are escaped, and of each text at most 2,048 characters
 * are logged. Credentials in the target's query and in Referer are masked by a {@link Redaction}.
 * The bytes are those of the content as it is sent, after compression by filters behind this one,
 * without fields and framing.
 *
 * <p>Requests that the server refuses before its handler, because they are malformed, too large,
 * too late or too many, have a line too, with what is known of them. For that the log must be the
 * handler of the server, as above, or a filter of a {@code Router} that is, outside its groups: see
 * {@link ExchangeHandler#refused}.
 */
public final class AccessLog implements Filter {
  private static final DateTimeFormatter CLF_TIME =
      DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH);

  private final Consumer<? super String> sink;
  private final Format format;
  private final Redaction redaction;
  private final @Nullable Attribute<String> route;
  private final InstantSource clock;

  /** How a line looks. */
  public enum Format {
    /**
     * The Common Log Format: {@code 127.0.0.1 - - [28/Nov/2026:08:13:48 +0000] "GET /a HTTP/1.1"
     * 200 512}, where the time is when the request reached the filter, in UTC, and no content is
     * {@code -}. If a response was cut, the line ends in {@code cut}, after a space. Octets are
     * escaped as {@code \xff}. Of a refused request the time is when it was refused, and what is
     * not known is {@code -}: the request if none of it has come, the status if there is no
     * response, and the bytes always.
     */
    COMMON,

    /** As {@link #COMMON}, with Referer and User-Agent before that, in quotes. */
    COMBINED,

    /**
     * A JSON object (RFC 8259) in ASCII with the members {@code time} (ISO 8601, in UTC), {@code
     * remote}, {@code method}, {@code target}, {@code protocol}, {@code status}, {@code bytes},
     * {@code micros} (from then to the end of the response), {@code complete} (false if the
     * response was cut) and, if there is one, {@code referer}, {@code userAgent},
     * {@code requestId}, {@code route} and {@code error} (the class of what the handler has thrown,
     * or why the response was cut). Fields of requests are taken as ISO 8859-1. That of a refused
     * request has {@code "refused":true} and only the members that are known, without {@code
     * bytes}, {@code micros} and {@code complete}; if its request line is malformed or has not come
     * whole, {@code request} holds what has come, instead of method, target and protocol.
     */
    JSON
  }

  private AccessLog(Builder builder) {
    sink = builder.sink;
    format = builder.format;
    redaction = builder.redaction;
    route = builder.route;
    clock = builder.clock;
  }

  /**
   * A builder of a log whose lines, without a line end, go to {@code sink}, which many threads
   * call.
   */
  public static Builder builder(Consumer<? super String> sink) {
    return new Builder(sink);
  }

  /** A builder of a log whose lines go to a logger, at the level INFO. */
  public static Builder builder(System.Logger logger) {
    Objects.requireNonNull(logger, "logger");
    return new Builder(line -> logger.log(Level.INFO, line));
  }

  /** The settings of a log. Not thread-safe. */
  public static final class Builder {
    private final Consumer<? super String> sink;
    private Format format = Format.COMBINED;
    private Redaction redaction = Redaction.DEFAULTS;
    private @Nullable Attribute<String> route;
    private InstantSource clock = InstantSource.system();

    private Builder(Consumer<? super String> sink) {
      this.sink = Objects.requireNonNull(sink, "sink");
    }

    /** How a line looks: {@link Format#COMBINED} by default. */
    public Builder format(Format newFormat) {
      format = Objects.requireNonNull(newFormat, "format");
      return this;
    }

    /** What is masked in targets and Referer: {@link Redaction#DEFAULTS} by default. */
    public Builder redaction(Redaction newRedaction) {
      redaction = Objects.requireNonNull(newRedaction, "redaction");
      return this;
    }

    /**
     * The attribute that holds the template of the route, for {@link Format#JSON}; none by default.
     */
    public Builder route(Attribute<String> attribute) {
      route = Objects.requireNonNull(attribute, "route");
      return this;
    }

    /** The time of day; the system's by default. */
    public Builder clock(InstantSource source) {
      clock = Objects.requireNonNull(source, "clock");
      return this;
    }

    /** Builds the log. */
    public AccessLog build() {
      return new AccessLog(this);
    }
  }

  @Override
  public @Nullable Response filter(Exchange exchange, ExchangeHandler next) throws Exception {
    Instant begin = clock.instant();
    return ExchangeWatch.answer(exchange, next, end -> sink.accept(line(exchange, begin, end)));
  }

  @Override
  public void refused(RefusedRequest request) {
    RequestLine first = RequestLine.of(request.requestLine());
    SocketAddress peer = request.remoteAddress();
    Instant now = clock.instant();
    sink.accept(
        format == Format.JSON
            ? json(request, first, now)
            : text(peer, now, first, request.status(), 0, request.headers()).toString());
  }

  private String line(Exchange exchange, Instant begin, ExchangeSummary end) {
    Request request = exchange.request();
    RequestLine first = new RequestLine(
        request.method().name(), request.target(), exchange.version().toString());
    if (format == Format.JSON) {
      return json(exchange, first, begin, end);
    }
    StringBuilder line = text(
        exchange.remoteAddress(),
        begin,
        first,
        end.status(),
        end.contentBytes(),
        request.headers());
    return end.complete() ? line.toString() : line.append(" cut").toString();
  }

  private StringBuilder text(
      SocketAddress peer,
      Instant time,
      RequestLine request,
      @Nullable Status status,
      long bytes,
      Headers headers) {
    StringBuilder line = new StringBuilder(128)
        .append(host(peer))
        .append(" - - [")
        .append(CLF_TIME.format(time.atOffset(ZoneOffset.UTC)))
        .append("] ");
    Escapes.quoted(line, request.with(shortened(redaction.target(request.target()))));
    line.append(' ').append(orDash(status == null ? 0 : status.code()));
    line.append(' ').append(orDash(bytes));
    if (format == Format.COMBINED) {
      line.append(' ');
      Escapes.quoted(line, orDash(referer(headers)));
      line.append(' ');
      Escapes.quoted(line, orDash(headers.first(HeaderName.USER_AGENT)));
    }
    return line;
  }

  /** Leaves room for method and version in what is logged. */
  private static String shortened(String target) {
    int most = Escapes.MOST_CHARS - 128;
    return target.length() <= most ? target : target.substring(0, most) + "...";
  }

  private static String orDash(@Nullable String text) {
    return text == null ? "-" : text;
  }

  private static String orDash(long number) {
    return number == 0 ? "-" : Long.toString(number);
  }

  private String json(Exchange exchange, RequestLine request, Instant begin, ExchangeSummary end) {
    StringBuilder line = json(exchange.remoteAddress(), begin, request, end.status());
    line.append(",\"bytes\":").append(end.contentBytes());
    line.append(",\"micros\":").append(end.elapsed().toNanos() / 1000);
    line.append(",\"complete\":").append(end.complete());
    fields(line, exchange.request().headers(), exchange.get(RequestId.ID));
    member(line, "route", route == null ? null : exchange.get(route));
    Throwable failure = end.failure();
    member(line, "error", failure == null ? null : failure.getClass().getName());
    return line.append('}').toString();
  }

  private String json(RefusedRequest refused, RequestLine request, Instant time) {
    StringBuilder line = json(refused.remoteAddress(), time, request, refused.status());
    line.append(",\"refused\":true");
    fields(line, refused.headers(), null);
    return line.append('}').toString();
  }

  private StringBuilder json(
      SocketAddress peer, Instant time, RequestLine request, @Nullable Status status) {
    StringBuilder line = new StringBuilder(256).append('{');
    member(line, "time", time.truncatedTo(ChronoUnit.MILLIS).toString());
    member(line, "remote", host(peer));
    String target = redaction.target(request.target());
    if (request.isWhole()) {
      member(line, "method", request.method());
      member(line, "target", target);
      member(line, "protocol", request.version());
    } else if (!request.isEmpty()) {
      member(line, "request", request.with(target));
    }
    if (status != null) {
      line.append(",\"status\":").append(status.code());
    }
    return line;
  }

  private void fields(StringBuilder line, Headers headers, @Nullable String requestId) {
    member(line, "referer", referer(headers));
    member(line, "userAgent", headers.first(HeaderName.USER_AGENT));
    String id = requestId == null ? headers.first(HeaderName.X_REQUEST_ID) : requestId;
    member(line, "requestId", id);
  }

  private static void member(StringBuilder line, String name, @Nullable String value) {
    if (value != null) {
      line.append(line.length() == 1 ? "\"" : ",\"").append(name).append("\":");
      Escapes.json(line, value);
    }
  }

  private @Nullable String referer(Headers headers) {
    String value = headers.first(HeaderName.REFERER);
    return value == null ? null : redaction.value(HeaderName.REFERER, value);
  }

  /** Without the port; a dash for a peer that has no address, as over a Unix socket. */
  private static String host(SocketAddress peer) {
    if (peer instanceof InetSocketAddress address) {
      InetAddress ip = address.getAddress();
      return ip == null ? address.getHostString() : ip.getHostAddress();
    }
    return "-";
  }

  /** The parts of a request line, those empty that are missing. */
  private record RequestLine(String method, String target, String version) {
    /** Splits what has come, which may be anything. */
    static RequestLine of(String text) {
      int method = text.indexOf(' ');
      int last = text.lastIndexOf(' ');
      int version = last > method && text.startsWith("HTTP/", last + 1) ? last : text.length();
      return method < 0
          ? new RequestLine("", text, "")
          : new RequestLine(
              text.substring(0, method),
              text.substring(method + 1, version),
              text.substring(Math.min(version + 1, text.length())));
    }

    boolean isWhole() {
      return !method.isEmpty() && !target.isEmpty() && !version.isEmpty();
    }

    boolean isEmpty() {
      return method.isEmpty() && target.isEmpty();
    }

    /** All of it, with another target; a dash if it is empty. */
    String with(String shown) {
      String line = method.isEmpty() ? shown : method + " " + shown;
      return isEmpty() ? "-" : version.isEmpty() ? line : line + " " + version;
    }
  }
}
