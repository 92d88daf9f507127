package heddle.testkit;

import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.transport.Channel;
import heddle.transport.Network;
import heddle.transport.SecureChannel;
import heddle.transport.TlsHandshakeException;
import heddle.transport.time.Deadline;
import heddle.transport.tls.JsseTls;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A client and a server that make handshakes, and what becomes of them at the server. */
final class TlsWorld implements AutoCloseable {
  static final TestCertificates AUTHORITY = new TestCertificates("Test Authority");
  static final String HOST = "a.test";

  final Network network;
  final Network.Listening listening;
  JsseTls client;
  JsseTls server;
  List<String> serverProtocols = List.of();
  Duration serverPatience = Duration.ofSeconds(20);

  private final LinkedBlockingQueue<Accepted> accepted = new LinkedBlockingQueue<>();

  /** One of the two. */
  private record Accepted(Channel raw, SecureChannel channel, IOException failure) {}

  TlsWorld(Network network) {
    this(
        network,
        AUTHORITY.trusting().build(),
        TestCertificates.being(AUTHORITY.identity(HOST)).build());
  }

  TlsWorld(Network network, TlsOptions client, TlsOptions server) {
    this.network = network;
    this.client = new JsseTls(client);
    this.server = new JsseTls(server);
    try {
      listening = network.listen(ChannelWorld.ANY_PORT, 16, this::accept);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void accept(Channel channel) {
    channel.loop().execute(() -> {
      if (server == null) {
        accepted.add(new Accepted(channel, null, null));
        return;
      }
      server.accept(
          channel,
          serverProtocols,
          serverPatience.toNanos(),
          secure -> accepted.add(new Accepted(channel, secure, null)),
          failure -> accepted.add(new Accepted(channel, null, failure)));
    });
  }

  Deadline soon() {
    return Deadline.after(Duration.ofSeconds(20), network.clock());
  }

  Channel connectPlain() throws IOException {
    return network.connect(listening.address(), soon());
  }

  SecureChannel connect(String... protocols) throws IOException {
    return client.connect(connectPlain(), HOST, 443, List.of(protocols), soon());
  }

  TlsHandshakeException refusal(String... protocols) {
    return assertThrows(TlsHandshakeException.class, () -> connect(protocols));
  }

  private Accepted next() throws InterruptedException {
    Accepted next = accepted.poll(20, TimeUnit.SECONDS);
    return Objects.requireNonNull(next, "no handshake ended at the server");
  }

  SecureChannel accepted() throws InterruptedException {
    Accepted next = next();
    if (next.channel() == null) {
      throw new AssertionError("the server's handshake failed", next.failure());
    }
    return next.channel();
  }

  IOException serverFailure() throws InterruptedException {
    Accepted next = next();
    return Objects.requireNonNull(next.failure(), "the server's handshake did not fail");
  }

  /** With no TLS at the server: what it accepted. */
  Channel acceptedPlain() throws InterruptedException {
    return next().raw();
  }

  /** Both ends of a connection, started; and what lies below the server's. */
  record Pair(
      SecureChannel client,
      RecordingListener atClient,
      SecureChannel server,
      RecordingListener atServer,
      Channel belowServer) {}

  Pair pair(String... protocols) throws Exception {
    SecureChannel clientEnd = connect(protocols);
    Accepted atEnd = next();
    SecureChannel serverEnd = Objects.requireNonNull(atEnd.channel(), () -> "" + atEnd.failure());
    RecordingListener atClient = new RecordingListener();
    RecordingListener atServer = new RecordingListener();
    clientEnd.start(atClient);
    serverEnd.start(atServer);
    return new Pair(clientEnd, atClient, serverEnd, atServer, atEnd.raw());
  }

  @Override
  public void close() {
    network.close();
  }
}
