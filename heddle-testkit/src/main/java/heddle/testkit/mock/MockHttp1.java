package heddle.testkit.mock;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import heddle.http.HttpVersion;
import heddle.testkit.RawConnection;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One HTTP/1.1 connection of a mock server, on its thread: request, response, and again. */
final class MockHttp1 {
  private final MockServer server;
  private final RawConnection connection;
  private final int number;

  MockHttp1(MockServer server, RawConnection connection, int number) {
    this.server = server;
    this.connection = connection;
    this.number = number;
  }

  void serve() throws IOException {
    boolean goesOn = true;
    while (goesOn && connection.hasMore()) {
      RecordedRequest request = read();
      server.record(request);
      goesOn = answer(request, server.responseTo(request))
          && !"close".equalsIgnoreCase(request.header("Connection"));
    }
  }

  // ---- the request

  private RecordedRequest read() throws IOException {
    List<String> lines = List.of(connection.expectHead().strip().split("\r\n"));
    String[] start = lines.getFirst().split(" ", 3);
    if (start.length < 3) {
      throw new IOException("not a request line: " + lines.getFirst());
    }
    RecordedRequest head = new RecordedRequest(
        start[0],
        start[1],
        start[2].equals("HTTP/1.0") ? HttpVersion.HTTP_1_0 : HttpVersion.HTTP_1_1,
        lines.subList(1, lines.size()),
        new byte[0],
        number);
    if ("100-continue".equalsIgnoreCase(head.header("Expect"))) {
      connection.send("HTTP/1.1 100 Continue\r\n\r\n");
    }
    return new RecordedRequest(
        head.method(), head.target(), head.version(), head.fields(), content(head), number);
  }

  private byte[] content(RecordedRequest head) throws IOException {
    String coding = head.header("Transfer-Encoding");
    if (coding != null && coding.toLowerCase(Locale.ROOT).endsWith("chunked")) {
      return chunks();
    }
    String length = head.header("Content-Length");
    return length == null ? new byte[0] : connection.expectBytes(number(length, 10));
  }

  private byte[] chunks() throws IOException {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    while (true) {
      int size = number(connection.expectLine().split("[;\\s]", 2)[0], 16);
      if (size == 0) {
        break;
      }
      content.writeBytes(connection.expectBytes(size));
      connection.expect("\r\n");
    }
    while (!connection.expectLine().equals("\r\n")) {
      // A trailer.
    }
    return content.toByteArray();
  }

  private static int number(String text, int radix) throws IOException {
    try {
      return Integer.parseUnsignedInt(text, radix);
    } catch (NumberFormatException e) {
      throw new IOException("not a length: " + text, e);
    }
  }

  // ---- the response

  /** Whether the connection can carry another request. */
  private boolean answer(RecordedRequest request, MockResponse response) throws IOException {
    connection.sleep(response.delay());
    MockFault fault = response.fault();
    byte[] head = head(request, response, fault);
    byte[] body = body(request, response);
    return switch (fault) {
      case MockFault.Cut cut -> {
        byte[] all = cut.inHead() ? head : join(head, body);
        int upTo = cut.inHead() ? cut.afterBytes() : head.length + cut.afterBytes();
        connection.send(Arrays.copyOf(all, Math.min(upTo, all.length)));
        yield end(cut.reset());
      }
      case MockFault.BlackHole hole -> {
        // Until the client closes the connection.
        connection.drain();
        yield false;
      }
      case MockFault.SlowBody slow -> {
        connection.send(head);
        for (int from = 0; from < body.length; from += slow.bytes()) {
          connection.sleep(slow.pause());
          connection.send(
              Arrays.copyOfRange(body, from, Math.min(body.length, from + slow.bytes())));
        }
        yield true;
      }
      case MockFault.WrongLength wrong -> {
        connection.send(join(head, body));
        yield end(false);
      }
      case MockFault.GoAway(boolean afterwards) -> {
        if (afterwards) {
          connection.send(join(head, body));
        }
        yield end(false);
      }
      case MockFault.RefusedStream refused -> end(false);
      case MockFault.ResetStream reset -> {
        byte[] all = join(head, body);
        connection.send(Arrays.copyOf(all, Math.min(head.length + reset.afterBytes(), all.length)));
        yield end(true);
      }
      case MockFault.Garbage garbage -> {
        connection.send("\u0015\u0003\u0001 this is no HTTP\r\n\r\n");
        yield end(false);
      }
      case MockFault.Interim(int responses) -> {
        connection.send("HTTP/1.1 103 Early Hints\r\n\r\n".repeat(responses));
        connection.send(join(head, body));
        yield true;
      }
      case MockFault.NewSettings settings -> send(join(head, body));
      case null -> send(join(head, body));
    };
  }

  private boolean send(byte[] bytes) throws IOException {
    connection.send(bytes);
    return true;
  }

  private boolean end(boolean reset) {
    if (reset) {
      connection.reset();
    }
    return false;
  }

  private static byte[] head(
      RecordedRequest request, MockResponse response, @Nullable MockFault fault) {
    StringBuilder head =
        new StringBuilder("HTTP/1.1 ").append(response.status()).append(" \r\n");
    response.fields().forEach(field -> head.append(field).append("\r\n"));
    if (fault instanceof MockFault.WrongLength(long said)) {
      head.append("Content-Length: ").append(said).append("\r\n");
    } else if (response.isChunked() && response.mayHaveContent(request.method())) {
      head.append("Transfer-Encoding: chunked\r\n");
    } else if (response.mayHaveContent("GET")) {
      head.append("Content-Length: ").append(response.content().length).append("\r\n");
    }
    if (fault instanceof MockFault.GoAway) {
      head.append("Connection: close\r\n");
    }
    return head.append("\r\n").toString().getBytes(ISO_8859_1);
  }

  /** With its framing. */
  private static byte[] body(RecordedRequest request, MockResponse response) {
    if (!response.mayHaveContent(request.method())) {
      return new byte[0];
    }
    byte[] content = response.content();
    if (!response.isChunked() || response.fault() instanceof MockFault.WrongLength) {
      return content;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int half = content.length / 2;
    chunk(out, content, 0, half);
    chunk(out, content, half, content.length);
    out.writeBytes("0\r\n\r\n".getBytes(ISO_8859_1));
    return out.toByteArray();
  }

  private static void chunk(ByteArrayOutputStream out, byte[] content, int from, int to) {
    if (from < to) {
      out.writeBytes((Integer.toHexString(to - from) + "\r\n").getBytes(ISO_8859_1));
      out.write(content, from, to - from);
      out.writeBytes("\r\n".getBytes(ISO_8859_1));
    }
  }

  private static byte[] join(byte[] head, byte[] body) {
    byte[] all = Arrays.copyOf(head, head.length + body.length);
    System.arraycopy(body, 0, all, head.length, body.length);
    return all;
  }
}
