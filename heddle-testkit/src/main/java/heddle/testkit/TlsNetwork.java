package heddle.testkit;

import heddle.transport.Channel;
import heddle.transport.EventLoop;
import heddle.transport.Network;
import heddle.transport.PeerLog;
import heddle.transport.time.Clock;
import heddle.transport.time.Deadline;
import heddle.transport.tls.JsseTls;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Adds TLS to another network: connecting and accepting include the handshake. For scripted peers
 * that speak TLS, on either side. Safe for use by many threads.
 *
 * <pre>{@code
 * Network secure = TlsNetwork.over(network, options, "h2");
 * try (ScriptedPeer peer = ScriptedPeer.inOrder(secure, Http2Peer.server(h2 -> ...))) {
 *   client.send(Request.get("https://localhost:" + peer.port() + "/"));
 * }
 * }</pre>
 */
public final class TlsNetwork implements Network {
  private static final PeerLog PEERS = PeerLog.of(TlsNetwork.class);

  /** Long, so that it never ends a test: a test has its own limit. */
  private static final Duration HANDSHAKE = Duration.ofSeconds(20);

  private final Network network;
  private final JsseTls client;
  private final JsseTls server;
  private final List<String> protocols;

  private TlsNetwork(
      Network network, TlsOptions client, TlsOptions server, List<String> protocols) {
    this.network = network;
    this.client = new JsseTls(client);
    this.server = new JsseTls(server);
    this.protocols = protocols;
  }

  /**
   * For peers of which each is on one side only, or that are the same on both.
   *
   * @param protocols to offer or to choose from (RFC 7301), the preferred one first; none by
   *     default
   */
  public static TlsNetwork over(Network network, TlsOptions options, String... protocols) {
    return new TlsNetwork(network, options, options, List.of(protocols));
  }

  /** As {@link #over(Network, TlsOptions, String...)}, with other options on either side. */
  public static TlsNetwork over(
      Network network, TlsOptions client, TlsOptions server, String... protocols) {
    return new TlsNetwork(network, client, server, List.of(protocols));
  }

  /** Connects, and expects a certificate for {@code localhost}. */
  @Override
  public Channel connect(SocketAddress address, Deadline deadline) throws IOException {
    Channel channel = network.connect(address, deadline);
    return client.connect(channel, "localhost", 443, protocols, deadline);
  }

  @Override
  public Listening listen(SocketAddress address, int backlog, Consumer<Channel> onAccept)
      throws IOException {
    return network.listen(address, backlog, channel -> channel
        .loop()
        .execute(() -> server.accept(
            channel,
            protocols,
            HANDSHAKE.toNanos(),
            onAccept::accept,
            failure -> PEERS.log(() -> "a TLS handshake failed", failure))));
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
