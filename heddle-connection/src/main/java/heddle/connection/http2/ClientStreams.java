package heddle.connection.http2;

import heddle.codec.Role;
import heddle.codec.http2.Http2Limits;
import heddle.codec.http2.Http2Session;
import heddle.codec.http2.frame.ErrorCode;
import heddle.connection.MinimumRate;
import heddle.http.Sent;
import heddle.transport.Channel;
import heddle.transport.SecureChannel;
import heddle.transport.TlsHandshakeException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What the parts of a client's connection share: the session, the lock that orders what is sent,
 * and the exchanges under way.
 */
final class ClientStreams {
  /** How long the peer may accept no byte. */
  private static final Duration WRITE_SILENCE = Duration.ofSeconds(30);

  /** Above this many unread bytes of a connection, content is credited only when it is read. */
  private static final int FREE_BYTES = 8 * 1024 * 1024;

  final Channel channel;
  final Http2Session session;
  final Flush flush;
  final ConnectionCredit credit = new ConnectionCredit(FREE_BYTES);

  /**
   * Orders what is sent: guards the session's sending half, and the list of exchanges under way.
   * Held briefly, never while writing.
   */
  final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock. */
  final ExchangeList exchanges = new ExchangeList();

  /**
   * Set when a PING was not answered, or our SETTINGS not acknowledged: then it is unknown how much
   * of the output has arrived.
   */
  volatile boolean peerIsSilent;

  /** Set if the peer refused our part of the TLS handshake after our side had completed it. */
  private volatile @Nullable TlsHandshakeException refusedBy;

  ClientStreams(Channel channel, Http2Limits limits, Flush.Owner owner) {
    this.channel = channel;
    this.session = new Http2Session(Role.CLIENT, limits);
    this.flush = new Flush(channel, session, lock, WRITE_SILENCE, MinimumRate.OFF, owner);
  }

  long now() {
    return channel.loop().clock().nanoTime();
  }

  boolean isVerifiedFor(String host) {
    return channel instanceof SecureChannel secure && secure.isVerifiedFor(host);
  }

  /** The channel is closed; must be called before the connection stops taking requests. */
  void closedBy(Exception cause) {
    if (cause instanceof TlsHandshakeException refusal) {
      refusedBy = refusal;
    }
  }

  /**
   * Fails if another connection would be refused as well.
   *
   * @throws TlsHandshakeException if the peer has refused our part of the TLS handshake
   */
  void checkNotRefused() throws TlsHandshakeException {
    TlsHandshakeException refusal = refusedBy;
    if (refusal != null) {
      throw refusal;
    }
  }

  /** What is known now about whether the peer got the request. */
  Sent sentSoFar(Http2Exchange exchange) {
    lock.lock();
    try {
      if (exchange.stream == null || !flush.isTaken(exchange.firstRound)) {
        // What is queued is still written while the channel is open.
        return exchange.stream != null && channel.isOpen() ? Sent.UNKNOWN : Sent.NO;
      }
      if (exchange.failure() instanceof ExchangeFailure failure && failure.isNotProcessed()) {
        return Sent.NO;
      }
      boolean left = exchange.isSent() && flush.isWritten(exchange.lastRound);
      return left && !peerIsSilent ? Sent.YES : Sent.UNKNOWN;
    } finally {
      lock.unlock();
    }
  }

  /** Resets the stream of an exchange whose response is not needed, if it has not ended. */
  void cancel(Http2Exchange exchange) {
    lock.lock();
    try {
      exchanges.remove(exchange);
      if (exchange.stream != null) {
        session.reset(exchange.stream, ErrorCode.CANCEL);
      }
    } finally {
      lock.unlock();
    }
    flush.runAtOnce();
  }

  /**
   * {@code bytes} bytes of a response were read or discarded; on the reader's thread or the loop.
   */
  void taken(Http2Exchange exchange, int bytes) {
    boolean output;
    lock.lock();
    try {
      exchange.read(bytes, now());
      output = exchange.stream != null && session.consumed(exchange.stream, bytes);
      long due = credit.read(bytes);
      output |= due > 0 && session.connectionConsumed(due);
    } finally {
      lock.unlock();
    }
    if (output) {
      flush.runAtOnce();
    }
  }

  /** On the loop: the exchange ended without a response. */
  void fail(Http2Exchange exchange, Exception cause) {
    lock.lock();
    try {
      exchanges.remove(exchange);
    } finally {
      lock.unlock();
    }
    exchange.fail(cause, channel.loop());
  }

  /** On the loop: no exchange goes on. */
  void failAll(Exception cause) {
    failAll(cause, cause);
  }

  /**
   * On the loop: fails all exchanges. Allocates nothing until each caller is woken.
   *
   * @param ofUnsent the cause for exchanges of which nothing was written
   */
  void failAll(Exception cause, Exception ofUnsent) {
    for (Http2Exchange e = takeFirst(); e != null; e = takeFirst()) {
      e.fail(isTaken(e) ? cause : ofUnsent, channel.loop());
    }
  }

  private @Nullable Http2Exchange takeFirst() {
    lock.lock();
    try {
      Http2Exchange first = exchanges.first();
      if (first != null) {
        exchanges.remove(first);
      }
      return first;
    } finally {
      lock.unlock();
    }
  }

  /** Whether writing its request has begun. */
  private boolean isTaken(Http2Exchange exchange) {
    lock.lock();
    try {
      return flush.isTaken(exchange.firstRound);
    } finally {
      lock.unlock();
    }
  }
}
