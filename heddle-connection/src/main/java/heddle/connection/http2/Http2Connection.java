package heddle.connection.http2;

import heddle.codec.Role;
import heddle.codec.http2.Http2Limits;
import heddle.codec.http2.Http2Session;
import heddle.codec.http2.Http2Stream;
import heddle.codec.http2.StreamState;
import heddle.codec.http2.frame.ErrorCode;
import heddle.connection.Connection;
import heddle.connection.ConnectionIds;
import heddle.connection.ConnectionListener;
import heddle.connection.Exchange;
import heddle.connection.LostConnectionException;
import heddle.connection.MinimumRate;
import heddle.http.Headers;
import heddle.http.HttpException;
import heddle.http.Limits;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Sent;
import heddle.http.duplex.DuplexContent;
import heddle.http.duplex.UpgradeContent;
import heddle.http.failure.ConnectionLostException.Side;
import heddle.transport.Channel;
import heddle.transport.EventLoop;
import heddle.transport.SecureChannel;
import heddle.transport.TlsHandshakeException;
import heddle.transport.Waiting;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A client's HTTP/2 connection, which many exchanges share.
 *
 * <p>A caller queues its request under the ordering lock, competes to {@linkplain Flush flush}, and
 * parks; the loop reads the responses ({@link ResponseReceiver}) and unparks their callers. An
 * exchange that is cancelled or runs out of time resets its stream and leaves the others alone.
 */
public final class Http2Connection implements Connection, Flush.Owner {
  /** How long the last frames of a connection may take to be written. */
  private static final long CLOSE_NANOS = 1_000_000_000;

  /** How long the peer may accept no byte. */
  private static final Duration WRITE_SILENCE = Duration.ofSeconds(30);

  /** Above this many unread bytes of a connection, content is credited only when it is read. */
  private static final int FREE_BYTES = 8 * 1024 * 1024;

  private static final ConnectionListener NO_LISTENER = new ConnectionListener() {
    @Override
    public void closed() {}

    @Override
    public void capacityChanged() {}
  };

  private final long id = ConnectionIds.next();
  private final Channel channel;
  private final ConnectionListener listener;
  private final int ownLimit;
  private final Duration settingsTimeout;
  private final ConnectionCredit credit = new ConnectionCredit(FREE_BYTES);
  final Http2Session session;
  final Flush flush;

  /** Also guards the exchanges under way and their timer. */
  private final OrderingLock lock = new OrderingLock();

  private final ExchangeList exchanges = new ExchangeList();
  final ExchangeTimer timer;

  // Written under the lock, the last one on the loop.
  private volatile boolean closing; // accepts no more requests
  private boolean closingReported; // whether the listener was notified of that
  private volatile boolean closesWhenFlushed; // to be closed as soon as all is written
  private volatile int maxExchanges;

  /** Guarded by the lock: threads that wait for the server's SETTINGS. */
  private final List<Thread> awaitingSettings = new ArrayList<>(0);

  /** Why it is unknown how much has arrived: no answer to a PING or to our SETTINGS; else null. */
  private volatile @Nullable IOException silence;

  /** Set if the peer refused our part of the TLS handshake after our side had completed it. */
  private volatile @Nullable TlsHandshakeException refusedBy;

  private Http2Connection(
      Channel channel, Limits limits, Duration settingsTimeout, ConnectionListener listener) {
    this.channel = channel;
    this.settingsTimeout = settingsTimeout;
    this.listener = listener;
    Http2Limits own = ownLimits(limits);
    this.session = new Http2Session(Role.CLIENT, own);
    this.ownLimit = own.maxStreams();
    this.maxExchanges = Math.min(session.maxStreams(), ownLimit);
    this.flush = new Flush(channel, session, lock, WRITE_SILENCE, MinimumRate.OFF, this);
    this.timer = new ExchangeTimer(channel.loop(), settingsTimeout, this::checkTimes);
  }

