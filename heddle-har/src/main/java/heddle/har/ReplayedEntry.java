package heddle.har;

import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpException;
import heddle.http.HttpVersion;
import heddle.http.MalformedUrlException;
import heddle.http.MediaType;
import heddle.http.Method;
import heddle.http.Redaction;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.Trailers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** An entry of a file, from which requests are answered. Immutable. */
final class ReplayedEntry {
  private static final List<HeaderName> OF_CODED_CONTENT =
      List.of(HeaderName.CONTENT_ENCODING, HeaderName.TRANSFER_ENCODING);

  private final HarReplay.Entry entry;
  private final String content;
  private final @Nullable Status status;
  private final HttpVersion version;
  private final Headers headers;
  private final Body body;
  private final @Nullable String failure;

  /**
   * Reads an entry.
   *
   * @param index in the file, from 0
   * @return null for one that is not an exchange of HTTP, or whose URL no request can have
   * @throws HarFormatException if it is malformed; says where
   */
  static @Nullable ReplayedEntry of(HarFile.@Nullable Entry entry, int index, Redaction redaction)
      throws HarFormatException {
    Place place = new Place("log.entries[" + index + "]");
    HarFile.Request request = entry == null ? null : entry.request();
    if (request == null || request.method() == null || request.url() == null) {
      throw place.malformed("request must have a method and a url", null);
    }
    HarFile.Response response = entry == null ? null : entry.response();
    try {
      Request.Builder asked = Request.builder(request.url().split("#", 2)[0]);
      Request plain = asked.method(Method.of(request.method())).build();
      return new ReplayedEntry(place, index, plain, request, response, redaction);
    } catch (MalformedUrlException e) {
      return null; // Such as data:, blob: and wss: URLs, which browsers record too.
    } catch (IllegalArgumentException e) {
      throw place.malformed("request.method: " + e.getMessage(), e);
    }
  }

  private ReplayedEntry(
      Place place,
      int index,
      Request plain,
      HarFile.Request request,
      HarFile.@Nullable Response response,
      Redaction redaction)
      throws HarFormatException {
    version = version(response);
    status = status(place, response, version);
    entry = new HarReplay.Entry(
        index, plain.method().name(), redaction.url(plain), status == null ? 0 : status.code());
    content = content(request.postData(), redaction);
    failure = response == null ? null : response.error();
    HarFile.Content received = response == null ? null : response.content();
    Headers all = headers(place, response);
    boolean without = status == null || !status.mayHaveContent() || plain.method() == Method.HEAD;
    body = without ? Body.empty() : body(place, received, all);
    headers = without ? all : framed(all, body.length());
  }

  private static @Nullable Status status(
      Place place, HarFile.@Nullable Response response, HttpVersion version)
      throws HarFormatException {
    Integer code = response == null ? null : response.status();
    if (response == null || code == null || code == 0) {
      return null;
    }
    try {
      Status plain = Status.of(code);
      String reason = response.statusText();
      // HTTP/2 has no reason phrases (RFC 9113 section 8.3.2).
      return reason == null || version == HttpVersion.HTTP_2 ? plain : withReason(plain, reason);
    } catch (IllegalArgumentException e) {
      throw place.malformed("response.status: " + e.getMessage(), e);
    }
  }

  private static Status withReason(Status plain, String reason) {
    try {
      return Status.of(plain.code(), reason);
    } catch (IllegalArgumentException e) {
      return plain; // What a browser shows need not be what can be sent.
    }
  }

  /** Browsers write it as in ALPN, too; what is not known is taken for HTTP/1.1. */
  private static HttpVersion version(HarFile.@Nullable Response response) {
    String text = response == null ? null : response.httpVersion();
    return switch (text == null ? "" : text.toLowerCase(Locale.ROOT)) {
      case "h2", "http/2", "http/2.0", "h3", "http/3", "http/3.0" -> HttpVersion.HTTP_2;
      case "http/1.0" -> HttpVersion.HTTP_1_0;
      default -> HttpVersion.HTTP_1_1;
    };
  }

