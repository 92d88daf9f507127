package heddle.websocket;

import static java.nio.charset.StandardCharsets.US_ASCII;

import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The opening handshake of a client (RFC 6455 section 4.1, RFC 8441 section 5), for callers that
 * send the request themselves and need a {@link MessageStream}. For one socket; thread-safe.
 *
 * <pre>{@code
 * Handshake handshake = new Handshake(List.of());
 * Request request = Request.get("https://localhost:8443/chat");
 * try (DuplexCall call = client.open(handshake.request(request))) {
 *   MessageStream stream = handshake.open(call.response(), call.output());
 *   stream.sendText("Hello", true);
 * }
 * }</pre>
 */
public final class Handshake {
  static final HeaderName KEY = HeaderName.of("Sec-WebSocket-Key");
  static final HeaderName ACCEPT = HeaderName.of("Sec-WebSocket-Accept");
  static final HeaderName VERSION = HeaderName.of("Sec-WebSocket-Version");
  static final HeaderName PROTOCOL = HeaderName.of("Sec-WebSocket-Protocol");
  static final HeaderName EXTENSIONS = HeaderName.of("Sec-WebSocket-Extensions");

  /** RFC 6455 section 1.3. */
  private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

  private static final SecureRandom RANDOM = new SecureRandom();

  private final List<String> subprotocols;
  private final Compression compression;
  private final String key;

  /** What the server has chosen; null for none. */
  record Agreement(@Nullable String subprotocol, @Nullable Deflation deflation) {}

  /**
   * A handshake that offers no extension.
   *
   * @param subprotocols the protocols that the application speaks, the preferred ones first
   * @throws IllegalArgumentException if one is no token or is repeated
   */
  public Handshake(List<String> subprotocols) {
    this(requireSubprotocols(subprotocols), Compression.OFF);
  }

  Handshake(List<String> subprotocols, Compression compression) {
    this.subprotocols = subprotocols;
    this.compression = compression;
    byte[] nonce = new byte[16];
    RANDOM.nextBytes(nonce);
    key = Base64.getEncoder().encodeToString(nonce);
  }

  /**
   * Checks a request before it opens a socket.
   *
   * @throws IllegalArgumentException if it is no GET, or has content
   */
  static Request requireOpening(Request request) {
    if (request.method() != Method.GET || request.body().length() != 0) {
      throw new IllegalArgumentException(
          "a WebSocket is opened by a GET without content, not by " + request);
    }
    return request;
  }

  /**
   * Checks subprotocols (RFC 6455 section 4.1) and copies the list.
   *
   * @throws IllegalArgumentException if one is no token or is repeated
   */
  static List<String> requireSubprotocols(List<String> names) {
    Set<String> before = new HashSet<>();
    for (String name : names) {
      if (!isToken(name)) {
        throw new IllegalArgumentException(
            "a subprotocol must be a token (RFC 9110 section 5.6.2), but was \"" + name + "\"");
      }
      if (!before.add(name)) {
        throw new IllegalArgumentException("the subprotocol " + name + " is repeated");
      }
    }
    return List.copyOf(names);
  }

  private static boolean isToken(String name) {
    try {
      HeaderName.of(name); // is a token too
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Returns the request with the fields of the handshake. */
  public Request request(Request request) {
    Headers.Builder fields = request.headers().toBuilder()
        .set(HeaderName.UPGRADE, "websocket")
        .set(HeaderName.CONNECTION, "Upgrade")
        .set(KEY, key)
        .set(VERSION, "13");
    if (!subprotocols.isEmpty()) {
      fields.set(PROTOCOL, String.join(", ", subprotocols));
    }
    String offer = Deflation.offer(compression);
    if (offer != null) {
      fields.set(EXTENSIONS, offer);
    }
    return request.toBuilder().headers(fields.build()).build();
  }

  /**
   * Opens the socket, if the server has agreed to it.
   *
   * @param response whose content is what the server sends
   * @param out where to write what the client sends
   * @throws WebSocketHandshakeException if the server has not switched as the request asked; the
   *     response is closed then
   * @throws IOException if closing the response fails
   */
  public MessageStream open(Response response, OutputStream out) throws IOException {
    boolean opened = false;
    try {
      Agreement agreement = check(response);
      InputStream in = response.body().stream();
      MessageStream stream = new MessageStream(Role.CLIENT, in, out, agreement.subprotocol());
      opened = true;
      return stream;
    } finally {
      if (!opened) {
        response.close();
      }
    }
  }

  /**
   * Checks the response.
   *
   * @throws WebSocketHandshakeException if the server has not switched as the request asked
   */
  Agreement check(Response response) throws IOException {
    // RFC 8441 section 5: over HTTP/2 there is neither a status 101 nor a key to be answered.
    boolean http2 = response.version() == HttpVersion.HTTP_2;
    if (!(http2 ? Status.OK : Status.SWITCHING_PROTOCOLS).equals(response.status())) {
      throw WebSocketHandshakeException.refused(response);
    }
    Headers fields = response.headers();
    if (!http2) {
      checkSwitched(response, fields);
    }
    try {
      return new Agreement(
          subprotocol(fields.all(PROTOCOL)), Deflation.agreed(fields.all(EXTENSIONS), compression));
    } catch (IllegalArgumentException e) {
      throw WebSocketHandshakeException.invalid(response, String.valueOf(e.getMessage()));
    }
  }

  private void checkSwitched(Response response, Headers fields) throws WebSocketHandshakeException {
    if (!fields.containsToken(HeaderName.UPGRADE, "websocket")
        || !fields.containsToken(HeaderName.CONNECTION, "Upgrade")) {
      throw WebSocketHandshakeException.invalid(
          response, "the server switched to another protocol than websocket");
    }
    if (!fields.all(ACCEPT).equals(List.of(answerTo(key)))) {
      throw WebSocketHandshakeException.invalid(
          response, "Sec-WebSocket-Accept does not answer the key");
    }
  }

  private @Nullable String subprotocol(List<String> chosen) {
    if (chosen.isEmpty()) {
      return null;
    }
    if (chosen.size() > 1 || !subprotocols.contains(chosen.getFirst())) {
      throw new IllegalArgumentException(
          "the server chose a subprotocol that was not offered: " + String.join(", ", chosen));
    }
    return chosen.getFirst();
  }

  /** What Sec-WebSocket-Accept must be for a key (RFC 6455 section 4.2.2). */
  static String answerTo(String key) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-1").digest((key + GUID).getBytes(US_ASCII));
      return Base64.getEncoder().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each Java platform has SHA-1", e);
    }
  }
}
