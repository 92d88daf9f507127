package heddle.connection.http2;

import heddle.codec.Limits;
import heddle.codec.http2.Http2Limits;
import heddle.codec.http2.Http2Stream;
import heddle.codec.http2.StreamState;
import heddle.codec.http2.frame.ErrorCode;
import heddle.connection.Connection;
import heddle.connection.ConnectionIds;
import heddle.connection.ConnectionListener;
import heddle.connection.Exchange;
import heddle.http.Headers;
import heddle.http.HttpException;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Sent;
import heddle.transport.Channel;
import heddle.transport.EventLoop;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A client's HTTP/2 connection, which many exchanges share.
 *
 * <p>A caller queues its request under the ordering lock, competes to {@linkplain Flush flush}, and
 * parks; the loop reads the responses ({@link ResponseReceiver}) and unparks their callers. An
 * exchange that is cancelled or runs out of time resets its stream and leaves the others alone. One
 * timer keeps the time limits of all exchanges.
 */
public final class Http2Connection implements Connection, Flush.Owner {
  /** How long the last frames of a connection may take to be written. */
  private static final long CLOSE_NANOS = 1_000_000_000;

  private final long id = ConnectionIds.next();
  private final Channel channel;
  final ClientStreams streams;
  final ExchangeTimer timer;
  private final ConnectionListener listener;
  private final ReentrantLock lock;
  private final int ownLimit;
  private final Duration settingsTimeout;

  /** Written under the lock: accepts no more requests. */
  private volatile boolean closing;

  /** Guarded by the lock: whether the listener was notified of that. */
  private boolean closingTold;

  /** Written under the lock: to be closed as soon as all is written. */
  private volatile boolean closesWhenFlushed;

  /** Written under the lock, on the loop. */
  private volatile int maxExchanges;

  Http2Connection(
      Channel channel, Http2Limits limits, Duration settingsTimeout, ConnectionListener listener) {
    this.channel = channel;
    this.settingsTimeout = settingsTimeout;
    this.listener = listener;
    this.streams = new ClientStreams(channel, limits, this);
    this.lock = streams.lock;
    this.ownLimit = limits.maxStreams();
    this.maxExchanges = Math.min(streams.session.maxStreams(), ownLimit);
    this.timer = new ExchangeTimer(
        streams,
        settingsTimeout,
        (exchange, cause) -> exchange.fail(cause, channel.loop()),
        this::closeBecauseOfSilence,
        this::closeUnacknowledged);
  }

  /**
   * Begins to use a channel that was just opened and whose peer is known to speak HTTP/2.
   *
   * @param limits those of a head
   * @param settingsTimeout how long the peer may take to acknowledge our SETTINGS, from the first
   *     request on
   * @param listener called when the connection is closed or can carry more or fewer exchanges
   */
  public static Http2Connection start(
      Channel channel, Limits limits, Duration settingsTimeout, ConnectionListener listener) {
    Http2Connection connection = new Http2Connection(
        channel, Http2Limits.CLIENT.withHeads(limits), settingsTimeout, listener);
    channel.start(new ResponseReceiver(connection, connection.streams, connection.timer));
    return connection;
  }

  // ---- the caller's side

  @Override
  public Response send(Request request, Exchange owner) throws IOException {
    long began = streams.now();
    owner.enter(Phase.SEND, began);
    Http2Exchange exchange = new Http2Exchange(this, owner, request, began);
    boolean answered = false;
    try {
      if (request.body().length() == 0) {
        RequestSender.sendWithoutContent(this, streams, request, exchange);
      } else {
        new RequestSender(this, streams, request, exchange).send();
      }
      if (exchange.isSent() || exchange.failure() == null) {
        owner.enter(Phase.AWAIT_HEAD, exchange.heardAt());
      }
      exchange.awaitAnswer();
      Response response = response(exchange);
      answered = true;
      return response;
    } catch (IOException e) {
      owner.sent(streams.sentSoFar(exchange));
      throw e instanceof InterruptedIOException ? e : ExchangeFailure.explain(e, owner);
    } finally {
      if (!answered) {
        giveUp(exchange);
      }
    }
  }

