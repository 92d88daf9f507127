package heddle.server;

import heddle.testkit.SimNetwork;
import heddle.transport.Channel;
import heddle.transport.time.Deadline;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A peer that sends exactly what it is told to, over a socket or a channel, and reads responses.
 */
final class RawPeer implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 20_000;

  private final Closeable finishing;
  private final Closeable closing;
  private final InputStream in;
  private final OutputStream out;

  /** A response as it came over the wire, without its transfer coding. */
  record Answer(int status, String head, String body) {
    boolean hasLine(String line) {
      return ("\r\n" + head.toLowerCase(Locale.ROOT))
          .contains("\r\n" + line.toLowerCase(Locale.ROOT) + "\r\n");
    }

    boolean hasField(String name) {
      return ("\r\n" + head.toLowerCase(Locale.ROOT))
          .contains("\r\n" + name.toLowerCase(Locale.ROOT) + ":");
    }
  }

  private RawPeer(InputStream in, OutputStream out, Closeable finishing, Closeable closing) {
    this.in = in;
    this.out = out;
    this.finishing = finishing;
    this.closing = closing;
  }

  static RawPeer connect(HttpServer server) throws IOException {
    return connect(server.port());
  }

  /** To a server of this machine. */
  static RawPeer connect(int port) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(PATIENCE_MILLIS);
    return new RawPeer(
        new BufferedInputStream(socket.getInputStream()),
        socket.getOutputStream(),
        socket::shutdownOutput,
        socket);
  }

  /** In a simulated world, to be used by one of its threads. */
  static RawPeer connect(HttpServer server, SimNetwork network) throws IOException {
    Channel channel = network.connect(server.address(), Deadline.never());
    SimPeerStreams streams = new SimPeerStreams(channel);
    return new RawPeer(streams, streams.output(), channel::shutdownOutput, streams);
  }

  RawPeer send(String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.ISO_8859_1));
    return this;
  }

  RawPeer get(String path) throws IOException {
    return send("GET " + path + " HTTP/1.1\r\nHost: test\r\n\r\n");
  }

  /** Ends the output; reading goes on. */
  void finish() throws IOException {
    finishing.close();
  }

  Answer answer() throws IOException {
    return answer(true);
  }

  /** The answer to HEAD: its fields speak of a body that does not come. */
  Answer answerToHead() throws IOException {
    return answer(false);
  }

  private Answer answer(boolean mayHaveBody) throws IOException {
    List<String> lines = head();
    int status = Integer.parseInt(lines.getFirst().substring(9, 12));
    String head = String.join("\r\n", lines) + "\r\n";
    Answer withoutBody = new Answer(status, head, "");
    if (!mayHaveBody || status < 200 || status == 204 || status == 304) {
      return withoutBody;
    }
    if (withoutBody.hasLine("transfer-encoding: chunked")) {
      return new Answer(status, head, chunks());
    }
    for (String line : lines) {
      if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
        return new Answer(
            status, head, exactly(Integer.parseInt(line.substring(15).trim())));
      }
    }
    return new Answer(status, head, rest());
  }

  private List<String> head() throws IOException {
    List<String> lines = new ArrayList<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      lines.add(line);
    }
    return lines;
  }

  String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int c = in.read(); c != '\r'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("closed after: " + line.toString(StandardCharsets.ISO_8859_1));
      }
      line.write(c);
    }
    if (in.read() != '\n') {
      throw new IOException("a CR without LF");
    }
    return line.toString(StandardCharsets.ISO_8859_1);
  }

  private String chunks() throws IOException {
    StringBuilder body = new StringBuilder();
    for (int size = Integer.parseInt(line(), 16); size > 0; size = Integer.parseInt(line(), 16)) {
      body.append(exactly(size));
      line();
    }
    for (String trailer = line(); !trailer.isEmpty(); trailer = line()) {
      body.append('[').append(trailer).append(']');
    }
    return body.toString();
  }

  private String exactly(int count) throws IOException {
    byte[] bytes = in.readNBytes(count);
    if (bytes.length < count) {
      throw new EOFException("closed after " + bytes.length + " of " + count + " bytes");
    }
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /** All that comes until the server closes. */
  String rest() throws IOException {
    return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
  }

  /** Whether something is there to be read. */
  boolean hasInput() throws IOException {
    return in.available() > 0;
  }

  void hangUp() throws IOException {
    closing.close();
  }

  @Override
  public void close() throws IOException {
    closing.close();
  }
}
