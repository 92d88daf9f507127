package heddle.adapters.urlconnection;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;

/** The socket factory of a context, which can be asked for the context. */
final class ContextSocketFactory extends SSLSocketFactory {
  private final SSLContext context;
  private final SSLSocketFactory sockets;

  ContextSocketFactory(SSLContext context) {
    this.context = context;
    this.sockets = context.getSocketFactory();
  }

  SSLContext context() {
    return context;
  }

  @Override
  public String[] getDefaultCipherSuites() {
    return sockets.getDefaultCipherSuites();
  }

  @Override
  public String[] getSupportedCipherSuites() {
    return sockets.getSupportedCipherSuites();
  }

  @Override
  public Socket createSocket() throws IOException {
    return sockets.createSocket();
  }

  @Override
  public Socket createSocket(Socket under, InputStream consumed, boolean closes)
      throws IOException {
    return sockets.createSocket(under, consumed, closes);
  }

  @Override
  public Socket createSocket(Socket under, String host, int port, boolean closes)
      throws IOException {
    return sockets.createSocket(under, host, port, closes);
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return sockets.createSocket(host, port);
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort)
      throws IOException {
    return sockets.createSocket(host, port, local, localPort);
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return sockets.createSocket(host, port);
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
      throws IOException {
    return sockets.createSocket(host, port, local, localPort);
  }
}
