package heddle.adapters.okhttp;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A SOCKS 5 proxy (RFC 1928) that connects to the loopback address for any host. It may require a
 * user and a password (RFC 1929).
 */
final class SocksServer implements AutoCloseable {
  /** The hosts and ports of its requests. */
  final List<String> asked = new CopyOnWriteArrayList<>();

  /** The credentials that it got, if it requires them. */
  final List<String> shown = new CopyOnWriteArrayList<>();

  private final ServerSocket listening;
  private final @Nullable String wanted;

  SocksServer() throws IOException {
    this(null);
  }

  /**
   * @param wanted user and password with a colon between; null for none
   */
  SocksServer(@Nullable String wanted) throws IOException {
    this.wanted = wanted;
    listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  Proxy proxy() {
    return new Proxy(
        Proxy.Type.SOCKS,
        new InetSocketAddress(InetAddress.getLoopbackAddress(), listening.getLocalPort()));
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        Thread.ofVirtual().start(() -> serve(client));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void serve(Socket client) {
    try (client) {
      DataInputStream in = new DataInputStream(client.getInputStream());
      OutputStream out = client.getOutputStream();
      in.readByte(); // the version
      in.skipNBytes(in.readUnsignedByte()); // what it may be authenticated by
      if (!knows(in, out)) {
        return;
      }
      in.skipNBytes(3); // version, CONNECT, reserved
      if (in.readByte() != 3) {
        throw new IOException("it was not asked for a name");
      }
      String host = text(in);
      int port = in.readUnsignedShort();
      asked.add(host + ":" + port);
      try (Socket server = new Socket(InetAddress.getLoopbackAddress(), port)) {
        out.write(new byte[] {5, 0, 0, 1, 0, 0, 0, 0, 0, 0});
        Thread.ofVirtual().start(() -> {
          try {
            server.getInputStream().transferTo(out);
          } catch (IOException e) {
            // The other direction ends then too.
          }
        });
        in.transferTo(server.getOutputStream());
      }
    } catch (IOException e) {
      // The client sees its connection end.
    }
  }

  private boolean knows(DataInputStream in, OutputStream out) throws IOException {
    if (wanted == null) {
      out.write(new byte[] {5, 0});
      return true;
    }
    out.write(new byte[] {5, 2});
    in.readByte(); // the version of this
    String user = text(in);
    String who = user + ":" + text(in);
    shown.add(who);
    boolean known = who.equals(wanted);
    out.write(new byte[] {1, (byte) (known ? 0 : 1)});
    return known;
  }

  private static String text(DataInputStream in) throws IOException {
    return new String(in.readNBytes(in.readUnsignedByte()), StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
