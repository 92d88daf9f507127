package heddle.websocket;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.Trailers;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Any answer of a server to a handshake: agreed on as it was offered, or refused by name. And any
 * opening of a client: refused with a status, or answered with what the client may be told.
 */
final class HandshakeFuzz {
  private static final List<String> SUBPROTOCOLS = List.of("chat.v2", "chat");

  /** The status of a GET that offers to switch and opens no socket. */
  private static final Set<Integer> REFUSALS = Set.of(400, 403, 426);

  private HandshakeFuzz() {}

  /** A value of Sec-WebSocket-Extensions to each offer. */
  static void extensions(byte[] input) {
    List<String> fields = List.of(new String(input, ISO_8859_1).split("\n", -1));
    for (Compression offered : Compression.values()) {
      try {
        Deflation agreed = Deflation.agreed(fields, offered);
        assertTrue(agreed == null || offered != Compression.OFF);
        if (agreed != null) {
          assertTrue(offered == Compression.WITH_CONTEXT || !agreed.clientKeepsContext());
        }
      } catch (IllegalArgumentException e) {
        assertFalse(e.getMessage().isBlank());
      }
    }
  }

  /** Lines of fields, of which a line that is {@code accept} answers the key. */
  static void response(byte[] input) throws IOException {
    Handshake handshake = new Handshake(SUBPROTOCOLS, Compression.WITH_CONTEXT);
    Request request = handshake.request(Request.get("http://example.com/"));
    String accept = Handshake.answerTo(request.headers().first(HeaderName.of("Sec-WebSocket-Key")));
    Headers.Builder fields = Headers.builder();
    try {
      for (String line : new String(input, ISO_8859_1).split("\n", -1)) {
        int colon = line.indexOf(':');
        if (line.equals("accept")) {
          fields.add("Sec-WebSocket-Accept", accept);
        } else if (colon > 0) {
          fields.add(line.substring(0, colon), line.substring(colon + 1).strip());
        }
      }
    } catch (IllegalArgumentException e) {
      return; // No response can have such a field.
    }
    check(handshake, request, fields.build(), accept);
  }

  private static void check(Handshake handshake, Request request, Headers fields, String accept)
      throws IOException {
    for (HttpVersion version : List.of(HttpVersion.HTTP_1_1, HttpVersion.HTTP_2)) {
      boolean http2 = version == HttpVersion.HTTP_2;
      Status status = http2 ? Status.OK : Status.SWITCHING_PROTOCOLS;
      Response response =
          Response.received(request, status, version, fields, Body.empty(), Trailers.none());
      try {
        Handshake.Agreement agreement = handshake.check(response);
        String chosen = agreement.subprotocol();
        assertTrue(chosen == null || SUBPROTOCOLS.contains(chosen));
        if (!http2) {
          assertEquals(List.of(accept), fields.all(HeaderName.of("Sec-WebSocket-Accept")));
        }
      } catch (WebSocketHandshakeException e) {
        assertFalse(e.getMessage().isBlank());
      }
    }
  }

  /** Lines of fields of a request that opens a socket. */
  static void request(byte[] input) throws IOException {
    Headers.Builder fields = Headers.builder();
    try {
      for (String line : new String(input, ISO_8859_1).split("\n", -1)) {
        int colon = line.indexOf(':');
        if (colon > 0) {
          fields.add(line.substring(0, colon), line.substring(colon + 1).strip());
        }
      }
    } catch (IllegalArgumentException e) {
      return; // No request can have such a field.
    }
    Request request =
        Request.get("http://example.com/").toBuilder().headers(fields.build()).build();
    for (HttpVersion version : List.of(HttpVersion.HTTP_1_1, HttpVersion.HTTP_2)) {
      for (Compression compression : Compression.values()) {
        ServerHandshake handshake = new ServerHandshake(SUBPROTOCOLS, compression, null);
        check(handshake.answer(request, version, true), compression);
      }
    }
  }

  private static void check(ServerHandshake.Outcome outcome, Compression compression) {
    if (outcome.refusal() != null) {
      assertTrue(REFUSALS.contains(outcome.refusal().status().code()));
      return;
    }
    Headers fields = outcome.fields();
    String chosen = outcome.agreement().subprotocol();
    assertTrue(chosen == null || SUBPROTOCOLS.contains(chosen));
    assertEquals(chosen, fields.first("Sec-WebSocket-Protocol"));
    List<String> extensions = fields.all("Sec-WebSocket-Extensions");
    // A client that has offered what we accept understands it as we do.
    Compression offered = compression == Compression.OFF ? compression : Compression.WITH_CONTEXT;
    assertEquals(outcome.agreement().deflation(), Deflation.agreed(extensions, offered));
  }

  private static List<byte[]> octets(String... texts) {
    return Arrays.stream(texts).map(text -> text.getBytes(ISO_8859_1)).toList();
  }

  static List<byte[]> extensionSeeds() {
    return octets(
        "permessage-deflate",
        "permessage-deflate; client_no_context_takeover; server_max_window_bits=\"10\"",
        "permessage-deflate; server_no_context_takeover\npermessage-deflate",
        "permessage-deflate; server_max_window_bits=16",
        ", ;=\"");
  }

  static List<byte[]> requestSeeds() {
    String opening = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\nSec-WebSocket-Version: 13\n";
    return octets(
        opening,
        opening + "Origin: http://example.com\nSec-WebSocket-Protocol: x, chat",
        opening + "Origin: http://[::1]:80/?\nSec-WebSocket-Protocol: ,chat.v2 ,",
        opening + "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits",
        opening + "Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=\"15\"\n"
            + "Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover",
        "Sec-WebSocket-Key: x\nSec-WebSocket-Version: 13, 8");
  }

  static List<byte[]> responseSeeds() {
    return octets(
        "Upgrade: websocket\nConnection: Upgrade\naccept",
        "Upgrade: websocket\nConnection: keep-alive, Upgrade\naccept\n"
            + "Sec-WebSocket-Protocol: chat\nSec-WebSocket-Extensions: permessage-deflate",
        "Upgrade: h2c\nConnection: Upgrade\naccept",
        "Upgrade: websocket\nConnection: Upgrade\naccept\nSec-WebSocket-Protocol: chat, chat.v2",
        "Upgrade: websocket\nConnection: Upgrade\nSec-WebSocket-Accept: x");
  }
}
