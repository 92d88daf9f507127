package heddle.verify.torture;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.List;

/**
 * Requests that two parsers may understand differently, each with a second request hidden in or
 * behind it. That one must not be processed, and where the first is not a valid request nothing
 * more may be read from the connection.
 */
final class RequestTricks {
  private static final int END_MILLIS = 1_000;

  /** After the response to a request whose content the server may still have to skip. */
  private static final int SILENCE_MILLIS = 300;

  private static final String HIDDEN =
      "GET " + TortureServer.SMUGGLED + " HTTP/1.1\r\nHost: a\r\n\r\n";

  /** Stands at the end of what came if the connection went on. */
  private static final String OPEN = "(open)";

  private static final String CHUNKED = "Transfer-Encoding: chunked";
  private static final String EXPECT = "Expect: 100-continue";

  private static final List<Trick> TRICKS = List.of(
      // Content is framed in two ways, or in one that HTTP/1.0 does not have.
      ends("TE and CL in HTTP/1.0", post("1.0", "Content-Length: 5", CHUNKED) + "0\r\n\r\n"),
      ends("TE in HTTP/1.0", post("1.0", CHUNKED) + "0\r\n\r\n"),
      ends("TE and CL", post("1.1", "Content-Length: 5", CHUNKED) + "0\r\n\r\n"),
      ends("two lengths", post("1.1", "Content-Length: 0", "Content-Length: 5")),
      ends("signed length", post("1.1", "Content-Length: +0")),
      ends("space before the colon", post("1.1", "Content-Length : 0")),
      ends("chunked twice", post("1.1", CHUNKED, CHUNKED) + "0\r\n\r\n"),
      ends("chunked and more", post("1.1", CHUNKED + ", identity") + "0\r\n\r\n"),
      ends("unknown coding", post("1.1", "Transfer-Encoding: xchunked") + "0\r\n\r\n"),
      ends("folded coding", post("1.1", "Transfer-Encoding:\r\n chunked") + "0\r\n\r\n"),
      // Chunks whose ends two parsers find in different places.
      ends("LF after a chunk's size", chunked("1\nx\r\n0\r\n\r\n")),
      ends("CR in an extension", chunked("1;a=\rb\r\nx\r\n0\r\n\r\n")),
      ends("LF in an extension", chunked("1;a=\nb\r\nx\r\n0\r\n\r\n")),
      ends("LF after a chunk", chunked("1\r\nx\n0\r\n\r\n")),
      ends("two octets instead of CRLF", chunked("1\r\nxyy0\r\n\r\n")),
      ends("chunk size with a sign", chunked("+1\r\nx\r\n0\r\n\r\n")),
      ends("chunk size with 0x", chunked("0x1\r\nx\r\n0\r\n\r\n")),
      ends("chunk size beyond 64 bits", chunked("10000000000000001\r\nx\r\n0\r\n\r\n")),
      ends("empty chunk size", chunked("\r\nx\r\n0\r\n\r\n")),
      ends("space after a chunk size", chunked("1 \r\nx\r\n0 \r\n\r\n")),
      ends("LF after the trailers", chunked("0\r\nX: y\n\n")),
      // Lines that do not end, or do not begin, as they must.
      ends("LF only", "GET /small HTTP/1.1\nHost: a\n\n"),
      ends("CR only", "GET /small HTTP/1.1\rHost: a\r\r"),
      ends("CR in a value", get("X: a\rb")),
      ends("NUL in a value", get("X: a\0b")),
      ends("vertical tab before a name", get("\u000BX: a")),
      ends("NUL before the request", "\0" + get("X: a")),
      ends("space before the request", " " + get("X: a")),
      ends("tab in the request line", "GET\t/small HTTP/1.1\r\nHost: a\r\n\r\n"),
      ends("line without a name", get(": a")),
      ends("field before the first", "GET /small HTTP/1.1\r\n X: a\r\nHost: a\r\n\r\n"),
      ends("two hosts", get("Host: b")),
      ends("HTTP/0.9", "GET /small\r\n"),
      ends("HTTP/0.9 by name", "GET /small HTTP/0.9\r\n\r\n"),
      ends("HTTP/1.10", "GET /small HTTP/1.10\r\nHost: a\r\n\r\n"),
      // Content that is not sent, or not read, before the response.
      hides("Expect, unread", post("1.1", EXPECT, length(HIDDEN)).replace("/echo", "/small")),
      hides("Expect, read", post("1.1", EXPECT, length(HIDDEN))),
      hides("Expect twice", post("1.1", EXPECT, EXPECT, length(HIDDEN))),
      hides("unknown Expect", post("1.1", "Expect: y 100-continue", length(HIDDEN))),
      hides("early response", post("1.1", length(HIDDEN)).replace("/echo", "/fail")),
      hides("GET with content", get(length(HIDDEN))),
      hides("HEAD with content", get(length(HIDDEN)).replace("GET", "HEAD")));

  /** @param ends whether the connection must end after it */
  private record Trick(String name, String request, boolean ends) {}

  private RequestTricks() {}

  static void play(Assault a) throws Exception {
    for (Trick trick : TRICKS) {
      String came = answer(a, trick);
      if (came.contains("smuggled")) {
        a.fail("\"" + trick.name() + "\" let a second request through");
      }
      if (came.endsWith(OPEN) && trick.ends()) {
        a.fail("\"" + trick.name() + "\" left the connection open");
      }
    }
    a.note(TRICKS.size() + " tricks");
  }

  private static String answer(Assault a, Trick trick) throws Exception {
    Socket socket = a.socket(null);
    socket.setSoTimeout(trick.ends() ? END_MILLIS : SILENCE_MILLIS);
    a.send(socket, (trick.request() + HIDDEN).getBytes(ISO_8859_1));
    var came = new StringBuilder();
    byte[] buffer = new byte[1_024];
    try (socket) {
      int read = socket.getInputStream().read(buffer);
      while (read > 0) {
        came.append(new String(buffer, 0, read, ISO_8859_1));
        read = socket.getInputStream().read(buffer);
      }
      return came.toString();
    } catch (SocketTimeoutException e) {
      return came + OPEN;
    } catch (IOException e) {
      // A server that closes before it has read all of it resets the connection.
      return came.toString();
    }
  }

  private static Trick ends(String name, String request) {
    return new Trick(name, request, true);
  }

  private static Trick hides(String name, String request) {
    return new Trick(name, request, false);
  }

  private static String get(String field) {
    return "GET /small HTTP/1.1\r\nHost: a\r\n" + field + "\r\n\r\n";
  }

  private static String post(String version, String... fields) {
    return "POST /echo HTTP/" + version + "\r\nHost: a\r\n" + String.join("\r\n", fields)
        + "\r\n\r\n";
  }

  private static String chunked(String content) {
    return post("1.1", CHUNKED) + content;
  }

  private static String length(String content) {
    return "Content-Length: " + content.length();
  }
}
