package heddle.websocket;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import heddle.testkit.RawConnection;
import heddle.testkit.ScriptedPeer;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A server of WebSockets, made of this module's frames and the test's own handshake. */
final class Server implements AutoCloseable {
  private final TcpNetwork network = TcpNetwork.create();
  private final ScriptedPeer peer;

  /** The heads of the requests, in order. */
  final List<String> heads = new CopyOnWriteArrayList<>();

  /** What the server does on a connection after the handshake. */
  @FunctionalInterface
  interface Script {
    void run(RawConnection connection) throws Exception;
  }

  /** What a server does with an open socket. */
  @FunctionalInterface
  interface Use {
    void of(WebSocket socket) throws Exception;
  }

  /** What the server does with the head of a request. */
  @FunctionalInterface
  private interface Answer {
    void to(RawConnection connection, String head) throws IOException;
  }

  private Server(Answer answer) throws IOException {
    peer = ScriptedPeer.each(network, c -> {
      String head = c.expectHead();
      heads.add(head);
      answer.to(c, head);
    });
  }

  /** A server that answers each handshake with these fields too, which end with CRLF. */
  static Server raw(String fields, Script script) throws IOException {
    return new Server((c, head) -> {
      c.send(switching(head) + fields + "\r\n");
      run(script, c);
    });
  }

  /** A server that answers the head of a request as it likes. */
  static Server answering(UnaryOperator<String> answer) throws IOException {
    return new Server((c, head) -> {
      c.send(answer.apply(head));
      c.drain();
    });
  }

  /** A server that uses its end of each socket, with what was agreed on. */
  static Server sockets(@Nullable Deflation deflation, String fields, Use use) throws IOException {
    return raw(fields, c -> {
      try (WebSocket socket = socket(c, deflation)) {
        use.of(socket);
      }
    });
  }

  /** A server that sends each message back. */
  static Server echo() throws IOException {
    return sockets(null, "", Server::echo);
  }

  static void echo(WebSocket socket) throws IOException {
    for (Message message = socket.receive(); message != null; message = socket.receive()) {
      switch (message) {
        case Message.Text text -> socket.send(text.text());
        case Message.Binary binary -> socket.send(binary.bytes());
      }
    }
  }

  private static void run(Script script, RawConnection c) throws IOException {
    try {
      script.run(c);
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  /** The status line and the fields with which a server switches, without the empty line. */
  static String switching(String head) {
    return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: WebSocket\r\nConnection: keep-alive,"
        + " upgrade\r\nSec-WebSocket-Accept: " + Handshake.answerTo(key(head)) + "\r\n";
  }

  private static String key(String head) {
    return head.lines()
        .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("sec-websocket-key:"))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElseThrow();
  }

  /** The server's end of a socket. */
  static WebSocket socket(RawConnection c, @Nullable Deflation deflation) {
    return new WebSocket(
        Role.SERVER,
        new Input(c),
        new Output(c),
        new Handshake.Agreement(null, deflation),
        WebSocket.DEFAULT_MAX_MESSAGE_BYTES,
        MessageMemoryTest.uncounted(),
        Duration.ofSeconds(10));
  }

  String url() {
    return "ws" + peer.url("/chat").substring("http".length());
  }

  @Override
  public void close() throws Exception {
    try (network) {
      peer.close();
    }
  }

  private static final class Input extends InputStream {
    private final RawConnection connection;

    Input(RawConnection connection) {
      this.connection = connection;
    }

    @Override
    public void close() {
      connection.close();
    }

    @Override
    public int read() throws IOException {
      return connection.hasMore() ? connection.expectBytes(1)[0] & 0xFF : -1;
    }

    @Override
    public int read(byte[] target, int offset, int count) throws IOException {
      if (!connection.hasMore()) {
        return -1;
      }
      int held = connection.peek().getBytes(ISO_8859_1).length;
      byte[] bytes = connection.expectBytes(Math.min(held, count));
      System.arraycopy(bytes, 0, target, offset, bytes.length);
      return bytes.length;
    }
  }

  private static final class Output extends OutputStream {
    private final RawConnection connection;

    Output(RawConnection connection) {
      this.connection = connection;
    }

    @Override
    public void write(int octet) throws IOException {
      connection.send(new byte[] {(byte) octet});
    }

    @Override
    public void write(byte[] source, int offset, int count) throws IOException {
      connection.send(Arrays.copyOfRange(source, offset, offset + count));
    }
  }
}
