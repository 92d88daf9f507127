package heddle.httpserver;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpPrincipal;
import heddle.http.HeaderName;
import heddle.http.HttpDate;
import heddle.http.HttpVersion;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.spi.Exchange;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** One request and its response, behind the two exchanges of the JDK's API. */
final class Conversation {
  private static final String CONNECTION = "Connection";

  private final Exchange exchange;
  private final Context context;
  private final URI uri;
  private final SystemProperties properties;
  private final Request request;
  private final Headers responseHeaders = new Headers();
  private final RequestContent content;
  private final ResponseContent response;
  private final CountDownLatch ended = new CountDownLatch(1);

  private @Nullable Headers requestHeaders;
  private @Nullable Map<String, Object> attributes;
  private InputStream in;
  private OutputStream out;
  private volatile @Nullable HttpPrincipal principal;
  private volatile int code = -1;

  Conversation(Exchange exchange, Context context, URI uri, SystemProperties properties) {
    this.exchange = exchange;
    this.context = context;
    this.uri = uri;
    this.properties = properties;
    this.request = exchange.request();
    this.content = new RequestContent(request.body());
    this.response = new ResponseContent(exchange, this::onEnd);
    this.in = content;
    this.out = response;
    if (exchange.version() == HttpVersion.HTTP_1_0) {
      answerOldClient();
    }
  }

  /** Clients of HTTP/1.0 expect a field that says whether their connection stays open. */
  private void answerOldClient() {
    String asked = request.headers().first(HeaderName.CONNECTION);
    if (asked == null) {
      responseHeaders.set(CONNECTION, "close");
    } else if (asked.equalsIgnoreCase("keep-alive")) {
      responseHeaders.set(CONNECTION, "keep-alive");
      responseHeaders.set("Keep-Alive", "timeout=" + properties.idle().toSeconds());
    }
  }

  private void onEnd() {
    content.ended();
    ended.countDown();
  }

  /**
   * Waits until the exchange has ended. If the client goes away first, or the server cuts its
   * connections, which both interrupt the calling thread, the exchange ends here.
   */
  void awaitEnd() {
    try {
      ended.await();
    } catch (InterruptedException e) {
      response.cut();
      Thread.currentThread().interrupt();
    }
  }

  /** The handler has returned. Another thread may still answer. */
  void handled() throws IOException {
    response.closeIfComplete();
  }

  /** The handler has failed: closes the connection if there is no whole response. */
  void fail() {
    response.abort();
  }

  Context context() {
    return context;
  }

  void setPrincipal(@Nullable HttpPrincipal newPrincipal) {
    principal = newPrincipal;
  }

  @Nullable
  HttpPrincipal principal() {
    return principal;
  }

  /** The fields of the request, which cannot be changed. */
  Headers requestHeaders() {
    Headers known = requestHeaders;
    if (known == null) {
      Map<String, List<String>> fields = new LinkedHashMap<>();
      request.headers().forEach(field -> fields
          .computeIfAbsent(field.name().lowerCase(), name -> new ArrayList<>(1))
          .add(field.value()));
      known = Headers.of(fields);
      requestHeaders = known;
    }
    return known;
  }

  Headers responseHeaders() {
    return responseHeaders;
  }

  URI uri() {
    return uri;
  }

  String method() {
    return request.method().toString();
  }

  String protocol() {
    return exchange.version().toString();
  }

  int code() {
    return code;
  }

  InetSocketAddress remoteAddress() {
    return (InetSocketAddress) exchange.remoteAddress();
  }

  InetSocketAddress localAddress() {
    return (InetSocketAddress) exchange.localAddress();
  }

  @Nullable
  SSLSession session() {
    return exchange.tlsSession();
  }

  InputStream in() {
    return in;
  }

  OutputStream out() {
    return out;
  }

  void setStreams(@Nullable InputStream newIn, @Nullable OutputStream newOut) {
    if (newIn != null) {
      in = newIn;
    }
    if (newOut != null) {
      out = newOut;
    }
  }

  private Map<String, Object> attributes() {
    Map<String, Object> known = attributes;
    if (known == null) {
      known =
          properties.attributesOfContext() ? context.getAttributes() : new ConcurrentHashMap<>();
      attributes = known;
    }
    return known;
  }

  @Nullable
  Object attribute(String name) {
    return attributes().get(Objects.requireNonNull(name, "name"));
  }

  void setAttribute(String name, @Nullable Object value) {
    Objects.requireNonNull(name, "name");
    if (value == null) {
      attributes().remove(name);
    } else {
      attributes().put(name, value);
    }
  }

  /** Ends the exchange; closes the connection if there is no whole response. */
  void close() {
    if (!response.hasBegun()) {
      response.abort();
      return;
    }
    try {
      out.close();
      content.close();
    } catch (IOException e) {
      ServerLifecycle.LOG.log(Level.DEBUG, "a response could not be ended", e);
      response.abort();
    }
  }