  private static Http2Limits ownLimits(Limits ofHeads) {
    return Http2Limits.CLIENT.toBuilder().heads(ofHeads).build();
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
    Http2Connection connection = new Http2Connection(channel, limits, settingsTimeout, listener);
    channel.start(new ResponseReceiver(connection));
    return connection;
  }

  /**
   * Begins to use a channel only to tell the server that its TLS is not good enough
   * (INADEQUATE_SECURITY, RFC 9113 §9.2.2), and to close it then.
   */
  public static void refuse(Channel channel, String weakness) {
    start(channel, Limits.DEFAULTS, Duration.ofNanos(CLOSE_NANOS), NO_LISTENER)
        .closeSaying(ErrorCode.INADEQUATE_SECURITY, weakness);
  }

  /**
   * The value of HTTP2-Settings in a request of HTTP/1.1 that offers the upgrade: the payload of
   * our SETTINGS in base64url, without padding (RFC 7540 §3.2.1).
   *
   * @param limits those of a head
   */
  public static String upgradeSettings(Limits limits) {
    byte[] payload = ownLimits(limits).settings(Role.CLIENT).announced().payload();
    return Base64.getUrlEncoder().withoutPadding().encodeToString(payload);
  }

  /**
   * Begins to use a channel whose server has switched from HTTP/1.1, and waits for the response to
   * the request that offered the upgrade. It was sent completely; it is stream 1 (RFC 7540 §3.2).
   *
   * @param limits those of a head
   * @param settingsTimeout how long the peer may take to acknowledge our SETTINGS
   * @param listener called when the connection is closed or can carry more or fewer exchanges
   * @param made called with the connection, on the calling thread, before the response has arrived
   */
  public static Response upgrade(
      Request request,
      Exchange owner,
      Channel channel,
      Limits limits,
      Duration settingsTimeout,
      ConnectionListener listener,
      Consumer<Connection> made)
      throws IOException {
    Http2Connection connection = new Http2Connection(channel, limits, settingsTimeout, listener);
    return connection.send(
        request, new Http2Exchange(connection, owner, request, connection.now()), made);
  }

  // ---- the caller's side

  @Override
  public Response send(Request request, Exchange owner) throws IOException {
    long began = now();
    owner.enter(Phase.SEND, began);
    return send(request, new Http2Exchange(this, owner, request, began), null);
  }

  /** {@code made} is null unless the request has upgraded this connection. */
  private Response send(
      Request request, Http2Exchange exchange, @Nullable Consumer<Connection> made)
      throws IOException {
    boolean answered = false;
    try {
      if (made != null) {
        startUpgraded(request, exchange);
        made.accept(this);
        flush.run(false, exchange.owner.deadline());
      } else if (request.body().length() == 0 && !(request.body() instanceof DuplexContent)) {
        if (exchange.protocol != null) {
          awaitSettings(exchange);
        }
        RequestSender.sendWithoutContent(this, request, exchange);
      } else {
        new RequestSender(this, request, exchange).send();
      }
      if (made == null && (exchange.isSent() || exchange.response.failure() == null)) {
        exchange.owner.enter(Phase.AWAIT_HEAD, exchange.response.heardAt());
      }
      exchange.response.awaitAnswer();
      Response response = response(exchange, request);
      answered = true;
      return response;
    } catch (IOException e) {
      exchange.owner.sent(sentSoFar(exchange));
      throw ExchangeFailure.explain(e, exchange.owner);
    } finally {
      if (!answered) {
        giveUp(exchange);
      }
    }
  }

