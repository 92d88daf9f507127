package heddle.adapters.okhttp;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import org.jspecify.annotations.Nullable;

/**
 * The result of {@link okhttp3.Connection#socket}, which only has the peer's address. Callers
 * cannot read, write or close Heddle's channel.
 */
final class DistantSocket extends Socket {
  private final InetSocketAddress address;

  DistantSocket(InetSocketAddress address) {
    this.address = address;
  }

  @Override
  public boolean isConnected() {
    return !address.isUnresolved();
  }

  @Override
  public @Nullable InetAddress getInetAddress() {
    return address.getAddress();
  }

  @Override
  public int getPort() {
    return address.getPort();
  }

  @Override
  public SocketAddress getRemoteSocketAddress() {
    return address;
  }

  @Override
  public InputStream getInputStream() throws IOException {
    throw notOurs();
  }

  @Override
  public OutputStream getOutputStream() throws IOException {
    throw notOurs();
  }

  private static SocketException notOurs() {
    return new SocketException(
        "the connection is Heddle's; callers cannot read, write or close it");
  }

  @Override
  public String toString() {
    return "Socket[address=" + address + ", over Heddle]";
  }
}
