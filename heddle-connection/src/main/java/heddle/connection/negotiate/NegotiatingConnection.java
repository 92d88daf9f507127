package heddle.connection.negotiate;

import heddle.codec.Event;
import heddle.connection.ConnectionIds;
import heddle.connection.ServerConnection;
import heddle.connection.ServerDriver;
import heddle.connection.ServerExchange;
import heddle.connection.http1.Http1Resources;
import heddle.connection.http1.Http1ServerConnection;
import heddle.connection.http2.Http2ServerConnection;
import heddle.connection.http2.UpgradeOffer;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.Status;
import heddle.transport.Channel;
import heddle.transport.ChannelListener;
import heddle.transport.PeerLog;
import heddle.transport.SecureChannel;
import heddle.transport.Timer;
import heddle.transport.TlsProvider;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A server's connection whose protocol is not known yet. As soon as the client's first bytes show
 * the protocol, it forwards everything to the protocol's driver. It stays in between, so that the
 * server sees one connection from accept to close.
 *
 * <p>Unless noted otherwise, fields are used by the loop only.
 */
final class NegotiatingConnection
    implements ServerConnection, ChannelListener, Http1ServerConnection.Owner {
  private static final PeerLog PEERS = PeerLog.of(NegotiatingConnection.class);

  /**
   * Tells HTTP/2 from HTTP/1.x: the preface of a client begins like a request with a method that no
   * request uses (RFC 9113 §3.4). The session checks the rest of it and reports errors in it.
   */
  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private record Refusal(Status status, int retryAfterSeconds) {}

  /** What is needed only while the protocol is not known. */
  private static final class Beginning {
    final @Nullable TlsProvider tls;

    @Nullable
    Timer timer;

    /** How many bytes of the preface have arrived; the protocol must also get them. */
    int matched;

    /** Set before the channel is started. */
    @Nullable
    Refusal refusal;

    Beginning(@Nullable TlsProvider tls) {
      this.tls = tls;
    }
  }

  private final ServerNegotiator server;
  private final long id = ConnectionIds.next();

  /** Null from when the protocol is known. */
  private @Nullable Beginning beginning;

  private @Nullable ServerDriver driver;
  private boolean over;

  /** The accepted channel; under TLS, after the handshake, the secure channel over it. */
  private volatile Channel channel;

  NegotiatingConnection(ServerNegotiator server, Channel channel, @Nullable TlsProvider tls) {
    this.server = server;
    this.channel = channel;
    this.beginning = new Beginning(tls);
  }

  @Override
  public long id() {
    return id;
  }

  @Override
  public Channel channel() {
    return channel;
  }

  @Override
  public Http1Resources resources() {
    return server.resources;
  }

  @Override
  public void start() {
    begin(beginning(), server.limits().headTimeout());
  }

  @Override
  public void startRefusing(Status status, int retryAfterSeconds) {
    Beginning now = beginning();
    now.refusal = new Refusal(status, retryAfterSeconds);
    begin(now, server.limits().lingerTimeout());
  }

  private Beginning beginning() {
    if (beginning == null) {
      throw new IllegalStateException("the protocol is known already");
    }
    return beginning;
  }

  private void begin(Beginning now, Duration patience) {
    TlsProvider provider = now.tls;
    if (provider != null) {
      long nanos = Deadline.boundedNanos(patience);
      // In a task, because the loop that accepted the channel may not be the channel's loop.
      channel.loop().execute(() -> accept(provider, nanos));
    } else {
      Timer waiting = channel.loop().newTimer(this::onTimer);
      now.timer = waiting;
      waiting.arm(Deadline.after(patience, channel.loop().clock()).nanos());
      channel.start(this);
    }
  }

  private void accept(TlsProvider provider, long nanos) {
    try {
      List<String> offers =
          ProtocolNegotiator.offers(server.versions.http2() ? null : HttpVersion.HTTP_1_1);
      provider.accept(channel, offers, nanos, this::onSecure, this::onInsecure);
    } catch (RuntimeException | Error e) {
      try {
        channel.close();
      } finally {
        ended(null); // The channel does not know this listener yet and so does not notify it.
      }
      throw e;
    }
  }

  private void onSecure(SecureChannel secure) {
    channel = secure;
    String weakness = ProtocolNegotiator.weakness(secure);
    if (weakness != null) {
      PEERS.log(() -> secure + " is given up: " + weakness, null);
      Http2ServerConnection refusing = http2(null);
      driver = refusing;
      beginning = null;
      refusing.startInadequate(weakness);
    } else {
      // A client that offers no protocols by ALPN speaks HTTP/1.1, RFC 9113 §3.2.
      boolean http2 = ProtocolNegotiator.H2.equals(secure.applicationProtocol());
      handOver(http2 ? http2(null) : http1());
    }
    secure.start(this);
  }

  private void onInsecure(@Nullable IOException cause) {
    ended(cause);
    PEERS.log(() -> "a TLS handshake failed", cause);
  }

  @Override
  public void drain() {
    channel.loop().execute(() -> {
      if (driver != null) {
        driver.drain();
      } else {
        channel.close();
      }
    });
  }

  @Override
  public long idleUntil() {
    ServerDriver known = driver;
    return known == null ? Deadline.NEVER_NANOS : known.idleUntil();
  }

  @Override
  public void closeIfUnused() {
    channel.loop().execute(() -> {
      if (driver != null) {
        driver.closeIfUnused();
      }
    });
  }

  @Override
  public void abort() {
    channel.close();
    channel.loop().execute(() -> {
      if (driver != null) {
        driver.abort();
      }
    });
  }

  @Override
  public long contentAhead() {
    return driver == null ? 0 : driver.contentAhead();
  }

  @Override
  public int readLimit() {
    return driver == null ? server.budget().readLimit() : driver.readLimit();
  }

  @Override
  public void onBytes(ByteBuffer bytes) {
    while (driver == null && bytes.hasRemaining()) {
      Beginning now = beginning();
      if (!server.versions.http2() || bytes.get(bytes.position()) != PREFACE[now.matched]) {
        handOver(http1());
      } else {
        bytes.get();
        now.matched++;
        if (now.matched == PREFACE.length) {
          handOver(http2(null));
        }
      }
    }
    if (driver != null) {
      driver.onBytes(bytes);
    }
  }

  private ServerDriver http1() {
    return new Http1ServerConnection(this);
  }

  private Http2ServerConnection http2(@Nullable UpgradeOffer offer) {
    return new Http2ServerConnection(
        channel, server.limits(), server.budget(), server.resources.origins(), this, offer);
  }

  @Override
  public @Nullable Runnable successor(Event.RequestHead head) {
    boolean upgrades = server.versions.upgrades() && !(channel instanceof SecureChannel);
    UpgradeOffer offer = upgrades ? UpgradeOffer.of(head) : null;
    if (offer == null) {
      return null;
    }
    return () -> {
      driver = http2(offer);
      driver.start();
    };
  }

  /** Hands over to the protocol's driver, which first gets the bytes read to recognise it. */
  private void handOver(ServerDriver known) {
    Beginning begun = beginning();
    stopTimer();
    driver = known;
    beginning = null;
    Refusal refusal = begun.refusal;
    if (refusal != null) {
      known.startRefusing(refusal.status(), refusal.retryAfterSeconds());
    } else {
      known.start();
    }
    if (begun.matched > 0) {
      known.onBytes(ByteBuffer.wrap(PREFACE.clone(), 0, begun.matched));
    }
  }

  private void stopTimer() {
    if (beginning != null && beginning.timer != null) {
      beginning.timer.cancel();
      beginning.timer = null;
    }
  }

  @Override
  public void onEnd() {
    if (driver != null) {
      driver.onEnd();
    } else {
      channel.close();
    }
  }

  @Override
  public void onClosed(@Nullable IOException cause) {
    ended(cause);
  }

  private void ended(@Nullable IOException cause) {
    if (over) {
      return; // It had ended before its channel closed.
    }
    over = true;
    try {
      stopTimer();
    } finally {
      if (driver != null) {
        driver.onClosed(cause);
      } else {
        server.listener.onClosed(this);
      }
    }
  }

  /** The client has not sent enough in time to recognise its protocol. */
  private void onTimer() {
    if (driver != null || beginning == null) {
      return;
    }
    if (beginning.refusal == null) {
      channel.close();
      return;
    }
    try {
      handOver(http1());
    } catch (RuntimeException | Error e) {
      channel.close(); // This timer does not fire again.
      throw e;
    }
  }

  // From the protocol's driver.

  @Override
  public boolean switchesProtocols() {
    return server.listener.switchesProtocols();
  }

  @Override
  public void onFault() {
    server.listener.onFault();
  }

  @Override
  public void onRefused(Channel from, String requestLine, Headers fields, @Nullable Status status) {
    server.listener.onRefused(from, requestLine, fields, status);
  }

  @Override
  public void onRequest(ServerExchange exchange) {
    server.listener.onRequest(exchange);
  }

  @Override
  public void onClosed(ServerConnection connection) {
    server.listener.onClosed(this);
  }
}