  private Response response(Http2Exchange exchange, Request request) throws IOException {
    Exception failure = exchange.response.failure();
    if (failure != null) {
      throw failure instanceof IOException e ? e : new IOException(failure);
    }
    Response response = exchange.received(request);
    exchange.owner.sent(exchange.isSent() ? Sent.YES : Sent.UNKNOWN);
    if (!exchange.response.isStreaming()) {
      end(exchange, true);
    } else {
      exchange.owner.enter(Phase.READ_BODY);
      if (request.body() instanceof UpgradeContent content) {
        exchange.switchTo(content);
      }
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
    try (var held = lock.hold()) {
      checkTakesRequests();
      exchange.stream = exchange.protocol == null
          ? session.request(
              request.method(),
              request.origin().scheme(),
              request.origin().hostHeader(),
              request.target(),
              headers,
              endStream,
              exchange)
          : connect(exchange.protocol, request, headers, exchange);
      exchange.firstRound = flush.nextRound();
      exchange.lastRound = exchange.firstRound;
      enlist(exchange);
      return exchanges.othersAreNear();
    } catch (IllegalArgumentException e) {
      throw ExchangeFailure.unsendable(e, exchange.owner);
    }
  }

  /** Under the lock: opens a stream for another protocol (RFC 8441 §4). */
  private Http2Stream connect(
      String protocol, Request request, Headers headers, Http2Exchange exchange)
      throws HttpException {
    if (!session.peerSettings().enableConnectProtocol()) {
      throw HttpException.advise(
          new HttpException(
              "the server does not let " + protocol
                  + " be spoken over HTTP/2 (SETTINGS_ENABLE_CONNECT_PROTOCOL, RFC 8441)",
              exchange.owner.point(),
              null),
          "; leave the version of the request open, or set it to HTTP/1.1");
    }
    return session.connect(
        protocol,
        request.origin().scheme(),
        request.origin().hostHeader(),
        request.target(),
        headers,
        exchange);
  }

  /** Waits for the server's SETTINGS, which say whether it allows an extended CONNECT. */
  private void awaitSettings(Http2Exchange exchange) throws IOException {
    Deadline deadline = exchange.owner.deadline();
    Thread waiting = Thread.currentThread();
    try (var held = lock.hold()) {
      timer.settingsSent(exchange.response.heardAt());
      awaitingSettings.add(waiting);
    }
    flush.run(false, deadline);
    try {
      Waiting.until(
          this::areSettingsKnown, channel.loop(), deadline, "waiting for the server's SETTINGS");
    } finally {
      try (var held = lock.hold()) {
        awaitingSettings.remove(waiting);
      }
    }
    IOException failure = silence;
    if (failure != null) {
      throw failure;
    }
  }

  /** Whether the server's SETTINGS have arrived, or will not. */
  private boolean areSettingsKnown() {
    try (var held = lock.hold()) {
      return session.isPeerSettled() || !isOpen();
    }
  }

  /** Under the lock. */
  private void wakeThoseAwaitingSettings() {
    awaitingSettings.forEach(channel.loop()::unpark);
  }

  /** Under the lock. */
  private void enlist(Http2Exchange exchange) {
    timer.begin(exchange, exchanges.isEmpty());
    exchanges.add(exchange);
  }

  /** Begins with stream 1, whose request was sent before the first round of this connection. */
  private void startUpgraded(Request request, Http2Exchange exchange) {
    try (var held = lock.hold()) {
      exchange.stream = session.upgraded(request.method(), exchange);
      enlist(exchange);
    }
    exchange.sent(now());
    channel.start(new ResponseReceiver(this));
  }

  /** Under the lock. */
  private void checkTakesRequests() throws IOException {
    if (refusedBy != null) {
      throw refusedBy; // Another connection would be refused as well.
    }
    if (closing || session.isClosing() || !channel.isOpen()) {
      throw ExchangeFailure.notSent("the connection takes no more requests");
    }
    if (!session.canOpenStream()) {
      throw ExchangeFailure.notSent("the server allows " + session.maxStreams()
          + " requests at the same time on the connection, and as many are under way");
    }
  }

  /**
   * Queues as much of a request's content as the session accepts now, and returns how much that is.
   *
   * @param last whether the request ends with it
   */
  int queueContent(Http2Exchange exchange, ByteBuffer payload, boolean last) {
    try (var held = lock.hold()) {
      exchange.writable = false;
      exchange.lastRound = flush.nextRound();
      return session.data(exchange.opened(), payload, last);
    }
  }

  /**
   * Queues the trailers of a request, or an end without any.
   *
   * @throws HttpException if they cannot be sent
   */
  void queueEnd(Http2Exchange exchange, Headers trailers) throws HttpException {
    try (var held = lock.hold()) {
      exchange.lastRound = flush.nextRound();
      session.trailers(exchange.opened(), trailers);
    } catch (IllegalArgumentException e) {
      exchange.owner.sent(sentSoFar(exchange));
      throw ExchangeFailure.unsendable(e, exchange.owner);
    }
  }

  /** What is known now about whether the peer got the request. */
  private Sent sentSoFar(Http2Exchange exchange) {
    try (var held = lock.hold()) {
      if (exchange.stream == null || !flush.isTaken(exchange.firstRound)) {
        // What is queued is still written while the channel is open.
        return exchange.stream != null && channel.isOpen() ? Sent.UNKNOWN : Sent.NO;
      }
      if (exchange.response.failure() instanceof ExchangeFailure failure
          && failure.isNotProcessed()) {
        return Sent.NO;
      }
      boolean left = exchange.isSent() && flush.isWritten(exchange.lastRound);
      return left && silence == null ? Sent.YES : Sent.UNKNOWN;
    }
  }

  /** The caller gets no response. */
  private void giveUp(Http2Exchange exchange) {
    exchange.response.closeBody();
    end(exchange, false);
    // The loop may just have created a body, which will not be read.
    channel.loop().execute(exchange.response::closeBody);
  }

  /**
   * The exchange is over; on the caller's thread or the body's reader's.
   *
   * @param whole whether the response has arrived and was read; otherwise the rest is not needed
   */
  void end(Http2Exchange exchange, boolean whole) {
    if (exchange.response.endOnce()) {
      Http2Stream stream = exchange.stream;
      if (!whole) {
        exchange.abandon();
        cancel(exchange);
      } else if (stream != null && stream.state() != StreamState.CLOSED) {
        // The request was not sent to its end: RFC 9113 §8.1.
        cancel(exchange);
      }
      exchange.owner.received(exchange.response.received());
      exchange.owner.ended(isOpen());
    }
  }

  /** Resets the stream of an exchange whose response is not needed, if it has not ended. */
  private void cancel(Http2Exchange exchange) {
    try (var held = lock.hold()) {
      exchanges.remove(exchange);
      if (exchange.stream != null) {
        session.reset(exchange.stream, ErrorCode.CANCEL);
      }
    }
    flush.runAtOnce();
  }

  /** Sending fails while the caller has the answer, or waits for it. */
  void sendingFailed(Http2Exchange exchange, Exception cause) {
    cancel(exchange);
    channel.loop().execute(() -> fail(exchange, cause));
  }

  /** Bytes of a response were read or discarded; on the reader's thread or the loop. */
  void taken(Http2Exchange exchange, int bytes) {
    boolean output;
    try (var held = lock.hold()) {
      exchange.read(bytes, now());
      output = exchange.stream != null && session.consumed(exchange.stream, bytes);
      long due = credit.read(bytes);
      output |= due > 0 && session.connectionConsumed(due);
    }
    if (output) {
      flush.runAtOnce();
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
    return channel instanceof SecureChannel secure && secure.isVerifiedFor(host);
  }

  // ---- receiving, on the loop

  /**
   * Settles what a pass has brought with the sending half, and wakes the callers concerned.
   *
   * @param touched the exchanges that have events; emptied
   * @param bytes flow-controlled bytes of the pass
   */
  void settle(List<Http2Exchange> touched, long bytes) {
    List<Http2Exchange> refused;
    boolean output;
    boolean capacityChanged;
    try (var held = lock.hold()) {
      session.settle();
      if (!awaitingSettings.isEmpty() && session.isPeerSettled()) {
        wakeThoseAwaitingSettings();
      }
      refused = takeRefused();
      flush.wakeWriters();
      account(touched, bytes);
      output = session.hasOutput();
      capacityChanged = updateCapacity();
    }
    for (Http2Exchange exchange : touched) {
      exchange.publish();
    }
    touched.clear();
    for (Http2Exchange exchange : refused) {
      exchange.fail(
          ExchangeFailure.notProcessed("the server went away before it processed the request"));
    }
    if (output) {
      flush.runAtOnce();
    }
    if (capacityChanged) {
      listener.capacityChanged();
    }
  }

  /** Under the lock: streams that a GOAWAY has left out (RFC 9113 §6.8). */
  private List<Http2Exchange> takeRefused() {
    List<Http2Exchange> refused = List.of();
    for (Http2Stream s = session.pollRefused(); s != null; s = session.pollRefused()) {
      if (s.attachment() instanceof Http2Exchange exchange) {
        exchanges.remove(exchange);
        refused = refused.isEmpty() ? new ArrayList<>() : refused;
        refused.add(exchange);
      }
    }
    return refused;
  }

  /** Under the lock: whether the listener must be notified. */
  private boolean updateCapacity() {
    int allowed = Math.min(session.maxStreams(), ownLimit);
    boolean closes = closing || session.isClosing();
    boolean changed = allowed != maxExchanges || (closes && !closingReported);
    maxExchanges = allowed;
    closing = closes;
    closingReported = closes;
    return changed;
  }

  /** Under the lock: credits bytes without a reader, removes exchanges that are complete. */
  private void account(List<Http2Exchange> touched, long bytes) {
    long forReaders = 0;
    int ended = 0;
    for (Http2Exchange exchange : touched) {
      long unwanted = exchange.takeUnwanted();
      if (unwanted > 0 && exchange.stream != null) {
        session.consumed(exchange.stream, unwanted);
      }
      if (exchange.isOver()) {
        exchanges.remove(exchange);
        ended++;
      }
      forReaders += exchange.takeAppended();
    }
    exchanges.endedTogether(ended);
    if (bytes > 0) {
      long due = bytes - forReaders + credit.received(forReaders);
      if (due > 0) {
        session.connectionConsumed(due);
      }
    }
  }

  // ---- time, on the loop

  private void checkTimes() {
    Map<Http2Exchange, Exception> overdue = new LinkedHashMap<>();
    long now = now();
    ExchangeTimer.Due due;
    boolean output;
    try (var held = lock.hold()) {
      long next = cancelOverdue(now, overdue);
      due = timer.check(now, next, !exchanges.isEmpty(), session);
      output = session.hasOutput();
    }
    overdue.forEach(Http2Exchange::fail);
    switch (due) {
      case PING_ANSWER -> {
        IOException unanswered = new IOException("the server has not answered a PING for "
            + Liveness.ANSWER_NANOS / 1_000_000_000 + " s");
        silence = unanswered;
        closeNow(unanswered);
      }
      case SETTINGS_ACKNOWLEDGEMENT -> closeUnacknowledged();
      case CLOSE -> channel.close();
      case NOTHING -> {
        if (output) {
          flush.runAtOnce();
        }
      }
    }
  }

  /** Under the lock; returns when the next may be overdue. */
  private long cancelOverdue(long now, Map<Http2Exchange, Exception> overdue) {
    long next = Deadline.NEVER_NANOS;
    boolean withheld = credit.wasWithheld();
    Http2Exchange exchange = exchanges.first();
    while (exchange != null) {
      Http2Exchange following = exchange.next;
      Exception cause = exchange.overdue(now, withheld, credit.isWithheld());
      if (cause == null) {
        next = Math.min(next, exchange.response.nextLook(now));
      } else {
        exchanges.remove(exchange);
        session.reset(exchange.opened(), ErrorCode.CANCEL);
        overdue.put(exchange, cause);
      }
      exchange = following;
    }
    return next;
  }

  // ---- the end

  @Override
  public void close() {
    closeSaying(ErrorCode.NO_ERROR, "");
  }

  private void closeSaying(ErrorCode code, String why) {
    sayGoAway(code, why);
    channel.loop().execute(() -> failAll(new ClosedChannelException()));
    flush.runAtOnce();
  }

  private void sayGoAway(ErrorCode code, String why) {
    try (var held = lock.hold()) {
      if (!closesWhenFlushed) {
        session.goAway(code, why);
      }
      closeWhenFlushed();
    }
  }

  /** On the loop: the peer broke the protocol. The session has queued the GOAWAY. */
  void closeBroken(ExchangeFailure cause) {
    try (var held = lock.hold()) {
      closeWhenFlushed();
    }
    failAll(cause);
    listener.capacityChanged();
    flush.runAtOnce();
  }

  /** Under the lock: accepts no more requests, and closes when all is written, or soon. */
  private void closeWhenFlushed() {
    takeNoMore();
    closesWhenFlushed = true;
    timer.closeAt(now() + CLOSE_NANOS);
  }

  /** On the loop: RFC 9113 §6.5.3. */
  private void closeUnacknowledged() {
    String late = "SETTINGS were not acknowledged for " + settingsTimeout.toMillis() + " ms";
    IOException lost = new LostConnectionException(
        "the connection was lost: our " + late + " (SETTINGS_TIMEOUT)",
        null,
        Side.UNKNOWN,
        "; Timeouts.settings allows no more",
        null);
    silence = lost;
    if (flush.isIdle()) {
      sayGoAway(ErrorCode.SETTINGS_TIMEOUT, late);
    } else {
      // The peer would never read a GOAWAY. Once the channel is closed, queued output is certainly
      // not sent.
      takeNoMore();
      channel.close();
    }
    failAll(lost, ExchangeFailure.notSent("our " + late + ", and the request was not sent yet"));
    listener.capacityChanged();
    flush.runAtOnce();
  }

  /** On the loop: fails all exchanges. */
  void closeNow(Exception cause) {
    takeNoMore();
    // First, so that output that is unwritten when a call learns of the failure stays unwritten.
    channel.close();
    failAll(cause);
  }

  /** On the loop: the channel is closed. */
  void closed(Exception cause) {
    if (cause instanceof TlsHandshakeException refusal) {
      refusedBy = refusal; // before the connection stops taking requests
    }
    takeNoMore();
    try {
      failAll(cause);
      timer.cancel();
    } finally {
      listener.closed();
    }
  }

  /** On the loop: the exchange ended without a response. */
  void fail(Http2Exchange exchange, Exception cause) {
    remove(exchange);
    exchange.fail(cause);
  }

  /** Nothing more will arrive for the exchange. */
  void remove(Http2Exchange exchange) {
    try (var held = lock.hold()) {
      exchanges.remove(exchange);
    }
  }

  void failAll(Exception cause) {
    failAll(cause, cause);
  }

  /**
   * On the loop: fails all exchanges. Allocates nothing until each caller is woken.
   *
   * @param ofUnsent the cause for exchanges of which nothing was written
   */
  private void failAll(Exception cause, Exception ofUnsent) {
    while (true) {
      Http2Exchange first;
      boolean unsent;
      try (var held = lock.hold()) {
        first = exchanges.first();
        if (first == null) {
          return;
        }
        exchanges.remove(first);
        unsent = !flush.isTaken(first.firstRound);
      }
      first.fail(unsent ? ofUnsent : cause);
    }
  }

  private void takeNoMore() {
    try (var held = lock.hold()) {
      closing = true;
      wakeThoseAwaitingSettings();
    }
  }

  // ---- writing

  @Override
  public void onWritable(Http2Stream stream) {
    if (stream.attachment() instanceof Http2Exchange exchange) {
      exchange.onWritable();
    }
  }

  @Override
  public void onFlushed() {
    if (closesWhenFlushed && flush.isIdle()) {
      channel.close();
    }
  }

  /** A server that goes away may have answered, or sent what it processed: the loop reads that. */
  @Override
  public void onBroken() {
    try (var held = lock.hold()) {
      closing = true;
      if (channel.isOpen()) {
        timer.closeAt(now() + CLOSE_NANOS);
      }
    }
    channel.loop().execute(listener::capacityChanged);
  }

  EventLoop loop() {
    return channel.loop();
  }

  long now() {
    return channel.loop().clock().nanoTime();
  }

  @Override
  public String toString() {
    return "Http2Connection[" + channel + "]";
  }
}
