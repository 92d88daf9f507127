package heddle.verify.torture;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.List;

/** Requests, PROXY headers and frames that are wrong, and how a {@link TortureSite} answers. */
final class SiteNonsense {
  private static final int PATIENCE_MILLIS = 3_000;
  private static final String ANYWHERE = "127.0.0.1";
  private static final String LAST = "Connection: close\r\n";

  /** The connection is closed without an answer. */
  private static final int NONE = 0;

  private static final int SWITCHED = 101;

  private static final List<Nonsense> ALL = List.of(
      // Paths and parameters.
      get(400, "/items/%zz"),
      get(400, "/items/../items/7"),
      get(400, "/items/%2e%2e/items/7"),
      get(404, "/files/..%2fone.p12"),
      get(400, "/files/%00"),
      get(404, "/items/99999999999"),
      get(400, "/written?lines=x"),
      get(400, "/events?count=99999999999"),
      get(400, "/written?lines=%ff"),
      // Fields that filters and files read.
      get(206, "/files/data.bin", "Range: bytes=0-0"),
      get(200, "/files/data.bin", "Range: bytes=0-0" + ",0-0".repeat(1_000)),
      get(200, "/files/data.bin", "Range: bytes=9-1"),
      get(200, "/files/data.bin", "Range: lines=1"),
      get(416, "/files/data.bin", "Range: bytes=99999999999999999999-"),
      get(412, "/files/data.bin", "If-Match: \"other\""),
      get(200, "/files/data.bin", "If-None-Match: \"" + "x".repeat(1_000)),
      get(200, "/files/page.txt", "Accept-Encoding: gzip;q=7,;,br;q=nan"),
      get(200, "/text", "Accept-Encoding: " + "x, ".repeat(1_000)),
      get(200, "/ready", "Origin: \"';--"),
      get(200, "/ready", "X-Request-Id: \"}\t{"),
      get(200, "/ready", "Cookie: =;;\"=" + ";a".repeat(500)),
      get(200, "/events?count=1", "Last-Event-ID: " + "9".repeat(5_000)),
      from(TortureSite.FORWARDER, 200, "/who", "Forwarded: for=\"[::1"),
      from(TortureSite.FORWARDER, 200, "/who", "Forwarded: for=unknown;host=\"a b\";proto=%%"),
      from(TortureSite.FORWARDER, 200, "/who", "Forwarded: " + "for=127.0.0.3,".repeat(500)),
      // Forms.
      post(415, "/form", "text/plain", "a=b"),
      post(413, "/form", SiteAttacks.FORM_TYPE, "a&".repeat(5_000)),
      post(413, "/form", SiteAttacks.FORM_TYPE, "a=" + "b".repeat(70_000)),
      post(400, "/form", "multipart/form-data", "--b\r\n"),
      post(400, "/uploads", SiteAttacks.MULTIPART, "--b\r\n\r\nno name\r\n--b--\r\n"),
      post(400, "/uploads", SiteAttacks.MULTIPART, part("") + "cut"),
      post(413, "/uploads", SiteAttacks.MULTIPART, part("X: " + "y".repeat(9_000)) + "\r\n--b--"),
      post(413, "/uploads", SiteAttacks.MULTIPART, (part("") + "a\r\n").repeat(1_100) + "--b--"),
      post(400, "/uploads", SiteAttacks.MULTIPART, "x".repeat(100_000)),
      // JSON.
      post(415, "/items", "text/plain", "{}"),
      post(400, "/items", SiteAttacks.JSON_TYPE, "[".repeat(100_000)),
      post(400, "/items", SiteAttacks.JSON_TYPE, "{\"x\":" + "[".repeat(100_000)),
      post(413, "/items", SiteAttacks.JSON_TYPE, "{\"text\":\"" + "x".repeat(1_100_000)),
      // WebSocket: what no opening is, and what ends a socket.
      socket(426, "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 12", ""),
      socket(400, "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13", ""),
      socket(403, SiteAttacks.UPGRADE + "Origin: https://evil.example", ""),
      frames("\u0082\1x"),
      frames("\u0083\u0081\0\0\0\0x"),
      frames("\u00f2\u0081\0\0\0\0x"),
      frames("\u0080\u0081\0\0\0\0x"),
      frames("\t\u0081\0\0\0\0x"),
      frames("\u0081\u0082\0\0\0\0\u00c3("),
      frames("\u0082\u00ff\177\377\377\377\377\377\377\377\0\0\0\0"),
      frames("\u0082\u00ff\377\377\377\377\377\377\377\377\0\0\0\0"),
      frames("\u0088\u0081\0\0\0\0\3"),
      // Headers of proxies.
      raw(TortureSite.PROXY, NONE, SiteAttacks.get("/who", LAST)),
      raw(TortureSite.PROXY, NONE, "PROXY TCP4 1 2 3 4\r\n" + SiteAttacks.get("/who", LAST)),
      raw(TortureSite.PROXY, NONE, "PROXY " + "x".repeat(200)),
      raw(TortureSite.PROXY, NONE, "\r\n\r\n\0\r\nQUIT\n\41\21\377\377" + "x".repeat(5_000)),
      raw(TortureSite.PROXY, NONE, "\r\n\r\n\0\r\nQUIT\n\61\21\0\14" + "x".repeat(12)),
      raw(ANYWHERE, 400, "PROXY TCP4 1.1.1.1 127.0.0.1 1 2\r\n" + SiteAttacks.get("/who", LAST)));

