package heddle.websocket;

import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.Method;
import heddle.http.Origin;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import java.net.URI;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a server answers to the request that opens a socket (RFC 6455 section 4.2, RFC 8441 section
 * 5). Immutable.
 *
 * @param subprotocols those that the application speaks, the preferred ones first
 * @param origins which pages may open a socket; null for those of the same origin
 */
record ServerHandshake(
    List<String> subprotocols, Compression compression, @Nullable Predicate<String> origins) {
  private static final String VERSION = "13";
  private static final int NONCE_BYTES = 16;

  /**
   * What comes of a request.
   *
   * @param refusal the response if no socket is opened, otherwise null
   * @param fields of the response that opens one
   */
  record Outcome(@Nullable Response refusal, Headers fields, Handshake.Agreement agreement) {
    private static Outcome refuse(Response response) {
      return new Outcome(response, Headers.empty(), new Handshake.Agreement(null, null));
    }
  }

  /**
   * Checks a request.
   *
   * @param offered whether it offers to switch to {@code websocket}
   */
  Outcome answer(Request request, HttpVersion version, boolean offered) {
    Headers fields = request.headers();
    if (request.method() != Method.GET) {
      return Outcome.refuse(refusal(Status.METHOD_NOT_ALLOWED, "A WebSocket is opened by GET.")
          .header(HeaderName.ALLOW, "GET")
          .build());
    }
    if (!offered) {
      return Outcome.refuse(upgradeRequired(version, "This is only for WebSocket."));
    }
    if (!fields.all(Handshake.VERSION).equals(List.of(VERSION))) {
      return Outcome.refuse(
          upgradeRequired(version, "The version of WebSocket must be " + VERSION + "."));
    }
    List<String> keys = fields.all(Handshake.KEY);
    boolean keyed = version != HttpVersion.HTTP_2;
    if (keyed && (keys.size() != 1 || !isNonce(keys.getFirst()))) {
      return Outcome.refuse(
          refusal(Status.BAD_REQUEST, "Sec-WebSocket-Key must be 16 bytes in Base64.")
              .build());
    }
    if (!isAllowed(fields, request.origin())) {
      return Outcome.refuse(
          refusal(Status.FORBIDDEN, "Pages of this origin may not connect.").build());
    }
    return agree(fields, keyed ? keys.getFirst() : null);
  }

  private Outcome agree(Headers fields, @Nullable String key) {
    Headers.Builder answer = Headers.builder();
    if (key != null) {
      answer.add(Handshake.ACCEPT, Handshake.answerTo(key));
    }
    String subprotocol = subprotocol(fields);
    if (subprotocol != null) {
      answer.add(Handshake.PROTOCOL, subprotocol);
    }
    Deflation.Answer deflation = Deflation.accept(fields.all(Handshake.EXTENSIONS), compression);
    if (deflation != null) {
      answer.add(Handshake.EXTENSIONS, deflation.field());
    }
    Deflation agreed = deflation == null ? null : deflation.deflation();
    return new Outcome(null, answer.build(), new Handshake.Agreement(subprotocol, agreed));
  }

  /** The first of ours that the client offers. */
  private @Nullable String subprotocol(Headers fields) {
    // Their names are compared with regard to case (RFC 6455 section 4.1), unlike tokens.
    Set<String> offered = fields.all(Handshake.PROTOCOL).stream()
        .flatMap(list -> Arrays.stream(list.split(",", -1)))
        .map(String::strip)
        .collect(Collectors.toSet());
    return subprotocols.stream().filter(offered::contains).findFirst().orElse(null);
  }

  /** RFC 6455 section 10.2: browsers send Origin, and other clients need not. */
  private boolean isAllowed(Headers fields, Origin target) {
    List<String> given = fields.all(HeaderName.ORIGIN);
    if (given.isEmpty()) {
      return true;
    }
    if (given.size() > 1) {
      return false;
    }
    String origin = given.getFirst();
    return origins != null ? origins.test(origin) : isSame(origin, target);
  }

  /** Whether the page is of this server. Before a cleartext connection a proxy may end TLS. */
  private static boolean isSame(String origin, Origin target) {
    try {
      Origin page = Origin.of(URI.create(origin));
      return page.equals(target)
          || (!target.isSecure() && page.hostHeader().equals(target.hostHeader()));
    } catch (IllegalArgumentException e) {
      return false; // such as null, or an origin that is not of the web
    }
  }

  private static boolean isNonce(String key) {
    try {
      return key.endsWith("==") && Base64.getDecoder().decode(key).length == NONCE_BYTES;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** RFC 6455 section 4.4. Over HTTP/2 there is no Upgrade that 426 could ask for. */
  private static Response upgradeRequired(HttpVersion version, String why) {
    if (version == HttpVersion.HTTP_2) {
      return refusal(Status.BAD_REQUEST, why).header(Handshake.VERSION, VERSION).build();
    }
    return refusal(Status.UPGRADE_REQUIRED, why)
        .header(HeaderName.UPGRADE, "websocket")
        .header(HeaderName.CONNECTION, "Upgrade")
        .header(Handshake.VERSION, VERSION)
        .build();
  }

  private static Response.Builder refusal(Status status, String why) {
    return Response.builder(status).body(Body.of(why + "\n"));
  }
}
