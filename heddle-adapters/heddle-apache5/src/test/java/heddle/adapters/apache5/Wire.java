package heddle.adapters.apache5;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Locale.ROOT;
import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.codec.http2.frame.Frame;
import heddle.testkit.Http2Head;
import heddle.testkit.Http2Peer;
import heddle.testkit.RawConnection;
import heddle.testkit.ScriptedPeer;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hc.core5.http2.HttpVersionPolicy;

/** A version of HTTP, as a server that follows a script speaks it, for one request. */
enum Wire {
  HTTP_1(HttpVersionPolicy.FORCE_HTTP_1) {
    @Override
    ScriptedPeer.Script script(Script script) {
      return connection -> script.run(new Http1Talk(connection));
    }
  },

  HTTP_2(HttpVersionPolicy.FORCE_HTTP_2) {
    @Override
    ScriptedPeer.Script script(Script script) {
      return Http2Peer.server(peer -> {
        peer.handshake();
        script.run(new Http2Talk(peer));
      });
    }
  };

  final HttpVersionPolicy policy;

  Wire(HttpVersionPolicy policy) {
    this.policy = policy;
  }

  /** What the server does. */
  interface Script {
    void run(Talk talk) throws Exception;
  }

  /** A request that it got. */
  interface Visit {
    void to(AsyncStack.Running running, String url) throws Exception;
  }

  abstract ScriptedPeer.Script script(Script script);

  /** Makes a visit to a server that follows a script; both must run to their end. */
  void visit(Stack stack, Script script, Visit visit) throws Exception {
    try (TcpNetwork network = TcpNetwork.create();
        ScriptedPeer peer = ScriptedPeer.inOrder(network, script(script));
        AsyncStack.Running running = AsyncStack.start(stack, null, policy)) {
      visit.to(running, peer.url("/"));
      AsyncStack.assertNothingIsLeased(running);
      peer.awaitScripts();
    }
  }

  /**
   * What a server sends and gets for one request. Fields are {@code name: value}, with names in
   * lower case.
   */
  interface Talk {
    /** The fields of the request's head. */
    List<String> expectHead() throws IOException;

    /** The request's content, in which it is chunked over HTTP/1.1, and its trailers. */
    List<String> expectContent(String content) throws IOException;

    /** Nothing has arrived after the head. */
    void expectQuiet() throws IOException;

    void sendInterim(int status, String... fields) throws IOException;

    void sendResponse(int status, String content, String... trailers) throws IOException;

    /** Everything that arrives until the connection or the stream has ended. */
    void drain() throws IOException;
  }

  private record Http1Talk(RawConnection connection) implements Talk {
    private static List<String> fields(String section) {
      List<String> fields = new ArrayList<>();
      for (String line : section.strip().split("\r\n", -1)) {
        int colon = line.indexOf(':');
        if (colon > 0) {
          fields.add(line.substring(0, colon).toLowerCase(ROOT) + line.substring(colon));
        }
      }
      return fields;
    }

    @Override
    public List<String> expectHead() throws IOException {
      return fields(connection.expectHead());
    }

    @Override
    public List<String> expectContent(String content) throws IOException {
      StringBuilder got = new StringBuilder();
      for (int size = size(); size > 0; size = size()) {
        got.append(new String(connection.expectBytes(size), ISO_8859_1));
        connection.expect("\r\n");
      }
      assertEquals(content, got.toString());
      List<String> trailers = new ArrayList<>();
      for (String line = connection.expectLine(); !line.isBlank(); line = connection.expectLine()) {
        trailers.addAll(fields(line));
      }
      return trailers;
    }

    private int size() throws IOException {
      return Integer.parseInt(connection.expectLine().strip(), 16);
    }

    @Override
    public void expectQuiet() {
      assertEquals("", connection.peek());
    }

    @Override
    public void sendInterim(int status, String... fields) throws IOException {
      connection.send("HTTP/1.1 " + status + " Interim\r\n" + section(fields) + "\r\n");
    }

    private static String section(String... fields) {
      StringBuilder section = new StringBuilder();
      for (String field : fields) {
        section.append(field).append("\r\n");
      }
      return section.toString();
    }

    @Override
    public void sendResponse(int status, String content, String... trailers) throws IOException {
      connection.send("HTTP/1.1 " + status + " Final\r\nTransfer-Encoding: chunked\r\n\r\n"
          + Integer.toHexString(content.length())
          + "\r\n" + content + "\r\n0\r\n" + section(trailers) + "\r\n");
    }

    @Override
    public void drain() throws IOException {
      connection.drain();
    }
  }

  private static final class Http2Talk implements Talk {
    /** The longest frame that every peer accepts. */
    private static final int FRAME = 16 * 1024;

    private final Http2Peer peer;
    private int stream;

    Http2Talk(Http2Peer peer) {
      this.peer = peer;
    }

    @Override
    public List<String> expectHead() throws IOException {
      Http2Head head = peer.expectHeaders();
      stream = head.streamId();
      return head.fields();
    }

    @Override
    public List<String> expectContent(String content) throws IOException {
      StringBuilder got = new StringBuilder();
      List<String> trailers = new ArrayList<>();
      for (boolean ended = false; !ended; ) {
        Frame frame = peer.expectFrame();
        if (frame instanceof Frame.Data data) {
          got.append(ISO_8859_1.decode(data.data().duplicate()));
          ended = data.endStream();
        } else if (frame instanceof Frame.Headers headers) {
          trailers.addAll(peer.readHead(headers).fields());
          ended = true;
        }
      }
      assertEquals(content, got.toString());
      return trailers;
    }

    @Override
    public void expectQuiet() throws IOException {
      peer.expectQuiet();
    }

    @Override
    public void sendInterim(int status, String... fields) throws IOException {
      peer.sendHeaders(stream, false, head(status, fields));
    }

    private static String[] head(int status, String... fields) {
      List<String> head = new ArrayList<>(List.of(":status: " + status));
      head.addAll(List.of(fields));
      return head.toArray(String[]::new);
    }

    @Override
    public void sendResponse(int status, String content, String... trailers) throws IOException {
      peer.sendHeaders(stream, false, head(status));
      int at = 0;
      for (; content.length() - at > FRAME; at += FRAME) {
        peer.sendData(stream, false, content.substring(at, at + FRAME));
      }
      peer.sendData(stream, trailers.length == 0, content.substring(at));
      if (trailers.length > 0) {
        peer.sendHeaders(stream, true, trailers);
      }
    }

    @Override
    public void drain() throws IOException {
      peer.connection().drain();
    }
  }
}
