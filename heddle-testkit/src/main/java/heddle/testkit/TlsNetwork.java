package heddle.testkit;

import heddle.transport.Channel;
import heddle.transport.Clock;
import heddle.transport.Deadline;
import heddle.transport.EventLoop;
import heddle.transport.Network;
import heddle.transport.TlsHandshakeException;
import heddle.transport.tls.JsseTls;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** A network whose channels are protected, for contracts that hold with TLS as without. */
final class TlsNetwork implements Network {
  private static final TestCertificates AUTHORITY = new TestCertificates("network");
  private static final TestCertificates.Identity SERVER = AUTHORITY.identity("localhost");

  private final Network network;
  private final JsseTls client;
  private final JsseTls server;

  private TlsNetwork(Network network, TlsOptions client, TlsOptions server) {
    this.network = network;
    this.client = new JsseTls(client);
    this.server = new JsseTls(server);
  }

  static TlsNetwork over(Network network, String version) {
    return new TlsNetwork(
        network,
        AUTHORITY.trusting().protocols(version).build(),
        TestCertificates.being(SERVER).protocols(version).build());
  }

  @Override
  public Channel connect(SocketAddress address, Deadline deadline) throws IOException {
    Channel channel = network.connect(address, deadline);
    return client.connect(channel, "localhost", 443, List.of(), deadline);
  }

  @Override
  public Listening listen(SocketAddress address, int backlog, Consumer<Channel> onAccept)
      throws IOException {
    return network.listen(address, backlog, channel -> channel
        .loop()
        .execute(() -> server.accept(
            channel,
            List.of(),
            Duration.ofSeconds(20).toNanos(),
            onAccept::accept,
            TlsNetwork::mustBeTheClientsClose)));
  }

  /** A client may close before the server has made its half of the handshake. */
  private static void mustBeTheClientsClose(IOException failure) {
    if (!(failure instanceof TlsHandshakeException handshake)
        || handshake.reason() != TlsHandshakeException.Reason.TRUNCATED) {
      throw new AssertionError("the handshake failed", failure);
    }
  }

  @Override
  public EventLoop loop() {
    return network.loop();
  }

  @Override
  public Clock clock() {
    return network.clock();
  }

  @Override
  public void close() {
    network.close();
  }
}