  Response response(Http2Exchange exchange) throws IOException {
    Exception failure = exchange.failure();
    if (failure != null) {
      throw failure instanceof IOException e ? e : new IOException(failure);
    }
    Response response = exchange.response();
    exchange.owner.sent(exchange.isSent() ? Sent.YES : Sent.UNKNOWN);
    if (exchange.streamingBody() == null) {
      end(exchange);
    } else {
      exchange.owner.enter(Phase.READ_BODY);
    }
    return response;
  }

  /**
   * Opens a stream and queues the head of a request.
   *
   * @return whether others send requests at about the same time
   * @throws ExchangeFailure if the connection accepts no more requests
   * @throws HttpException when the request cannot be sent over HTTP/2
   */
  boolean open(Request request, Http2Exchange exchange, boolean endStream, Headers headers)
      throws IOException {
    lock.lock();
    try {
      checkTakesRequests();
      exchange.stream = streams.session.request(
          request.method(),
          request.origin().scheme(),
          request.origin().hostHeader(),
          request.target(),
          headers,
          endStream,
          exchange);
      exchange.firstRound = streams.flush.nextRound();
      exchange.lastRound = exchange.firstRound;
      timer.begin(exchange);
      streams.exchanges.add(exchange);
      return streams.exchanges.othersAreNear();
    } catch (IllegalArgumentException e) {
      throw ExchangeFailure.unsendable(e, exchange.owner);
    } finally {
      lock.unlock();
    }
  }

  /** Under the lock. */
  private void checkTakesRequests() throws IOException {
    streams.checkNotRefused();
    if (closing || streams.session.isClosing() || !channel.isOpen()) {
      throw ExchangeFailure.notSent("the connection takes no more requests");
    }
    if (!streams.session.canOpenStream()) {
      throw ExchangeFailure.notSent("the server allows " + streams.session.maxStreams()
          + " requests at the same time on the connection, and as many are under way");
    }
  }

  /** The caller gets no response. */
  void giveUp(Http2Exchange exchange) {
    exchange.closeBody();
    abandon(exchange);
    // The loop may just have created a body, which will not be read.
    channel.loop().execute(exchange::closeBody);
  }

  /** The rest of the response is not needed; on the caller's thread or the body's reader's. */
  void abandon(Http2Exchange exchange) {
    if (exchange.endOnce()) {
      exchange.abandon();
      streams.cancel(exchange);
      exchange.owner.received(exchange.received());
      exchange.owner.ended(isOpen());
    }
  }

