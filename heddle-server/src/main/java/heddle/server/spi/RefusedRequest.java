package heddle.server.spi;

import heddle.http.Headers;
import heddle.http.Status;
import java.net.SocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request that the server has refused, so that its handler does not see it: it is malformed, too
 * large or too late, or came when the server had reached a limit. See {@link
 * ExchangeHandler#refused}. Connections that end without an answer to a request have none: those
 * that are refused or broken over HTTP/2, that fail in their TLS handshake, or that the client
 * closes first.
 *
 * @param remoteAddress of the client, or of the proxy before the server
 * @param requestLine method, target and version as far as they are known, separated by spaces, as
 *     in {@code GET /a HTTP/1.1}; over HTTP/2 {@code -} stands for a method or a path that has not
 *     come. Empty if nothing is known. Each char is an octet that the client has sent: it may be a
 *     control character, so never write this to a log unescaped. No longer than the server's limit
 *     for heads, and at most 2,048 octets of a line of HTTP/1.1 that is malformed or incomplete
 * @param headers the fields of the head; empty if it was not received whole
 * @param status of the response; null if there is none, such as over HTTP/2 if the stream is reset
 */
public record RefusedRequest(
    SocketAddress remoteAddress, String requestLine, Headers headers, @Nullable Status status) {
  /** Checks what was given. */
  public RefusedRequest {
    Objects.requireNonNull(remoteAddress, "remoteAddress");
    Objects.requireNonNull(requestLine, "requestLine");
    Objects.requireNonNull(headers, "headers");
  }
}
