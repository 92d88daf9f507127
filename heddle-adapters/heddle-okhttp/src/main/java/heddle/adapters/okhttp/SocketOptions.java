package heddle.adapters.okhttp;

import heddle.client.HttpClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.util.Objects;
import java.util.Set;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * How a factory sets up its sockets. Heddle opens its own channels and sets them up in the same
 * way, so the factory makes one socket when the client is built, and none afterwards.
 *
 * @param send size of the send buffer in bytes; 0 for the system's choice
 * @param receive the same for the other direction
 * @param keepAlive whether the system probes idle connections
 * @param local the address that sockets are bound to; null for none
 */
record SocketOptions(int send, int receive, boolean keepAlive, @Nullable InetAddress local) {
  private static final String OPTION = "socketFactory";

  /** Options that are honoured. Heddle always sets TCP_NODELAY. */
  private static final Set<SocketOption<?>> KNOWN = Set.of(
      StandardSocketOptions.SO_SNDBUF,
      StandardSocketOptions.SO_RCVBUF,
      StandardSocketOptions.SO_KEEPALIVE,
      StandardSocketOptions.TCP_NODELAY);

  /**
   * Reads the options of a factory.
   *
   * @throws IllegalArgumentException if its sockets are not the JDK's, or have another option set
   */
  static SocketOptions of(SocketFactory factory) {
    if (factory == SocketFactory.getDefault()) {
      return new SocketOptions(0, 0, false, null);
    }
    try (Socket made = factory.createSocket();
        Socket usual = new Socket()) {
      Settings.require(
          made.getClass() == Socket.class && !made.isConnected() && !made.isClosed(),
          OPTION,
          factory,
          "Heddle opens its own channels, so it must make unconnected sockets of java.net.Socket;"
              + " omit it");
      for (SocketOption<?> each : usual.supportedOptions()) {
        Settings.require(
            KNOWN.contains(each) || Objects.equals(made.getOption(each), usual.getOption(each)),
            OPTION,
            factory,
            "Heddle sets no " + each.name() + ", which its sockets have; omit that");
      }
      return new SocketOptions(
          changed(made, usual, StandardSocketOptions.SO_SNDBUF),
          changed(made, usual, StandardSocketOptions.SO_RCVBUF),
          made.getKeepAlive(),
          made.isBound() ? made.getLocalAddress() : null);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "OkHttpClient.socketFactory is " + factory
              + ", which cannot be honoured: it makes no unconnected sockets; omit it",
          e);
    }
  }

  private static int changed(Socket made, Socket usual, SocketOption<Integer> option)
      throws IOException {
    int size = made.getOption(option);
    return size == usual.getOption(option) ? 0 : size;
  }

  /** Has the channels of a client set up in this way. */
  void set(HttpClient.Builder builder) {
    if (send != 0 || receive != 0) {
      builder.socketBuffers(send, receive);
    }
    if (keepAlive) {
      builder.tcpKeepAlive();
    }
    if (local != null) {
      builder.localAddress(local);
    }
  }
}