  /** The response has arrived and was read; on the caller's thread or the body's reader's. */
  void end(Http2Exchange exchange) {
    if (exchange.endOnce()) {
      Http2Stream stream = exchange.stream;
      if (stream != null && stream.state() != StreamState.CLOSED) {
        // The request was not sent to its end: RFC 9113 §8.1.
        streams.cancel(exchange);
      }
      exchange.owner.received(exchange.received());
      exchange.owner.ended(isOpen());
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
  public long id() {
    return id;
  }

  @Override
  public Channel channel() {
    return channel;
  }

  @Override
  public boolean isOpen() {
    return !closing && channel.isOpen();
  }

  @Override
  public boolean isAuthoritativeFor(String host) {
    return streams.isVerifiedFor(host);
  }

  // ---- the end

  @Override
  public void close() {
    closeSaying(ErrorCode.NO_ERROR, "");
  }

  void closeSaying(ErrorCode code, String why) {
    sayGoAway(code, why);
    channel.loop().execute(() -> streams.failAll(new ClosedChannelException()));
    streams.flush.runAtOnce();
  }

  private void sayGoAway(ErrorCode code, String why) {
    lock.lock();
    try {
      if (!closesWhenFlushed) {
        streams.session.goAway(code, why);
      }
      closeWhenFlushed();
    } finally {
      lock.unlock();
    }
  }

  /** On the loop: the peer broke the protocol. The session has queued the GOAWAY. */
  void closeBroken(ExchangeFailure cause) {
    lock.lock();
    try {
      closeWhenFlushed();
    } finally {
      lock.unlock();
    }
    streams.failAll(cause);
    listener.capacityChanged();
    streams.flush.runAtOnce();
  }

  /** Under the lock: accepts no more requests, and closes when all is written, or soon. */
  private void closeWhenFlushed() {
    closing = true;
    closesWhenFlushed = true;
    timer.closeAt(streams.now() + CLOSE_NANOS);
  }

  /** On the loop. */
  private void closeBecauseOfSilence() {
    streams.peerIsSilent = true;
    closeNow(new IOException(
        "the server has not answered a PING for " + Liveness.ANSWER_NANOS / 1_000_000_000 + " s"));
  }

  /** On the loop: RFC 9113 §6.5.3. */
  private void closeUnacknowledged() {
    streams.peerIsSilent = true;
    String late = "SETTINGS were not acknowledged for " + settingsTimeout.toMillis() + " ms";
    if (streams.flush.isIdle()) {
      sayGoAway(ErrorCode.SETTINGS_TIMEOUT, late);
    } else {
      // The peer would never read a GOAWAY. Once the channel is closed, queued output is certainly
      // not sent.
      takeNoMore();
      channel.close();
    }
    streams.failAll(
        new IOException("our " + late + " (SETTINGS_TIMEOUT); Timeouts.settings allows no more"),
        ExchangeFailure.notSent("our " + late + ", and the request was not sent yet"));
    listener.capacityChanged();
    streams.flush.runAtOnce();
  }

  /** On the loop: fails all exchanges. */
  void closeNow(Exception cause) {
    takeNoMore();
    // First, so that output that is unwritten when a call learns of the failure stays unwritten.
    channel.close();
    streams.failAll(cause);
  }

  /** On the loop: the channel is closed. */
  void closed(Exception cause) {
    streams.closedBy(cause);
    takeNoMore();
    try {
      streams.failAll(cause);
      timer.cancel();
    } finally {
      listener.closed();
    }
  }

  private void takeNoMore() {
    lock.lock();
    try {
      closing = true;
    } finally {
      lock.unlock();
    }
  }

  // ---- events of the parts

  @Override
  public void onWritable(Http2Stream stream) {
    if (stream.attachment() instanceof Http2Exchange exchange) {
      exchange.onWritable(channel.loop());
    }
  }

  @Override
  public void onFlushed() {
    if (closesWhenFlushed && streams.flush.isIdle()) {
      channel.close();
    }
  }

  /** A server that goes away may have answered, or sent what it processed: the loop reads that. */
  @Override
  public void onBroken() {
    lock.lock();
    try {
      closing = true;
      if (channel.isOpen()) {
        timer.closeAt(streams.now() + CLOSE_NANOS);
      }
    } finally {
      lock.unlock();
    }
    channel.loop().execute(listener::capacityChanged);
  }

  EventLoop loop() {
    return channel.loop();
  }

  /**
   * {@code bytes} bytes of a response were read or discarded; on the reader's thread or the loop.
   */
  void taken(Http2Exchange exchange, int bytes) {
    streams.taken(exchange, bytes);
  }

  /** On the loop, under the lock, after a pass: whether the listener must be notified. */
  boolean noteCapacity() {
    int allowed = Math.min(streams.session.maxStreams(), ownLimit);
    boolean closes = closing || streams.session.isClosing();
    boolean changed = allowed != maxExchanges || (closes && !closingTold);
    maxExchanges = allowed;
    closing = closes;
    closingTold = closes;
    return changed;
  }

  /** On the loop: notifies the listener. */
  void capacityChanged() {
    listener.capacityChanged();
  }

  @Override
  public String toString() {
    return "Http2Connection[" + channel + "]";
  }
}