  private static Headers headers(Place place, HarFile.@Nullable Response response)
      throws HarFormatException {
    Headers.Builder fields = Headers.builder();
    List<HarFile.@Nullable Field> given = response == null ? null : response.headers();
    if (given == null) {
      return Headers.empty();
    }
    for (int i = 0; i < given.size(); i++) {
      HarFile.Field field = given.get(i);
      String name = field == null ? null : field.name();
      String value = field == null || field.value() == null ? "" : field.value();
      try {
        if (name == null) {
          throw new IllegalArgumentException("it has no name");
        }
        if (!name.startsWith(":")) {
          // Some browsers join the values of fields with one name by line breaks.
          for (String line : value.split("\\R", -1)) {
            fields.add(name, octets(line.strip()));
          }
        }
      } catch (IllegalArgumentException e) {
        throw place.malformed("response.headers[" + i + "]: " + e.getMessage(), e);
      }
    }
    return fields.build();
  }

  /** One char for each octet of UTF-8, as fields are kept. */
  private static String octets(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }

  /** The content in the file is decoded. */
  private static Headers framed(Headers fields, long length) {
    Headers.Builder plain = fields.toBuilder();
    OF_CODED_CONTENT.forEach(plain::remove);
    if (!Long.toString(length).equals(fields.first(HeaderName.CONTENT_LENGTH))) {
      plain.remove(HeaderName.CONTENT_LENGTH);
    }
    return plain.build();
  }

  private Body body(Place place, HarFile.@Nullable Content received, Headers fields)
      throws HarFormatException {
    MediaType type = ContentText.typeOf(fields);
    byte[] octets = received == null || received.text() == null
        ? new byte[0]
        : octets(place, received.text(), received, type);
    if (failure != null) {
      return new ReplayedBody(octets, type, failed(), false);
    }
    if (received != null && isIncomplete(received)) {
      String comment = received.comment() == null ? "" : ": " + received.comment();
      return new ReplayedBody(
          octets, type, "the content of " + entry + " is not in the recording" + comment, true);
    }
    return type == null ? Body.of(octets) : Body.of(octets, type);
  }

  private static byte[] octets(
      Place place, String text, HarFile.Content received, @Nullable MediaType type)
      throws HarFormatException {
    if (!"base64".equalsIgnoreCase(received.encoding())) {
      return text.getBytes(ContentText.charset(type));
    }
    try {
      return Base64.getMimeDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw place.malformed("response.content.text: " + e.getMessage(), e);
    }
  }

  private static boolean isIncomplete(HarFile.Content received) {
    boolean leftOut = received.text() == null && received.size() != null && received.size() > 0;
    return leftOut || Boolean.TRUE.equals(received.incomplete());
  }

  private String failed() {
    return entry + " has failed when it was recorded: " + failure;
  }

  /** The content of a request, for comparison. */
  private static String content(HarFile.@Nullable PostData data, Redaction redaction) {
    String text = data == null ? null : data.text();
    if (data == null || text == null) {
      return "";
    }
    if ("base64".equals(data.encoding())) {
      return binary(text);
    }
    return ContentText.isForm(ContentText.parse(data.mimeType()))
        ? redaction.parameters(text)
        : text;
  }

  private static String binary(String base64) {
    return "base64:" + base64;
  }

  /** The content of a request as entries have it, read from its body. */
  static String content(Request request, byte[] octets, Redaction redaction) {
    MediaType type = ContentText.typeOf(request.headers());
    String text = ContentText.exact(octets, type);
    if (text == null) {
      return binary(Base64.getEncoder().encodeToString(octets));
    }
    return ContentText.isForm(type) ? redaction.parameters(text) : text;
  }

  HarReplay.Entry entry() {
    return entry;
  }

  /** The content of its request; empty if there was none. */
  String content() {
    return content;
  }

  /**
   * The response.
   *
   * @throws HttpException if the exchange had failed without one
   */
  Response answer(Request request) throws HttpException {
    Status answered = status;
    if (answered == null) {
      throw new HttpException(failure == null ? entry + " has no response" : failed(), null, null);
    }
    return Response.received(request, answered, version, headers, body, Trailers.none());
  }

  /** Where in the file something stands. */
  private record Place(String path) {
    HarFormatException malformed(String what, @Nullable Throwable cause) {
      return new HarFormatException(path + "." + what, cause);
    }
  }
}
