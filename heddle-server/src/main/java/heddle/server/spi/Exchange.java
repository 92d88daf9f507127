package heddle.server.spi;

import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.MediaType;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.net.SocketAddress;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.security.cert.Certificate;
import java.util.List;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * One request, its connection, and the means to answer it. Used by one thread at a time, the
 * handler's or one that it hands the exchange to, until the handler returns.
 *
 * <p>If the client goes away (over HTTP/1.1 a reset of its connection, over HTTP/2 also of the
 * stream) or the server cuts the connection, the handler's thread is interrupted. A client that
 * has only ended its own output still waits for the response.
 */
public interface Exchange {
  /**
   * The request. Its scheme is that of the connection ({@code https} if it uses TLS), even if the
   * client claims another one.
   */
  Request request();

  /**
   * The request-target as the client has sent it (RFC 9112 §3.2). It differs from that of the
   * {@link #request} if it has the absolute-form, such as {@code http://example.com/path}, which
   * clients send to a server that they take for a proxy.
   */
  default String receivedTarget() {
    return request().target();
  }

  /** The version of HTTP that the client speaks. */
  HttpVersion version();

  /** The address of the peer: of the client, or of the last proxy before this server. */
  SocketAddress remoteAddress();

  /** The address of this server that the peer has connected to. */
  SocketAddress localAddress();

  /** A number of the connection, unique in this process; above 0. */
  long connectionId();

  /** What the handshake of TLS has negotiated; null in cleartext. */
  @Nullable
  SSLSession tlsSession();

  /** The client's certificate, followed by those that sign it; empty if it has shown none. */
  default List<Certificate> clientCertificates() {
    SSLSession session = tlsSession();
    if (session == null) {
      return List.of();
    }
    try {
      return List.of(session.getPeerCertificates());
    } catch (SSLPeerUnverifiedException e) {
      return List.of(); // It was not asked for one, or has none.
    }
  }

  /** The value that was attached to this exchange last; null if none. */
  <T> @Nullable T get(Attribute<T> attribute);

  /** Attaches a value to this exchange, for as long as it is answered. */
  <T> void set(Attribute<T> attribute, T value);

  /**
   * The status that answers a failure which is not the handler's fault: 400, 408 or 413 if the
   * request's body could not be received and {@code failure} is what reading it has thrown, or was
   * caused by that; 503 if the server has interrupted the handler because it took longer than the
   * handler timeout. Null for all other failures. Code that turns exceptions into responses leaves
   * such a failure to the server, which answers with this status.
   */
  default @Nullable Status statusOfFault(Throwable failure) {
    return null;
  }

  /**
   * Sends an informational response (RFC 9110 §15.2), such as 103 (Early Hints, RFC 8297) or 100
   * (Continue), which is sent once and only if the client waits for it. Clients of HTTP/1.0 are
   * sent none.
   *
   * @param status from 100 to 199 except 101
   * @throws IOException if the client has gone
   * @throws IllegalArgumentException for another status, or fields that cannot be sent
   * @throws IllegalStateException if the response has begun
   */
  void interim(Status status, Headers fields) throws IOException;

  /**
   * Begins the response, and returns the stream for its content. What is written is collected up to
   * 16 KiB; flushing sends it, with the head if that has not been sent. If everything fits and is
   * never flushed, the response gets a Content-Length. Otherwise its length is that of the head's
   * Content-Length or unknown.
   *
   * <p>Closing the stream ends the response, with the {@linkplain Response#trailers trailers} of
   * {@code head}. The request's body may be read while the response is written. A response that has
   * no content by its status or the request's method (HEAD) drops what is written.
   *
   * <p>Writing fails with an {@link IOException} if the client has gone or does not read, or if the
   * content differs from the Content-Length; the response is then cut.
   *
   * @param head a final status, fields, trailers; without a body
   * @throws IllegalArgumentException if {@code head} has a body, an informational status, or a
   *     malformed Content-Length
   * @throws IllegalStateException if the response has begun already
   */
  OutputStream begin(Response head);

  /**
   * Gives the exchange up: the connection is closed, over HTTP/2 the stream is reset, and no
   * response is sent, or no more of one. The handler then returns null or throws, neither of which
   * is logged.
   */
  void abort();

  /**
   * As {@link #begin}, for text in the charset of the head's Content-Type, or UTF-8 if that names
   * none.
   *
   * @throws IllegalArgumentException also if this JVM cannot encode the charset
   */
  default Writer writer(Response head) {
    String type = head.headers().first("Content-Type");
    MediaType mediaType = type == null ? null : MediaType.parse(type);
    boolean named = mediaType != null && mediaType.parameter("charset") != null;
    Charset charset = mediaType == null ? null : mediaType.charset();
    if (named && (charset == null || !charset.canEncode())) {
      throw new IllegalArgumentException("cannot encode as " + type + ": name another charset");
    }
    return new ContentWriter(begin(head), charset == null ? StandardCharsets.UTF_8 : charset);
  }

  /**
   * Whether the client offers to switch to a protocol, such as {@code websocket}: its request names
   * it in its Upgrade field (RFC 9110 §7.8). Over HTTP/2 that field has the protocol of an extended
   * CONNECT (RFC 8441), which is a GET here.
   */
  default boolean offers(String protocol) {
    Headers fields = request().headers();
    return fields.containsToken(HeaderName.UPGRADE, protocol)
        && switch (version()) {
          case HTTP_1_0 -> false; // RFC 9110 §7.8: such an offer is ignored
          case HTTP_1_1 -> fields.containsToken(HeaderName.CONNECTION, "Upgrade");
          case HTTP_2 -> true;
        };
  }

  /**
   * Answers by switching to a protocol that the client {@linkplain #offers offers}: with 101 over
   * HTTP/1.1, over HTTP/2 by accepting its extended CONNECT. The handler then speaks that protocol,
   * and returns null when it has ended. The limits of HTTP no longer hold, nor does the server's
   * handler timeout; {@link Upgraded} says what does. This takes the place of {@link #begin}.
   *
   * @param protocol as it is written into the Upgrade field of the response
   * @param fields others of the response
   * @throws IOException if the client has gone
   * @throws IllegalArgumentException if the client does not offer the protocol, or the fields
   *     cannot be sent
   * @throws IllegalStateException if the response has begun already, or the request has content
   *     that was not read to its end
   * @throws UnsupportedOperationException if this exchange has no connection, as in some tests
   */
  default Upgraded switchProtocols(String protocol, Headers fields) throws IOException {
    throw new UnsupportedOperationException("this exchange cannot switch to another protocol");
  }
}
