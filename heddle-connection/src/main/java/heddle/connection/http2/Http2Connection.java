package heddle.connection.http2;

import heddle.codec.Limits;
import heddle.codec.Role;
import heddle.codec.http2.Http2Limits;
import heddle.codec.http2.Http2Session;
import heddle.codec.http2.Http2Stream;
import heddle.codec.http2.StreamState;
import heddle.codec.http2.frame.ErrorCode;
import heddle.connection.Connection;
import heddle.connection.ConnectionListener;
import heddle.connection.Exchange;
import heddle.connection.InboundBody;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Sent;
import heddle.transport.Channel;
import heddle.transport.Deadline;
import heddle.transport.Timer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A client's HTTP/2 connection, which many exchanges share.
 *
 * <p>A caller queues its request under the ordering lock, competes to {@linkplain Flush flush}, and
 * parks; the loop reads the responses ({@link ResponseReceiver}) and unparks whom they are for. An
 * exchange that is cancelled or runs out of time resets its stream and leaves the others alone. One
 * timer keeps the time of all exchanges.
 */
public final class Http2Connection implements Connection, Flush.Owner {
  /** How long the peer may take no byte. */
  private static final Duration WRITE_SILENCE = Duration.ofSeconds(30);

  /** How long the last frames of a connection may take to leave. */
  private static final long CLOSE_NANOS = 1_000_000_000;

  /** To write what can be written without waiting. */
  private static final Deadline AT_ONCE = new Deadline(0);

  private final Channel channel;
  private final Http2Session session;
  private final ConnectionListener listener;
  private final Flush flush;
  private final Liveness liveness = new Liveness();

  /**
   * Orders what is sent: guards the session's sending half, and with it which exchanges are under
   * way. Held for a few steps, never while writing.
   */
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock.
  private final ExchangeList exchanges = new ExchangeList();
  private final InboundCredit credit = new InboundCredit();
  private final Timer timer;
  private long armedAt = Deadline.NEVER_NANOS;

  /** When the channel is closed if the last frames have not left; guarded by the lock. */
  private long closeAt = Deadline.NEVER_NANOS;

  /** Written under the lock: takes no requests any more. */
  private volatile boolean closing;

  /** Written under the lock: to be closed as soon as all is written. */
  private volatile boolean closesWhenFlushed;

  /** Written under the lock, on the loop. */
  private volatile int maxExchanges;

  /** Set when a PING was not answered: then nobody knows how much of what was written has come. */
  private volatile boolean peerIsSilent;

  private final int ownLimit;

  private Http2Connection(Channel channel, Http2Limits limits, ConnectionListener listener) {
    this.channel = channel;
    this.session = new Http2Session(Role.CLIENT, limits);
    this.listener = listener;
    this.ownLimit = limits.maxStreams();
    this.maxExchanges = Math.min(session.maxStreams(), ownLimit);
    this.flush = new Flush(channel, session, lock, WRITE_SILENCE, this);
    this.timer = channel.loop().newTimer(this::checkTimes);
  }

  /**
   * Begins to use a channel that was just opened, whose peer is known to speak HTTP/2.
   *
   * @param limits those of a head
   * @param listener hears when the connection is closed or can carry more or fewer exchanges
   */
  public static Http2Connection start(Channel channel, Limits limits, ConnectionListener listener) {
    Http2Limits http2 = Http2Limits.CLIENT.withHeads(
        limits.maxHeadBytes(),
        limits.maxFields(),
        2 * limits.maxHeadBytes(),
        Http2Limits.CLIENT.maxContinuations());
    Http2Connection connection = new Http2Connection(channel, http2, listener);
    channel.start(new ResponseReceiver(
        connection, channel, connection.session, connection.flush, connection.liveness));
    return connection;
  }

  // ---- the caller's side

  @Override
  public Response send(Request request, Exchange owner) throws IOException {
    owner.enter(Phase.SEND);
    Http2Exchange exchange = new Http2Exchange(this, owner, now());
    boolean answered = false;
    try {
      new RequestSender(this, session, lock, flush, channel.loop(), request, exchange).send();
      // The peer's turn begins when it has the request, which takes time only where it has content.
      exchange.sent(request.body().length() == 0 ? exchange.heardAt() : now());
      owner.enter(Phase.AWAIT_HEAD);
      exchange.awaitAnswer();
      Response response = response(exchange);
      answered = true;
      return response;
    } catch (InterruptedIOException e) {
      owner.sent(sentSoFar(exchange));
      throw e;
    } catch (IOException e) {
      owner.sent(sentSoFar(exchange));
      throw ExchangeFailure.explain(e, owner);
    } finally {
      if (!answered) {
        giveUp(exchange);
      }
    }
  }

  private Response response(Http2Exchange exchange) throws IOException {
    Exception failure = exchange.failure();
    if (failure != null) {
      throw failure instanceof IOException e ? e : new IOException(failure);
    }
    Response response = exchange.response();
    exchange.owner.sent(Sent.YES);
    exchange.owner.enter(Phase.READ_BODY);
    if (exchange.streamingBody() == null) {
      end(exchange);
    }
    return response;
  }

