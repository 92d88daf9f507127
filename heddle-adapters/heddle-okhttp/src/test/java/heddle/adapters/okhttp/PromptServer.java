package heddle.adapters.okhttp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import javax.net.ServerSocketFactory;
import mockwebserver3.MockWebServer;

/**
 * Makes servers that send all that they write at once. Otherwise content waits for the client to
 * acknowledge the head, which it does after 40 ms.
 */
final class PromptServer {
  private PromptServer() {}

  static MockWebServer create() {
    MockWebServer server = new MockWebServer();
    server.setServerSocketFactory(new Sockets());
    return server;
  }

  private static final class Sockets extends ServerSocketFactory {
    @Override
    public ServerSocket createServerSocket() throws IOException {
      return new ServerSocket() {
        @Override
        public Socket accept() throws IOException {
          Socket accepted = super.accept();
          accepted.setTcpNoDelay(true);
          return accepted;
        }
      };
    }

    @Override
    public ServerSocket createServerSocket(int port) {
      throw new UnsupportedOperationException();
    }

    @Override
    public ServerSocket createServerSocket(int port, int backlog) {
      throw new UnsupportedOperationException();
    }

    @Override
    public ServerSocket createServerSocket(int port, int backlog, InetAddress address) {
      throw new UnsupportedOperationException();
    }
  }
}
