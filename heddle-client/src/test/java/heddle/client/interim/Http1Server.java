package heddle.client.interim;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.testkit.RawConnection;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The server's side of an HTTP/1.1 connection. */
final class Http1Server implements Server {
  private final RawConnection connection;
  private List<String> head = List.of();
  private List<String> trailers = List.of();

  Http1Server(RawConnection connection) {
    this.connection = connection;
  }

  @Override
  public void expectHead() throws IOException {
    head = connection.expectHead().lines().toList();
    trailers = List.of();
  }

  @Override
  public @Nullable String field(String name) {
    return named(head, name);
  }

  @Override
  public @Nullable String trailer(String name) {
    return named(trailers, name);
  }

  private static @Nullable String named(List<String> lines, String name) {
    String start = name + ": ";
    return lines.stream()
        .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(start))
        .map(line -> line.substring(start.length()))
        .findFirst()
        .orElse(null);
  }

  @Override
  public void expectNothingYet() {
    assertEquals("", connection.peek());
  }

  @Override
  public String expectContent() throws IOException {
    String length = field("content-length");
    if (length != null) {
      return expectContent(Integer.parseInt(length));
    }
    assertEquals("chunked", field("transfer-encoding"));
    var content = new StringBuilder();
    for (int size = chunkSize(); size > 0; size = chunkSize()) {
      content.append(expectContent(size));
      connection.expect("\r\n");
    }
    List<String> lines = new ArrayList<>();
    for (String line = connection.expectLine(); !line.isBlank(); line = connection.expectLine()) {
      lines.add(line.strip());
    }
    trailers = lines;
    return content.toString();
  }

  private int chunkSize() throws IOException {
    return Integer.parseInt(connection.expectLine().strip(), 16);
  }

  @Override
  public String expectContent(int bytes) throws IOException {
    return new String(connection.expectBytes(bytes), ISO_8859_1);
  }

  @Override
  public void inform(int status, String... fields) throws IOException {
    connection.send(informational(status, fields));
  }

  private static String informational(int status, String... fields) {
    return "HTTP/1.1 " + status + " x\r\n" + lines(fields) + "\r\n";
  }

  private static String lines(String... fields) {
    return fields.length == 0 ? "" : String.join("\r\n", fields) + "\r\n";
  }

  @Override
  public void answerHead(int status, int length, int... informational) throws IOException {
    var all = new StringBuilder();
    for (int each : informational) {
      all.append(informational(each));
    }
    connection.send(all + finalHead(status, length));
  }

  private static String finalHead(int status, int length) {
    return "HTTP/1.1 " + status + " x\r\nContent-Length: " + length + "\r\n\r\n";
  }

  /** In one write: who closes the connection without reading the content must not break it. */
  @Override
  public void answer(int status, String content) throws IOException {
    connection.send(finalHead(status, content.length()) + content);
  }

  @Override
  public void send(String content, boolean last) throws IOException {
    connection.send(content);
  }

  @Override
  public void answerWithTrailers(String content, String... trailers) throws IOException {
    connection.send("HTTP/1.1 200 x\r\nTransfer-Encoding: chunked\r\n\r\n"
        + Integer.toHexString(content.length()) + "\r\n" + content + "\r\n0\r\n"
        + lines(trailers) + "\r\n");
  }

  @Override
  public void expectGivenUp() throws IOException {
    connection.expectEnd();
  }

  @Override
  public void expectEnd() throws IOException {
    connection.expectEnd();
  }

  @Override
  public void sleep(Duration time) throws IOException {
    connection.sleep(time);
  }

  @Override
  public void reset() {
    connection.reset();
  }
}
