package heddle.har;

import heddle.client.spi.ConnectionInfo;
import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.MediaType;
import heddle.http.Redaction;
import heddle.http.Request;
import heddle.http.Status;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the entries of a file. Thread-safe.
 *
 * @param maxContentBytes longer contents are left out
 */
record EntryMaker(Redaction redaction, int maxContentBytes) {
  private static final String UNKNOWN_VERSION = "unknown";

  Har.Entry entry(RecordedAttempt exchange, ReceivedContent content) {
    Har.Timings timings = timings(exchange);
    double time = timings.blocked()
        + Math.max(0, timings.dns())
        + Math.max(0, timings.connect())
        + timings.send()
        + timings.await()
        + timings.receive();
    ConnectionInfo connection = exchange.connection;
    return new Har.Entry(
        exchange.started.truncatedTo(ChronoUnit.MILLIS).toString(),
        millis(time),
        request(exchange),
        response(exchange, content),
        new Har.Cache(),
        timings,
        connection == null ? null : address(connection),
        connection == null ? null : Long.toString(connection.id()));
  }

  private static @Nullable String address(ConnectionInfo connection) {
    return connection.remoteAddress() instanceof InetSocketAddress peer && !peer.isUnresolved()
        ? peer.getAddress().getHostAddress()
        : null;
  }

  /** What was not finished has the time until the end; so the parts make the whole. */
  private static Har.Timings timings(RecordedAttempt exchange) {
    Duration opening = exchange.lookup.plus(exchange.connect).plus(exchange.handshake);
    Duration elapsed = exchange.elapsed();
    Duration acquired = exchange.acquired == null ? elapsed : exchange.acquired;
    Duration sent = exchange.sent == null ? elapsed.minus(acquired) : exchange.sent;
    Duration waited =
        exchange.waited == null ? elapsed.minus(acquired).minus(sent) : exchange.waited;
    boolean opened = exchange.connect.isPositive();
    return new Har.Timings(
        millis(acquired.minus(opening)),
        exchange.lookup.isPositive() ? millis(exchange.lookup) : Har.UNKNOWN,
        opened ? millis(exchange.connect.plus(exchange.handshake)) : Har.UNKNOWN,
        millis(sent),
        millis(waited),
        millis(exchange.received),
        exchange.handshake.isPositive() ? millis(exchange.handshake) : Har.UNKNOWN);
  }

  private static double millis(Duration time) {
    return millis(Math.max(0, time.toNanos()) / 1e6);
  }

  private static double millis(double exact) {
    return Math.round(exact * 1000) / 1000.0;
  }

  private static String version(@Nullable HttpVersion version) {
    return version == null ? UNKNOWN_VERSION : version.toString();
  }

  // ---- the request

  private Har.Request request(RecordedAttempt exchange) {
    Request request = exchange.request;
    Headers fields = request.headers();
    String url = redaction.url(request);
    int query = url.indexOf('?');
    return new Har.Request(
        request.method().name(),
        url,
        version(exchange.version),
        new CookieFields(redaction).sent(fields),
        fields(withHost(request, exchange.version)),
        query < 0 ? List.of() : parameters(url.substring(query + 1)),
        request.body().length() == 0 ? null : postData(exchange),
        Har.UNKNOWN,
        request.body().length());
  }

  /** RFC 9113 section 8.3.1: HTTP/2 has a pseudo-header field instead. */
  private static Headers withHost(Request request, @Nullable HttpVersion version) {
    Headers fields = request.headers();
    return version == HttpVersion.HTTP_2 || fields.contains(HeaderName.HOST)
        ? fields
        : Headers.builder()
            .add(HeaderName.HOST, request.origin().hostHeader())
            .addAll(fields)
            .build();
  }

  private List<Har.Field> fields(Headers fields) {
    List<Har.Field> all = new ArrayList<>();
    for (Headers.Field field : fields) {
      String value = ContentText.ofOctets(redaction.value(field.name(), field.value()));
      all.add(new Har.Field(field.name().toString(), value));
    }
    return all;
  }