  /** Under the lock. */
  void checkTakesRequests() throws IOException {
    if (closing || session.isClosing() || !channel.isOpen()) {
      throw ExchangeFailure.notProcessed("the connection takes no more requests");
    }
    if (!session.canOpenStream()) {
      throw ExchangeFailure.notProcessed("the server allows " + session.maxStreams()
          + " requests at the same time on the connection, and as many are under way");
    }
  }

  /** Under the lock: an exchange has a stream; whether there are others. */
  boolean begin(Http2Exchange exchange) {
    boolean others = exchanges.size() > 0;
    if (!others) {
      liveness.begin(exchange.heardAt());
    }
    exchanges.add(exchange);
    lookAt(Math.min(exchange.nextLimit(), exchange.heardAt() + Liveness.PING_AFTER_NANOS));
    return others;
  }

  /** What is known now about whether the peer got the request. */
  private Sent sentSoFar(Http2Exchange exchange) {
    lock.lock();
    try {
      if (exchange.stream == null || !flush.isTaken(exchange.firstRound)) {
        return Sent.NO;
      }
      if (exchange.failure() instanceof ExchangeFailure failure && failure.isNotProcessed()) {
        return Sent.NO;
      }
      boolean left = exchange.isSent() && flush.isDone(exchange.lastRound);
      return left && !peerIsSilent ? Sent.YES : Sent.UNKNOWN;
    } finally {
      lock.unlock();
    }
  }

  /** The caller gets no response. */
  private void giveUp(Http2Exchange exchange) {
    InboundBody body = exchange.streamingBody();
    if (body != null) {
      // Gives back what nobody will read, and then abandons the exchange.
      body.close();
    }
    abandon(exchange);
    exchange.abandon();
    channel.loop().execute(exchange::discard);
  }

  /** Nobody waits for the rest of the response: on the caller's thread or the body's reader's. */
  void abandon(Http2Exchange exchange) {
    if (!exchange.endOnce()) {
      return;
    }
    cancel(exchange);
    exchange.owner.ended(isOpen());
  }

  /** The response has come and was read: on the caller's thread or the body's reader's. */
  void end(Http2Exchange exchange) {
    if (!exchange.endOnce()) {
      return;
    }
    Http2Stream stream = exchange.stream;
    if (stream != null && stream.state() != StreamState.CLOSED) {
      // The request was not sent to its end: RFC 9113 §8.1.
      cancel(exchange);
    }
    exchange.owner.ended(isOpen());
  }

  private void cancel(Http2Exchange exchange) {
    lock.lock();
    try {
      exchanges.remove(exchange);
      if (exchange.stream != null) {
        session.reset(exchange.stream, ErrorCode.CANCEL);
      }
    } finally {
      lock.unlock();
    }
    flush.run(false, AT_ONCE);
  }

  /** So many bytes of a response were read, or thrown away: on the reader's thread or the loop. */
  void taken(Http2Exchange exchange, int bytes) {
    boolean output;
    lock.lock();
    try {
      exchange.read(bytes, now());
      output = exchange.stream != null && session.consumed(exchange.stream, bytes);
      long due = credit.taken(bytes);
      output |= due > 0 && session.connectionConsumed(due);
    } finally {
      lock.unlock();
    }
    if (output) {
      if (channel.loop().inLoop()) {
        flush.runElsewhere();
      } else {
        flush.run(false, AT_ONCE);
      }
    }
  }

  @Override
  public int maxExchanges() {
    return maxExchanges;
  }

  @Override
  public boolean isMultiplexed() {
    return true;
  }

  @Override
  public boolean isOpen() {
    return !closing && channel.isOpen();
  }

  @Override
  public void close() {
    lock.lock();
    try {
      if (!closesWhenFlushed) {
        session.goAway(ErrorCode.NO_ERROR, "");
      }
      closeWhenFlushed();
    } finally {
      lock.unlock();
    }
    channel.loop().execute(() -> failAll(new ClosedChannelException()));
    flush.runElsewhere();
  }

  /** On the loop: the peer broke the protocol. The session has queued what it is to be told. */
  void closeBroken(ExchangeFailure cause) {
    lock.lock();
    try {
      closeWhenFlushed();
    } finally {
      lock.unlock();
    }
    failAll(cause);
    capacityChanged();
    flush.runElsewhere();
  }

  /** Under the lock: takes no more requests, and closes when all is written, or soon. */
  private void closeWhenFlushed() {
    closing = true;
    closesWhenFlushed = true;
    closeAt = Math.min(closeAt, now() + CLOSE_NANOS);
    lookAt(closeAt);
  }

  private long now() {
    return channel.loop().clock().nanoTime();
  }

  // ---- Flush.Owner

  @Override
  public void onWritable(Http2Stream stream) {
    if (stream.attachment() instanceof Http2Exchange exchange) {
      exchange.onWritable(channel.loop());
    }
  }

  @Override
  public void onFlushed() {
    if (closesWhenFlushed && flush.isIdle()) {
      channel.close();
    }
  }

  // ---- the loop's side