  private SiteNonsense() {}

  /**
   * One request.
   *
   * @param from the address of its peer
   * @param bytes what is sent, a byte for each character
   * @param status of the response; {@link #NONE} if there must be none
   */
  private record Nonsense(String from, String bytes, int status) {
    String shortened() {
      String line = bytes.lines().filter(each -> !each.isBlank()).findFirst().orElse("");
      return line.length() > 80 ? line.substring(0, 80) + "..." : line;
    }
  }

  private static Nonsense get(int status, String path, String... fields) {
    return from(ANYWHERE, status, path, fields);
  }

  private static Nonsense from(String address, int status, String path, String... fields) {
    String all = fields.length == 0 ? "" : String.join("\r\n", fields) + "\r\n";
    return new Nonsense(address, SiteAttacks.get(path, LAST, all), status);
  }

  private static Nonsense post(int status, String path, String type, String content) {
    String request = SiteAttacks.post(path, type, content.length()) + content;
    return new Nonsense(ANYWHERE, request, status);
  }

  private static String part(String field) {
    return "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n" + field
        + (field.isEmpty() ? "\r\n" : "\r\n\r\n");
  }

  private static Nonsense socket(int status, String fields, String frames) {
    String end = fields.endsWith("\r\n") ? "" : "\r\n";
    return new Nonsense(ANYWHERE, SiteAttacks.get("/echo-socket", fields + end) + frames, status);
  }

  /** The socket is opened and closed by the site. */
  private static Nonsense frames(String frames) {
    return socket(SWITCHED, SiteAttacks.UPGRADE, frames);
  }

  private static Nonsense raw(String address, int status, String bytes) {
    return new Nonsense(address, bytes, status);
  }

  /** Each of them, again and again until the time is over. */
  static void sendAll(Assault a) throws Exception {
    do {
      for (Nonsense each : ALL) {
        send(a, each);
      }
    } while (a.goesOn() && a.failures().isEmpty());
    a.note(ALL.size() + " kinds");
  }

  private static void send(Assault a, Nonsense nonsense) throws IOException {
    try (Socket socket = a.socketFrom(nonsense.from())) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      a.send(socket, nonsense.bytes().getBytes(ISO_8859_1));
      String answer = answer(socket, nonsense.status() == SWITCHED);
      int status = answer.length() < 12 ? NONE : Integer.parseInt(answer.substring(9, 12));
      if (status != nonsense.status()) {
        a.fail(nonsense.shortened() + " was answered " + status + ", not " + nonsense.status());
      }
    } catch (IOException e) {
      a.fail(nonsense.shortened() + " failed: " + e);
    }
  }

  /** @param all everything until the site closes the connection, instead of the response's head */
  private static String answer(Socket socket, boolean all) throws IOException {
    InputStream in = socket.getInputStream();
    StringBuilder came = new StringBuilder();
    byte[] buffer = new byte[4_096];
    int read = in.read(buffer);
    while (read > 0) {
      came.append(new String(buffer, 0, read, ISO_8859_1));
      if (!all && came.indexOf("\r\n\r\n") >= 0) {
        break;
      }
      read = in.read(buffer);
    }
    return came.toString();
  }
}