  private static List<Har.Field> parameters(String encoded) {
    List<Har.Field> all = new ArrayList<>();
    for (String parameter : encoded.split("&", -1)) {
      int equals = parameter.indexOf('=');
      String name = equals < 0 ? parameter : parameter.substring(0, equals);
      all.add(
          new Har.Field(decoded(name), equals < 0 ? "" : decoded(parameter.substring(equals + 1))));
    }
    return all;
  }

  private static String decoded(String encoded) {
    try {
      return URLDecoder.decode(encoded, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException malformed) {
      return encoded;
    }
  }

  private Har.PostData postData(RecordedAttempt exchange) {
    Headers fields = exchange.request.headers();
    String given = fields.first(HeaderName.CONTENT_TYPE);
    String mimeType = given == null ? "" : given;
    Body body = exchange.request.body();
    ByteBuffer memory = body.inMemory();
    Capture sent = exchange.sentContent;
    long length = memory != null ? memory.remaining() : sent == null ? 0 : sent.length();
    byte[] octets = null;
    if (length <= maxContentBytes && memory != null) {
      octets = new byte[memory.remaining()];
      memory.get(octets);
    } else if (length <= maxContentBytes && sent != null) {
      octets = sent.beginning();
    }
    if (octets == null || length == 0) {
      String comment = length == 0 ? "none of it was sent" : leftOut(length);
      return new Har.PostData(mimeType, List.of(), null, null, comment);
    }
    String comment = length < body.length() ? "cut: %d bytes were sent".formatted(length) : null;
    MediaType type = ContentText.typeOf(fields);
    String text = ContentText.exact(octets, type);
    if (text == null) {
      return new Har.PostData(mimeType, List.of(), base64(octets), "base64", comment);
    }
    boolean isForm = ContentText.isForm(type);
    String shown = isForm ? redaction.parameters(text) : text;
    return new Har.PostData(mimeType, isForm ? parameters(shown) : List.of(), shown, null, comment);
  }

  private static String base64(byte[] octets) {
    return Base64.getEncoder().encodeToString(octets);
  }

  /** What is said of a content that is not in the file. */
  String leftOut(long length) {
    return length > maxContentBytes
        ? "left out: it has %d bytes, more than the %d that are recorded"
            .formatted(length, maxContentBytes)
        : "left out: the contents of other exchanges took all memory for recordings";
  }

  // ---- the response

  private Har.Response response(RecordedAttempt exchange, ReceivedContent content) {
    Status status = exchange.status;
    Headers fields = exchange.fields;
    String location = fields.first(HeaderName.LOCATION);
    Throwable failure = exchange.failure;
    return new Har.Response(
        status == null ? 0 : status.code(),
        status == null ? "" : status.reason(),
        version(status == null ? null : exchange.version),
        new CookieFields(redaction).set(fields),
        fields(fields),
        content(fields, content),
        location == null ? "" : redaction.value(HeaderName.LOCATION, location),
        Har.UNKNOWN,
        status == null ? Har.UNKNOWN : content.transferred,
        failure == null ? null : failure.toString());
  }

  private static Har.Content content(Headers fields, ReceivedContent content) {
    String given = fields.first(HeaderName.CONTENT_TYPE);
    byte[] octets = content.octets;
    String text = octets == null ? null : ContentText.exact(octets, ContentText.typeOf(fields));
    String encoding = null;
    if (octets != null && text == null) {
      text = base64(octets);
      encoding = "base64";
    }
    boolean coded = fields.contains(HeaderName.CONTENT_ENCODING);
    return new Har.Content(
        content.length,
        coded && content.transferred > 0 ? content.length - content.transferred : null,
        given == null ? "" : given,
        text,
        encoding,
        content.whole ? null : true,
        content.comment);
  }
}
