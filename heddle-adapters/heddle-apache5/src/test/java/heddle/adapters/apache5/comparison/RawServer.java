package heddle.adapters.apache5.comparison;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import heddle.testkit.RawConnection;
import heddle.testkit.ScriptedPeer;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A server that records what it receives, and sends given bytes. */
final class RawServer implements AutoCloseable {
  /** At the end of the bytes: the connection is closed then. */
  static final String CLOSE = "\0close";

  /** At the end of the bytes: nothing more is sent, and the connection stays open. */
  static final String SILENCE = "\0silence";

  /**
   * A request.
   *
   * @param number of requests so far, this one included
   * @param connection on which it came, the first being 1
   * @param line its request line
   * @param fields in the order of the alphabet, as that in which they are sent means nothing
   * @param content as it was before it was framed, with trailers; what is long is summed up
   */
  record Heard(int number, int connection, String line, List<String> fields, String content) {
    String path() {
      return line.split(" ", -1)[1];
    }

    boolean has(String field) {
      return fields.contains(field);
    }

    @Nullable
    String value(String name) {
      String start = name.toLowerCase(Locale.ROOT) + ":";
      for (String field : fields) {
        if (field.toLowerCase(Locale.ROOT).startsWith(start)) {
          return field.substring(start.length()).strip();
        }
      }
      return null;
    }
  }

  /** What the server sends. */
  interface Answers {
    /**
     * The bytes to send for a request, in which {@code :PORT} stands for the server's port. If the
     * request expects 100 (Continue), this is called before its content has arrived, and the server
     * sends 100 unless the connection must be closed.
     */
    String to(Heard request);

    /** What is sent for a request before its content has arrived. */
    default String early(Heard request) {
      return "";
    }
  }

  final List<Heard> heard = new CopyOnWriteArrayList<>();

  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger requests = new AtomicInteger();
  private final Answers answers;
  private final TcpNetwork network = TcpNetwork.create();
  private final ScriptedPeer peer;

  RawServer(Answers answers) throws IOException {
    this.answers = answers;
    this.peer = ScriptedPeer.each(network, this::serve);
  }

  int port() {
    return peer.port();
  }

  private void serve(RawConnection connection) throws IOException {
    int number = connections.incrementAndGet();
    try {
      while (connection.hasMore() && answer(connection, number)) {
        // On to the next.
      }
    } catch (IOException e) {
      // The client has closed the connection, and reports that itself.
    }
  }

  private boolean answer(RawConnection connection, int on) throws IOException {
    List<String> head = List.of(plain(connection.expectHead()).strip().split("\r\n", -1));
    // That of a tunnel is Heddle's own request.
    boolean tunnel = head.getFirst().startsWith("CONNECT ");
    List<String> fields = head.subList(1, head.size()).stream()
        .filter(field -> !tunnel || field.startsWith("Host:") || field.startsWith("Proxy-Auth"))
        .sorted()
        .toList();
    Heard begun = new Heard(requests.incrementAndGet(), on, head.getFirst(), fields, "");
    if ("100-continue".equals(begun.value("Expect"))) {
      if (answers.to(begun).endsWith(CLOSE)) {
        return say(connection, begun);
      }
      connection.send("HTTP/1.1 100 Continue\r\n\r\n");
    }
    connection.send(answers.early(begun));
    String content = brief(content(connection, begun));
    return say(connection, new Heard(begun.number, on, begun.line, fields, content));
  }

  private static String brief(String content) {
    return content.length() < 200
        ? content
        : content.length() + " characters with the hash " + content.hashCode();
  }

  private boolean say(RawConnection connection, Heard request) throws IOException {
    heard.add(request);
    String said = answers.to(request).replace(":PORT", ":" + port());
    boolean closes = said.endsWith(CLOSE);
    boolean stops = said.endsWith(SILENCE);
    connection.send(closes || stops ? said.substring(0, said.lastIndexOf('\0')) : said);
    if (stops) {
      connection.drain();
    }
    return !closes && !stops;
  }

  private static String content(RawConnection connection, Heard request) throws IOException {
    String length = request.value("Content-Length");
    if (length != null) {
      return new String(connection.expectBytes(Integer.parseInt(length)), ISO_8859_1);
    }
    if (!"chunked".equals(request.value("Transfer-Encoding"))) {
      return "";
    }
    StringBuilder content = new StringBuilder();
    for (int size = size(connection); size > 0; size = size(connection)) {
      content.append(new String(connection.expectBytes(size), ISO_8859_1));
      connection.expect("\r\n");
    }
    List<String> trailers = new ArrayList<>();
    for (String line = connection.expectLine(); !line.isBlank(); line = connection.expectLine()) {
      trailers.add(line.strip());
    }
    return content + (trailers.isEmpty() ? "" : " then " + trailers);
  }

  private static int size(RawConnection connection) throws IOException {
    return Integer.parseInt(connection.expectLine().strip(), 16);
  }

  /** Without what is another each time. */
  private String plain(String head) {
    return head.replace(":" + port(), ":PORT").replaceAll("(nonce|response)=\"[0-9a-f]+\"", "$1=_");
  }

  @Override
  public void close() throws IOException {
    try (network) {
      peer.close();
    }
  }
}
