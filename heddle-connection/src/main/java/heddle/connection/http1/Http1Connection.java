package heddle.connection.http1;

import heddle.codec.Event;
import heddle.codec.ProtocolException;
import heddle.codec.Role;
import heddle.codec.http1.Http1Session;
import heddle.connection.Connection;
import heddle.connection.ConnectionIds;
import heddle.connection.ConnectionListener;
import heddle.connection.Exchange;
import heddle.connection.Failures;
import heddle.connection.LostConnectionException;
import heddle.connection.MinimumRate;
import heddle.connection.TimedWriter;
import heddle.connection.request.ResponseCollector;
import heddle.http.Headers;
import heddle.http.Limits;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.failure.ConnectionLostException.Progress;
import heddle.http.failure.ConnectionLostException.Side;
import heddle.transport.Channel;
import heddle.transport.ChannelListener;
import heddle.transport.Timer;
import heddle.transport.TlsHandshakeException;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A client's HTTP/1.1 connection: one exchange at a time, no pipelining. The caller's thread writes
 * the request and parks; the loop reads the response and unparks it. The caller publishes its
 * exchange in {@code current} before it writes the first byte, which also hands the session's
 * receiving half to the loop; the loop hands it back by publishing the answer. Callers arm the
 * timer, which checks the current exchange on the loop.
 */
public final class Http1Connection implements Connection, ChannelListener {
  /** How long a server that has answered may take to read the rest of the request. */
  private static final long EARLY_ANSWER_NANOS = 1_000_000_000;

  /** Continues a connection whose server has switched to another protocol (RFC 9110 §7.8). */
  public interface Successor {
    /** On the loop: whether the fields of a 101 name the protocol that was offered. */
    boolean accepts(Headers head);

    /**
     * Waits for the response to a request that was sent whole. On the thread of the call; nothing
     * is read from the channel until it is started anew. Calls {@link Exchange#ended} when the
     * exchange is over.
     *
     * @param rest the bytes already received behind the 101
     */
    Response follow(Request request, Exchange exchange, ByteBuffer rest) throws IOException;
  }

  private final long id = ConnectionIds.next();
  private final Channel channel;
  final Http1Session session;
  private final ConnectionListener listener;
  private final Timer timer;

  /** Whether the peer is a proxy that forwards the requests to their origins. */
  final boolean forwarded;

  /** The exchange under way; null when the connection is idle. */
  private volatile @Nullable Http1Exchange current;

  /**
   * Set on the loop before it reads {@code current} for the last time; a caller publishes its
   * exchange and then reads this, so that at least one of them sees the other's write.
   */
  private volatile boolean closed;

  /** What broke the channel, if anything did; written before {@code closed} is set for it. */
  private volatile @Nullable IOException brokenBy;

  /** Whether the peer has ended its output in order; written before {@code closed} is set. */
  private volatile boolean endedByPeer;

  /** The idle timeout that the first response announced; written by the call that got it. */
  private volatile @Nullable Duration idleHint;

  /** Whether there was a response: a server announces the same in each. The current call's own. */
  private boolean answeredBefore;

  private Http1Connection(
      Channel channel,
      Limits limits,
      HeadParsers parsers,
      boolean forwarded,
      ConnectionListener listener) {
    this.channel = channel;
    this.forwarded = forwarded;
    this.session = new Http1Session(Role.CLIENT, limits, parsers.of(channel.loop()));
    this.listener = listener;
    this.timer = channel.loop().newTimer(this::checkTime);
  }

  /**
   * Begins to use a channel that was just opened.
   *
   * @param forwarded whether it leads to a proxy, which gets targets in absolute-form (RFC 9112
   *     §3.2.2) and forwards the requests
   * @param listener called on the loop when the channel is closed, on either side
   */
  public static Http1Connection start(
      Channel channel,
      Limits limits,
      HeadParsers parsers,
      boolean forwarded,
      ConnectionListener listener) {
    Http1Connection connection = new Http1Connection(channel, limits, parsers, forwarded, listener);
    channel.start(connection);
    return connection;
  }

  // ---- the caller's side

  @Override
  public Response send(Request request, Exchange owner) throws IOException {
    return send(request, owner, null);
  }

