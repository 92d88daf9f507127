package heddle.client.dial;

import heddle.client.spi.Proxy;
import heddle.codec.socks.Socks5Session;
import heddle.codec.socks.SocksException;
import heddle.http.Origin;
import heddle.http.syntax.Host;
import heddle.transport.time.Deadline;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Asks a SOCKS 5 proxy for a connection (RFC 1928), on the calling thread. */
final class SocksDialogue {
  private SocksDialogue() {}

  /**
   * Performs the SOCKS handshake; when this returns, the channel leads to the origin.
   *
   * @throws SocksException if the proxy refuses, or does not speak SOCKS 5
   * @throws EOFException if the proxy closes the connection instead of answering
   */
  static void ask(ProxyChannel channel, Proxy proxy, Origin origin, Deadline deadline)
      throws IOException, SocksException {
    Socks5Session session = session(proxy, origin);
    channel.write(session.greeting(), deadline);
    ByteBuffer in = ByteBuffer.allocate(0);
    while (!session.isOpen()) {
      ByteBuffer answer = session.next(in);
      if (answer != null) {
        channel.write(answer, deadline);
      } else if (!session.isOpen()) {
        ByteBuffer piece = channel.read(deadline, "waiting for the SOCKS proxy's answer");
        if (piece == null) {
          throw new EOFException("it closed the connection in the middle of its SOCKS answers");
        }
        in = piece;
      }
    }
  }

  /** A host name is sent to the proxy, which looks it up; an address is sent as an address. */
  private static Socks5Session session(Proxy proxy, Origin origin) throws IOException {
    Proxy.Credentials known = proxy.credentials();
    Socks5Session.@Nullable Credentials credentials =
        known == null ? null : new Socks5Session.Credentials(known.user(), known.password());
    String host = origin.host();
    try {
      InetAddress address = Host.address(host);
      return address == null
          ? Socks5Session.toName(host, origin.port(), credentials)
          : Socks5Session.toAddress(address.getAddress(), origin.port(), credentials);
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }
}