  /**
   * Begins the response.
   *
   * @param length of its content; 0 if it is unknown, -1 for none
   * @throws IOException if it has begun already
   * @throws IllegalArgumentException if a field cannot be sent
   */
  void sendHead(int status, long length) throws IOException {
    if (response.hasBegun()) {
      throw new IOException("headers already sent");
    }
    if (length < -1) {
      throw new IllegalArgumentException("the length of the content is " + length);
    }
    Status known = Status.of(status);
    if (known.isInformational()) {
      sendInterim(known, length);
      return;
    }
    responseHeaders.set("Date", HttpDate.format(Instant.now()));
    boolean head = request.method().equals(Method.HEAD);
    boolean reset = known.equals(Status.RESET_CONTENT); // RFC 9110 §15.3.6: without content
    if ((reset || !known.mayHaveContent()) && length != -1) {
      warn("sendResponseHeaders: rCode = " + status + ": forcing contentLen = -1");
    } else if (head && length != -1) {
      warn("sendResponseHeaders: being invoked with a content length for a HEAD request");
    }
    if (head || !known.mayHaveContent()) {
      sendEmpty(known, lengthGiven());
    } else if (reset || length == -1) {
      responseHeaders.set("Content-length", "0");
      sendEmpty(known, "0");
    } else if (length == 0) {
      sendUnknown(known);
    } else {
      responseHeaders.set("Content-length", Long.toString(length));
      code = status;
      response.begin(head(known, Long.toString(length), false), length);
    }
  }

  private static void warn(String text) {
    ServerLifecycle.LOG.log(Level.WARNING, text);
  }

  /** The response goes on: the handler sends the head of the final one later. */
  private void sendInterim(Status status, long length) throws IOException {
    if (status.equals(Status.SWITCHING_PROTOCOLS)) {
      switchProtocols();
      return;
    }
    if (length != -1) {
      warn("sendResponseHeaders: rCode = " + status.code() + ": forcing contentLen = -1");
    }
    code = status.code();
    exchange.interim(status, head(status, null, false).headers());
  }

  /** The streams of the exchange are those of the other protocol from now on. */
  private void switchProtocols() throws IOException {
    String protocol = responseHeaders.getFirst("Upgrade");
    if (protocol == null || !exchange.offers(protocol)) {
      response.abort();
      throw new IOException(
          "101 (Switching Protocols) needs the field Upgrade, with a protocol that"
              + " the client offers, but it is " + protocol);
    }
    code = Status.SWITCHING_PROTOCOLS.code();
    content.switchTo(response.switchProtocols(
        protocol, head(Status.SWITCHING_PROTOCOLS, null, false).headers()));
  }

  private void sendEmpty(Status status, @Nullable String length) throws IOException {
    code = status.code();
    response.begin(head(status, length, false), 0);
    response.close();
  }

  private void sendUnknown(Status status) throws IOException {
    boolean chunked = exchange.version() == HttpVersion.HTTP_1_1;
    if (chunked) {
      responseHeaders.set("Transfer-encoding", "chunked");
    } else if (exchange.version() == HttpVersion.HTTP_1_0) {
      responseHeaders.remove("Keep-Alive");
      responseHeaders.set(CONNECTION, "close");
    }
    code = status.code();
    response.begin(head(status, null, chunked), ResponseContent.UNKNOWN);
  }

  /** A response without content may say how long that of another request is, RFC 9110 §8.6. */
  private @Nullable String lengthGiven() {
    String given = responseHeaders.getFirst("Content-length");
    boolean number = given != null && !given.isEmpty() && given.length() <= 18;
    return number && given.chars().allMatch(c -> c >= '0' && c <= '9') ? given : null;
  }

  private Response head(Status status, @Nullable String length, boolean chunked) {
    heddle.http.Headers.Builder fields = heddle.http.Headers.builder();
    responseHeaders.forEach((name, values) -> {
      HeaderName known = HeaderName.of(name);
      if (!isFraming(known)) {
        values.forEach(value -> fields.add(known, unfolded(value)));
      }
    });
    if (length != null && status.code() != 204) {
      fields.add(HeaderName.CONTENT_LENGTH, length);
    }
    if (chunked) {
      fields.add(HeaderName.TRANSFER_ENCODING, "chunked");
    }
    return Response.builder(status).headers(fields.build()).build();
  }

  private static boolean isFraming(HeaderName name) {
    return name.equals(HeaderName.CONTENT_LENGTH) || name.equals(HeaderName.TRANSFER_ENCODING);
  }

  /** A value on one line: the JDK's API allows several (RFC 9112 §5.2), and blanks at the ends. */
  private static String unfolded(String value) {
    if (value.indexOf('\r') < 0 && value.equals(value.strip())) {
      return value;
    }
    return value.replaceAll("\r\n[ \t]+", " ").strip();
  }
}
