package heddle.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * A TCP proxy on loopback in front of a real server, which passes bytes on as they are and injects
 * faults into connections, for tests of clients and servers over real sockets. {@link SimNetwork}
 * does the same without sockets and with virtual time. Thread-safe.
 *
 * <pre>{@code
 * try (FaultProxy proxy = FaultProxy.before(server.address())) {
 *   proxy.onConnection(c -> c.cutAfterBytes(Direction.TO_CLIENT, 100, Cut.RESET));
 *   client.get("http://localhost:" + proxy.port() + "/");
 * }
 * }</pre>
 */
public final class FaultProxy implements AutoCloseable {
  private static final int BACKLOG = 256;

  private final SocketAddress server;
  private final ServerSocket listening;
  private final List<FaultyConnection> connections = new CopyOnWriteArrayList<>();
  private volatile Consumer<FaultyConnection> onConnection = connection -> {};

  private FaultProxy(SocketAddress server) throws IOException {
    this.server = Objects.requireNonNull(server, "server");
    this.listening = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().name("fault-proxy").start(this::accept);
  }

  /**
   * Starts a proxy on a port that the system chooses.
   *
   * @param server where it connects to, once for each connection that it accepts
   * @throws IOException if it cannot listen
   */
  public static FaultProxy before(SocketAddress server) throws IOException {
    return new FaultProxy(server);
  }

  /** Where the proxy listens. */
  public InetSocketAddress address() {
    return (InetSocketAddress) listening.getLocalSocketAddress();
  }

  /** The port on which it listens. */
  public int port() {
    return listening.getLocalPort();
  }

  /** Sets what is called for each new connection, before any byte of it is passed on. */
  public void onConnection(Consumer<FaultyConnection> action) {
    onConnection = Objects.requireNonNull(action, "action");
  }

  /** All connections so far, in the order in which they were accepted. */
  public List<FaultyConnection> connections() {
    return List.copyOf(connections);
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        Thread.ofVirtual().name("fault-proxy").start(() -> connect(client));
      } catch (IOException e) {
        // Closed, or a client that has gone before it was accepted.
      }
    }
  }

  /** Closes the client's connection if the server cannot be reached, or the action fails. */
  private void connect(Socket client) {
    Socket upstream = new Socket();
    boolean started = false;
    try {
      upstream.connect(server);
      FaultyConnection connection = new FaultyConnection(client, upstream);
      connections.add(connection);
      if (!listening.isClosed()) {
        onConnection.accept(connection);
        connection.start();
        started = true;
      }
    } catch (IOException e) {
      // The server cannot be reached.
    } finally {
      if (!started) {
        FaultyConnection.close(client);
        FaultyConnection.close(upstream);
      }
    }
  }

  /** Stops listening, and closes all connections. */
  @Override
  public void close() throws IOException {
    listening.close();
    connections.forEach(FaultyConnection::close);
  }
}