  /** As the other {@code send}; the request offers the server another protocol, if not null. */
  public Response send(Request request, Exchange owner, @Nullable Successor offered)
      throws IOException {
    long began = now();
    owner.enter(Phase.SEND, began);
    Http1Exchange exchange = new Http1Exchange(this, owner, request, offered, began);
    session.expectResponseTo(request.method());
    current = exchange;
    boolean answered = false;
    try {
      if (closed) {
        IOException because = brokenBy;
        throw because != null
            ? because
            : endedByPeer ? endedBefore() : new ClosedChannelException();
      }
      timer.arm(exchange.response.nextLook(began));
      write(exchange, request);
      // The peer's turn: it began when the exchange did, unless there was content to write.
      owner.enter(Phase.AWAIT_HEAD, exchange.response.heardAt());
      exchange.response.awaitAnswer();
      ByteBuffer rest = exchange.switched;
      if (offered != null && rest != null) {
        exchange.response.endOnce(); // The successor owns both from now on.
        current = null;
        timer.cancel();
        return offered.follow(request, owner, rest);
      }
      Response response = response(exchange, request);
      answered = true;
      return response;
    } catch (IOException e) {
      throw owner.explain(e);
    } finally {
      if (!answered) {
        end(exchange, false);
      }
    }
  }

  /** The server has closed the connection while it was idle. */
  private static IOException endedBefore() {
    return new LostConnectionException(
        "the connection was closed", Progress.NOTHING, Side.PEER, "", null);
  }

  private void write(Http1Exchange exchange, Request request) throws IOException {
    try {
      exchange.requestCut = !RequestWriter.write(exchange, request);
    } catch (RequestWriter.WriteFailedException e) {
      // A server that refuses a request may answer and close, which makes our write fail: the loop
      // will find out whether there was an answer (RFC 9112 §9.5).
      exchange.response.awaitAnswer();
      exchange.throwFailure();
      exchange.requestCut = true;
    }
    if (request.body().length() != 0) {
      exchange.response.waitFrom(now());
    }
    exchange.sending = false;
  }

  private Response response(Http1Exchange exchange, Request request) throws IOException {
    exchange.throwFailure();
    ResponseCollector received = exchange.response;
    Event.ResponseHead head = exchange.head();
    exchange.last = !exchange.owner.keepsConnection(head.status());
    if (!answeredBefore) {
      answeredBefore = true;
      idleHint = KeepAlive.timeout(head.headers());
    }
    if (received.isStreaming()) {
      exchange.owner.enter(Phase.READ_BODY);
    }
    Response response = Response.received(
        request,
        head.status(),
        head.version(),
        head.headers(),
        received.body(),
        received.trailers());
    if (!received.isStreaming()) {
      end(exchange, true);
    } else if (exchange.isUpgraded()) {
      Duration silence = Duration.ofNanos(exchange.owner.maxSilenceNanos());
      TimedWriter writer = new TimedWriter(channel, silence, MinimumRate.OFF);
      exchange.switchTo(new UpgradedOutput(channel, writer::write, channel::shutdownOutput));
    }
    return response;
  }

  /**
   * The exchange is over. Called on the caller's thread or the one that read the body.
   *
   * @param complete whether the whole response was received
   */
  void end(Http1Exchange exchange, boolean complete) {
    if (!exchange.response.endOnce()) {
      return;
    }
    boolean reusable =
        complete && !exchange.requestCut && !exchange.last && !closed && session.isReusable();
    if (reusable) {
      session.nextMessage();
      current = null;
    } else {
      close();
    }
    exchange.owner.received(exchange.response.received());
    exchange.owner.ended(reusable);
  }

  @Override
  public int maxExchanges() {
    return 1;
  }

