package heddle.adapters.apache4;

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

/** A proxy that opens tunnels to this machine, for any host. */
final class TunnelProxy implements AutoCloseable {
  private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final Function<String, String> answers;

  /** The requests that it got, head by head. */
  final List<String> heads = new CopyOnWriteArrayList<>();

  /**
   * @param answers a head's response, empty for the tunnel
   */
  TunnelProxy(Function<String, String> answers) throws IOException {
    this.answers = answers;
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listening.accept();
        Thread.ofVirtual().start(() -> serve(client));
      }
    } catch (IOException e) {
      // The test is over.
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

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
