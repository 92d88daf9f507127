package heddle.adapters.otlp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A proxy whose tunnels all lead to one port of this host. */
final class TestTunnel implements AutoCloseable {
  private final ServerSocket listening = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
  private final int port;

  TestTunnel(int port) throws IOException {
    this.port = port;
    Thread.ofVirtual().start(this::accept);
  }

  InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), listening.getLocalPort());
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listening.accept();
        Thread.ofVirtual().start(() -> serve(client));
      }
    } catch (IOException e) {
      // The test is over.
      return;
    }
  }

  private void serve(Socket client) {
    try (client;
        Socket server = new Socket(InetAddress.getLoopbackAddress(), port)) {
      readHead(client.getInputStream());
      client.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n".getBytes(ISO_8859_1));
      Thread.ofVirtual().start(() -> copy(server, client));
      client.getInputStream().transferTo(server.getOutputStream());
    } catch (IOException e) {
      // One of the two has gone.
      return;
    }
  }

  private static void readHead(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException("the head is not whole");
      }
      head.append((char) next);
    }
  }

  private static void copy(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      // One of the two has gone.
      return;
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
