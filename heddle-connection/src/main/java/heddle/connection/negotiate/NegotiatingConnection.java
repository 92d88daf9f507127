package heddle.connection.negotiate;

import heddle.connection.MemoryBudget;
import heddle.connection.RequestListener;
import heddle.connection.ServerConnection;
import heddle.connection.ServerDriver;
import heddle.connection.ServerExchange;
import heddle.connection.ServerLimits;
import heddle.connection.SilenceTimer;
import heddle.connection.http2.Http2ServerConnection;
import heddle.http.Status;
import heddle.transport.Channel;
import heddle.transport.ChannelListener;
import heddle.transport.PeerLog;
import heddle.transport.SecureChannel;
import heddle.transport.TlsProvider;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A server's connection whose protocol is not known yet. As soon as the client's first bytes show
 * the protocol, it forwards everything to the protocol's driver. It stays in between, so that the
 * server sees one connection from accept to close.
 *
 * <p>Unless noted otherwise, fields are used by the loop only.
 */
final class NegotiatingConnection implements ServerConnection, ChannelListener, RequestListener {
  private static final PeerLog PEERS = PeerLog.of(NegotiatingConnection.class);

  private record Refusal(Status status, int retryAfterSeconds) {}

  private final ProtocolNegotiator negotiator;
  private final @Nullable TlsProvider tls;
  private final ServerLimits limits;
  private final MemoryBudget budget;
  private final RequestListener listener;
  private final SilenceTimer timer;

  private final PrefaceMatcher preface = new PrefaceMatcher();

  /** Set before the channel is started. */
  private @Nullable Refusal refusal;

  private @Nullable ServerDriver driver;

  private boolean over;

  /** The accepted channel; under TLS, after the handshake, the secure channel over it. */
  private volatile Channel channel;

  NegotiatingConnection(
      ProtocolNegotiator negotiator,
      Channel channel,
      @Nullable TlsProvider tls,
      ServerLimits limits,
      MemoryBudget budget,
      RequestListener listener) {
    this.negotiator = negotiator;
    this.channel = channel;
    this.tls = tls;
    this.limits = limits;
    this.budget = budget;
    this.listener = listener;
    this.timer = new SilenceTimer(channel.loop(), this::onTimer);
  }

  @Override
  public void start() {
    begin(limits.headTimeout());
  }

  @Override
  public void startRefusing(Status status, int retryAfterSeconds) {
    refusal = new Refusal(status, retryAfterSeconds);
    begin(limits.lingerTimeout());
  }

  private void begin(Duration patience) {
    TlsProvider provider = tls;
    if (provider != null) {
      long nanos = Deadline.boundedNanos(patience);
      // In a task, because the loop that accepted the channel may not be the channel's loop.
      channel.loop().execute(() -> accept(provider, nanos));
    } else {
      timer.arm(patience);
      channel.start(this);
    }
  }

  private void accept(TlsProvider provider, long nanos) {
    boolean accepted = false;
    try {
      provider.accept(
          channel, ProtocolNegotiator.accepted(), nanos, this::onSecure, this::onInsecure);
      accepted = true;
    } finally {
      if (!accepted) {
        giveUp();
      }
    }
  }

  /** Ends here, because the channel does not know this listener yet and so does not notify it. */
  private void giveUp() {
    try {
      channel.close();
    } finally {
      ended(null);
    }
  }

  private void onSecure(SecureChannel secure) {
    channel = secure;
    // A client that offers no protocols by ALPN speaks HTTP/1.1, RFC 9113 §3.2.
    boolean http2 = ProtocolNegotiator.H2.equals(secure.applicationProtocol());
    String weakness = ProtocolNegotiator.weakness(secure);
    if (weakness != null) {
      PEERS.log(() -> secure + " is given up: " + weakness, null);
      Http2ServerConnection refusing = negotiator.http2(secure, limits, budget, this);
      driver = refusing;
      timer.cancel();
      refusing.startInadequate(weakness);
    } else {
      handOver(
          http2
              ? negotiator.http2(secure, limits, budget, this)
              : negotiator.http1(secure, limits, budget, this));
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
      ServerDriver known = driver;
      if (known != null) {
        known.drain();
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
      ServerDriver known = driver;
      if (known != null) {
        known.closeIfUnused();
      }
    });
  }

  @Override
  public void abort() {
    channel.close();
    channel.loop().execute(() -> {
      ServerDriver known = driver;
      if (known != null) {
        known.abort();
      }
    });
  }

  @Override
  public long contentAhead() {
    ServerDriver known = driver;
    return known == null ? 0 : known.contentAhead();
  }

  @Override
  public int readLimit() {
    ServerDriver known = driver;
    return known == null ? budget.readLimit() : known.readLimit();
  }

  @Override
  public void onBytes(ByteBuffer bytes) {
    ServerDriver known = driver;
    if (known != null) {
      known.onBytes(bytes);
      return;
    }
    switch (preface.match(bytes)) {
      case UNDECIDED -> {}
      case HTTP_2 -> handOver(negotiator.http2(channel, limits, budget, this)).onBytes(bytes);
      case HTTP_1 -> handOver(negotiator.http1(channel, limits, budget, this)).onBytes(bytes);
    }
  }

  /** Hands over to the protocol's driver, which first gets the bytes read to recognise it. */
  private ServerDriver handOver(ServerDriver known) {
    driver = known;
    timer.cancel();
    Refusal refused = refusal;
    if (refused != null) {
      known.startRefusing(refused.status(), refused.retryAfterSeconds());
    } else {
      known.start();
    }
    ByteBuffer matched = preface.matched();
    if (matched.hasRemaining()) {
      known.onBytes(matched);
    }
    return known;
  }

  @Override
  public void onEnd() {
    ServerDriver known = driver;
    if (known != null) {
      known.onEnd();
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
      timer.cancel();
    } finally {
      ServerDriver known = driver;
      if (known != null) {
        known.onClosed(cause);
      } else {
        listener.onClosed(this);
      }
    }
  }

  /** The client has not sent enough in time to recognise its protocol. */
  private void onTimer() {
    if (driver != null) {
      return;
    }
    if (refusal != null) {
      try {
        handOver(negotiator.http1(channel, limits, budget, this));
      } catch (RuntimeException | Error e) {
        channel.close(); // This timer does not fire again.
        throw e;
      }
    } else {
      channel.close();
    }
  }

  // From the protocol's driver.

  @Override
  public void onFault() {
    listener.onFault();
  }

  @Override
  public void onRequest(ServerExchange exchange) {
    listener.onRequest(exchange);
  }

  @Override
  public void onClosed(ServerConnection connection) {
    listener.onClosed(this);
  }
}