  /** What a pass has brought takes effect: see {@link ResponseReceiver}. */
  record Settled(boolean output, boolean capacityChanged, List<Http2Exchange> refused) {}

  /**
   * On the loop, at the end of a pass.
   *
   * @param touched the exchanges that it brought something for
   * @param received flow-controlled bytes that came
   */
  Settled settle(List<Http2Exchange> touched, long received) {
    List<Http2Exchange> refused = List.of();
    lock.lock();
    try {
      session.settle();
      for (Http2Stream s = session.pollRefused(); s != null; s = session.pollRefused()) {
        if (s.attachment() instanceof Http2Exchange exchange) {
          exchanges.remove(exchange);
          refused = refused.isEmpty() ? new ArrayList<>() : refused;
          refused.add(exchange);
        }
      }
      for (Http2Stream s = session.pollWritable(); s != null; s = session.pollWritable()) {
        onWritable(s);
      }
      long forReaders = 0;
      for (Http2Exchange exchange : touched) {
        forReaders += account(exchange);
      }
      if (received > 0) {
        long due = credit.arrived(received, forReaders);
        if (due > 0) {
          session.connectionConsumed(due);
        }
      }
      return new Settled(session.hasOutput(), noteCapacity(), refused);
    } finally {
      lock.unlock();
    }
  }

  /** Under the lock; answers how many bytes more wait for the reader of this exchange. */
  private int account(Http2Exchange exchange) {
    long padding = exchange.takePadding();
    if (padding > 0 && exchange.stream != null) {
      session.consumed(exchange.stream, padding);
    }
    if (exchange.isComplete()) {
      exchanges.remove(exchange);
    }
    return exchange.takeAppended();
  }

  private boolean noteCapacity() {
    int allowed = Math.min(session.maxStreams(), ownLimit);
    boolean closes = session.isClosing();
    boolean changed = allowed != maxExchanges || closes != closing;
    maxExchanges = allowed;
    closing |= closes;
    return changed;
  }

  /** On the loop: tells the pool. */
  void capacityChanged() {
    listener.capacityChanged();
  }

  /** On the loop: the exchange ended without a response. */
  void drop(Http2Exchange exchange) {
    lock.lock();
    try {
      exchanges.remove(exchange);
    } finally {
      lock.unlock();
    }
  }

  /** On the loop: no exchange goes on. */
  void failAll(Exception cause) {
    List<Http2Exchange> failed = new ArrayList<>();
    lock.lock();
    try {
      closing = true;
      for (Http2Exchange e = exchanges.first(); e != null; e = exchanges.first()) {
        exchanges.remove(e);
        failed.add(e);
      }
    } finally {
      lock.unlock();
    }
    failed.forEach(exchange -> exchange.fail(cause, channel.loop()));
  }

  /** On the loop: the channel is closed. */
  void closed(Exception cause) {
    failAll(cause);
    timer.cancel();
    listener.closed();
  }

  /** Under the lock: the timer fires at this time or before. */
  private void lookAt(long nanos) {
    if (nanos < armedAt) {
      armedAt = nanos;
      timer.arm(nanos);
    }
  }

  private record Overdue(Http2Exchange exchange, Exception cause) {}

  /** On the loop: the timer has come. */
  private void checkTimes() {
    List<Overdue> overdue = new ArrayList<>();
    Liveness.Verdict verdict = Liveness.Verdict.WAIT;
    boolean output;
    long now = now();
    lock.lock();
    try {
      armedAt = Deadline.NEVER_NANOS;
      long next = cancelOverdue(now, overdue);
      if (exchanges.size() > 0) {
        verdict = liveness.check(now);
        next = Math.min(next, liveness.nextLook());
      }
      if (verdict == Liveness.Verdict.PING) {
        session.ping(now);
      }
      lookAt(Math.min(next, closeAt));
      output = session.hasOutput();
    } finally {
      lock.unlock();
    }
    overdue.forEach(late -> late.exchange().fail(late.cause(), channel.loop()));
    if (verdict == Liveness.Verdict.DEAD) {
      peerIsSilent = true;
      failAll(new IOException("the server has not answered a PING for "
          + Liveness.ANSWER_NANOS / 1_000_000_000 + " s"));
      channel.close();
    } else if (now >= closeAt) {
      channel.close();
    } else if (output) {
      flush.runElsewhere();
    }
  }

  /** Under the lock; answers when the next may be overdue. */
  private long cancelOverdue(long now, List<Overdue> overdue) {
    long next = Deadline.NEVER_NANOS;
    Http2Exchange exchange = exchanges.first();
    while (exchange != null) {
      Http2Exchange following = exchange.next;
      Exception cause = exchange.overdue(now);
      if (cause == null) {
        next = Math.min(next, exchange.nextLimit());
      } else {
        exchanges.remove(exchange);
        if (exchange.stream != null) {
          session.reset(exchange.stream, ErrorCode.CANCEL);
        }
        overdue.add(new Overdue(exchange, cause));
      }
      exchange = following;
    }
    return next;
  }

  @Override
  public String toString() {
    return "Http2Connection[" + channel + "]";
  }
}
