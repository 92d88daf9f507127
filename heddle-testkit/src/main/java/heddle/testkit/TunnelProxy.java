package heddle.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/**
 * A proxy on loopback that opens tunnels (RFC 9110 section 9.3.6) to this machine, whatever host a
 * request names. Thread-safe.
 */
public final class TunnelProxy implements AutoCloseable {
  private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final Function<String, String> answers;

  private final List<String> heads = new CopyOnWriteArrayList<>();

  /**
   * Starts a proxy.
   *
   * @param answers returns the response to the head of a request, or an empty text to open the
   *     tunnel
   * @throws IOException if it cannot listen
   */
  public TunnelProxy(Function<String, String> answers) throws IOException {
    this.answers = answers;
    Thread.ofVirtual().start(this::accept);
  }

  /** The port that the system has chosen. */
  public int port() {
    return listening.getLocalPort();
  }

  /** The heads of the requests received so far, in order. */
  public List<String> heads() {
    return List.copyOf(heads);
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listening.accept();
        Thread.ofVirtual().start(() -> serve(client));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void serve(Socket client) {
    try (client) {
      String answer = "";
      String head;
      do {
        head = head(client.getInputStream());
        if (head.isEmpty()) {
          return;
        }
        heads.add(head);
        answer = answers.apply(head);
        if (!answer.isEmpty()) {
          client.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
        }
      } while (!answer.isEmpty());
      String authority = head.split(" ", -1)[1];
      int port = Integer.parseInt(authority.substring(authority.lastIndexOf(':') + 1));
      try (Socket origin = new Socket(InetAddress.getLoopbackAddress(), port)) {
        OutputStream toClient = client.getOutputStream();
        toClient.write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
        Thread.ofVirtual().start(() -> copy(origin, client));
        client.getInputStream().transferTo(origin.getOutputStream());
      }
    } catch (IOException e) {
      // One side has closed its connection.
    }
  }

  private static void copy(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
      to.close();
    } catch (IOException e) {
      // One side has closed its connection.
    }
  }

  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    for (int c = in.read(); c >= 0; c = in.read()) {
      head.append((char) c);
      if (head.indexOf("\r\n\r\n") >= 0) {
        return head.toString();
      }
    }
    return "";
  }

  /** Stops listening. Open tunnels end when one of their sides closes. */
  @Override
  public void close() throws IOException {
    listening.close();
  }
}
