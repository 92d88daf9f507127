package heddle.httpserver;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/** A client that sends exactly what a test says, and reads responses as they are framed. */
final class Peer implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 20_000;

  private final Socket socket;
  private final InputStream in;

  /** A response; the fields in lower case, in order of the alphabet. */
  record Answer(int status, List<String> fields, String body) {
    boolean has(String field) {
      return fields.contains(field.toLowerCase(Locale.ROOT));
    }
  }

  Peer(InetSocketAddress server) throws IOException {
    this(new Socket(server.getAddress(), server.getPort()));
  }

  Peer(Socket socket) throws IOException {
    this.socket = socket;
    socket.setSoTimeout(PATIENCE_MILLIS);
    in = new BufferedInputStream(socket.getInputStream());
  }

  Peer send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    return this;
  }

  Peer get(String path) throws IOException {
    return send("GET " + path + " HTTP/1.1\r\nHost: test\r\n\r\n");
  }

  Answer answer() throws IOException {
    return answer(false);
  }

  /**
   * Reads one response.
   *
   * @param head whether it answers HEAD
   * @throws EOFException if the connection ends before it does
   */
  Answer answer(boolean head) throws IOException {
    String line = line();
    int status = Integer.parseInt(line.substring(9, 12));
    var fields = new ArrayList<String>();
    for (String field = line(); !field.isEmpty(); field = line()) {
      fields.add(field.toLowerCase(Locale.ROOT));
    }
    var out = new ByteArrayOutputStream();
    if (!head && status >= 200 && status != 204 && status != 304) {
      content(fields, out);
    }
    return new Answer(
        status, List.copyOf(new TreeSet<>(fields)), out.toString(StandardCharsets.ISO_8859_1));
  }

  private void content(List<String> fields, ByteArrayOutputStream out) throws IOException {
    if (fields.contains("transfer-encoding: chunked")) {
      for (int size = size(); size > 0; size = size()) {
        out.write(bytes(size));
        line();
      }
      line();
      return;
    }
    for (String field : fields) {
      if (field.startsWith("content-length: ")) {
        out.write(bytes(Integer.parseInt(field.substring(16))));
        return;
      }
    }
    in.transferTo(out);
  }

  private int size() throws IOException {
    return Integer.parseInt(line(), 16);
  }

  private byte[] bytes(int count) throws IOException {
    byte[] bytes = in.readNBytes(count);
    if (bytes.length < count) {
      throw new EOFException();
    }
    return bytes;
  }

  String line() throws IOException {
    var line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException();
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  /** Whether the server ends the connection without another byte; waits for it. */
  boolean isEnded() {
    try {
      return in.read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true; // a reset
    }
  }

  /** Ends the output, and goes on reading. */
  void finish() throws IOException {
    socket.shutdownOutput();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