  @Override
  public boolean isMultiplexed() {
    return false;
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
  public boolean isOpen() {
    return !closed && channel.isOpen();
  }

  @Override
  public @Nullable Duration idleHint() {
    return idleHint;
  }

  @Override
  public void close() {
    channel.close();
  }

  long now() {
    return channel.loop().clock().nanoTime();
  }

  // ---- the loop's side

  @Override
  public long contentAhead() {
    return session.contentAhead();
  }

  @Override
  public void onBytes(ByteBuffer bytes) {
    Http1Exchange exchange = current;
    if (exchange == null || exchange.response.isComplete()) {
      // Without a request: the next response could not be told apart from it (RFC 9112 §9.2).
      closed = true;
      channel.close();
      return;
    }
    long now = now();
    try {
      for (Event event; (event = session.next(bytes, now)) != null; ) {
        if (event instanceof Event.End && bytes.hasRemaining()) {
          // Before the end is published and a caller could send the next request: what follows is
          // not an answer to that request.
          closed = true;
          channel.close();
        }
        exchange.on(event, bytes);
      }
      ResponseCollector response = exchange.response;
      if (exchange.isUpgraded()) {
        response.append(bytes);
      }
      response.heard(now);
      response.streamRest();
      if (response.publish() && exchange.sending) {
        exchange.writeUntil = now + EARLY_ANSWER_NANOS;
        timer.arm(Math.min(exchange.writeUntil, response.nextLimit()));
      }
    } catch (ProtocolException e) {
      fail(exchange, e);
    }
  }

  @Override
  public void onEnd() {
    endedByPeer = true;
    closed = true;
    Http1Exchange exchange = current;
    if (exchange != null && !exchange.response.isComplete()) {
      try {
        Event event = session.endOfInput();
        if (event != null) {
          exchange.on(event, ByteBuffer.allocate(0));
        }
        if (exchange.isUpgraded()) {
          exchange.response.complete(Headers.empty());
        }
        exchange.response.publish();
      } catch (ProtocolException e) {
        fail(exchange, e);
      }
    }
    if (exchange == null || !exchange.isUpgraded()) {
      channel.close(); // Another protocol may go on in one direction, until the exchange ends.
    }
  }

  @Override
  public void onClosed(@Nullable IOException cause) {
    brokenBy = cause;
    closed = true;
    try {
      Http1Exchange exchange = current;
      if (exchange != null) {
        exchange.fail(cause == null ? new ClosedChannelException() : lost(exchange, cause));
      }
      timer.cancel();
    } finally {
      listener.closed();
    }
  }

  /** Adds how much of the response had arrived. */
  private IOException lost(Http1Exchange exchange, IOException cause) {
    // A server that refuses our certificate may say so only after the handshake.
    if (!exchange.response.isComplete() && !(cause instanceof TlsHandshakeException)) {
      try {
        session.endOfInput();
      } catch (ProtocolException e) {
        return new LostConnectionException(
            "the connection was lost: " + cause.getMessage() + "; " + e.getMessage(),
            Failures.progress(e.violation()),
            Side.UNKNOWN,
            "",
            cause);
      }
    }
    return cause;
  }

  /** The timer has fired: fails an exchange that is out of time, or arms the timer again. */
  private void checkTime() {
    Http1Exchange exchange = current;
    if (exchange == null) {
      return;
    }
    long now = now();
    if (now >= exchange.writeUntil) {
      exchange.writeUntil = Deadline.NEVER_NANOS;
      if (exchange.isAnsweredEarly() && exchange.goesOn()) {
        exchange.writeUntil = now + EARLY_ANSWER_NANOS;
      } else if (exchange.isAnsweredEarly()) {
        // Ends a write or a read of the body in which the caller may be stuck (RFC 9112 §9.5).
        channel.shutdownOutput();
        exchange.abortReading();
      }
    }
    if (exchange.response.isComplete()) {
      if (exchange.writeUntil != Deadline.NEVER_NANOS) {
        timer.arm(exchange.writeUntil);
      }
      return;
    }
    IOException overdue = exchange.response.overdue(now, exchange.isPeersTurn(), false);
    if (overdue != null) {
      fail(exchange, overdue);
    } else {
      timer.arm(Math.min(exchange.writeUntil, exchange.response.nextLook(now)));
    }
  }

  private void fail(Http1Exchange exchange, Exception cause) {
    closed = true;
    exchange.fail(cause);
    channel.close();
  }

  @Override
  public String toString() {
    return "Http1Connection[" + channel + "]";
  }
}
