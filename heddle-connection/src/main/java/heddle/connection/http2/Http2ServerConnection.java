package heddle.connection.http2;

import heddle.codec.Role;
import heddle.codec.http2.Http2Event;
import heddle.codec.http2.Http2Limits;
import heddle.codec.http2.Http2Session;
import heddle.codec.http2.Http2Stream;
import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Http2Exception;
import heddle.connection.ConnectionIds;
import heddle.connection.ConnectionMemory;
import heddle.connection.MemoryBudget;
import heddle.connection.RecentOrigins;
import heddle.connection.RequestListener;
import heddle.connection.Responding;
import heddle.connection.ServerDriver;
import heddle.connection.ServerLimits;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.Status;
import heddle.http.failure.ConnectionLostException;
import heddle.http.failure.ConnectionLostException.Progress;
import heddle.http.failure.ConnectionLostException.Side;
import heddle.transport.Channel;
import heddle.transport.EventLoop;
import heddle.transport.PeerLog;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A server's side of one HTTP/2 connection, from its start to its end: what its parts and its
 * requests share, the limit of handlers, and the closing.
 *
 * <p>Threads: only the loop receives, with the {@link Http2RequestReceiver}. The threads that
 * answer, and the loop, send with the {@link ServerOutput}; the loop never waits for the peer.
 */
public final class Http2ServerConnection implements ServerDriver {
  private static final PeerLog PEERS = PeerLog.of(Http2ServerConnection.class);

  /** Above this many unread bytes, content is credited only when it is read. */
  private static final int FREE_BYTES = 256 * 1024;

  /**
   * What a connection costs beyond one of HTTP/1.1: the tables of HPACK at their usual size,
   * windows, streams.
   */
  private static final int CONNECTION_BYTES = 12 * 1024;

  /** Requests are counted in groups of this size, each with {@link #FREE_HEAD_BYTES} of head. */
  private static final int GROUP = 8;

  static final int FREE_HEAD_BYTES = 1024;

  /** Partial frames and blocks up to this size are covered by their connection's fixed cost. */
  private static final int FREE_CUT_BYTES = 2 * 1024;

  /** The state of a connection; used by the loop only. */
  private enum State {
    OPEN,
    /** The peer broke the protocol, or is refused: GOAWAY is sent, then the connection ends. */
    FAILED,
    /** All is written and the output has ended; waits for the peer to close. */
    LINGER,
    CLOSED
  }

  final long id = ConnectionIds.next();
  final Channel channel;
  final ServerLimits limits;
  final RequestListener listener;
  final ConnectionMemory memory;
  final RequestOrigins origins;
  final ConnectionCredit credit = new ConnectionCredit(FREE_BYTES);

  final Http2Session session; // the loop uses its receiving half; the other belongs to the output
  final int maxStreams;
  final ServerOutput output;
  final Http2RequestReceiver receiver;
  final ServerTimes times;

  /** Requests whose answer has not ended, including those of streams that were reset. */
  private final AtomicInteger live = new AtomicInteger();

  volatile boolean ending; // no further request is accepted: closes when the last is answered
  private volatile boolean closed; // memory is released when the last request is answered

  // Used by the loop only.
  private State state = State.OPEN;
  private @Nullable UpgradeOffer offer; // until its request is taken
  private boolean settled;
  private boolean draining;
  private boolean ended;
  private int cutBytes; // the memory counted for a partial frame or field block

  /**
   * @param budget what the server holds for all its peers
   * @param origins those that the server's clients have named last
   * @param listener receives the requests and the end of the connection
   * @param offer the request of HTTP/1.1 that upgrades the connection: it is stream 1; null if none
   *     does
   */
  public Http2ServerConnection(
      Channel channel,
      ServerLimits limits,
      MemoryBudget budget,
      RecentOrigins origins,
      RequestListener listener,
      @Nullable UpgradeOffer offer) {
    this.memory = new ConnectionMemory(budget, channel);
    this.channel = channel;
    this.origins = new RequestOrigins(channel, origins);
    this.limits = limits;
    this.listener = listener;
    Http2Limits own = ownLimits(limits, listener.switchesProtocols());
    this.maxStreams = own.maxStreams();
    this.offer = offer;
    this.session = offer == null
        ? new Http2Session(Role.SERVER, own)
        : new Http2Session(own, UpgradeOffer.switchingProtocols());
    this.output = new ServerOutput(this);
    this.times = new ServerTimes(this);
    this.receiver = new Http2RequestReceiver(this);
  }

  private static Http2Limits ownLimits(ServerLimits limits, boolean switchesProtocols) {
    ServerLimits.Http2 ours = limits.http2();
    Http2Limits.Builder settings = Http2Limits.SERVER.toBuilder()
        .heads(limits.codec())
        .maxStreams(ours.maxStreams())
        .windows(ours.streamWindow(), ours.maxStreamWindow())
        .fixedConnectionWindow(ours.connectionWindow())
        .maxFrameBytes(ours.maxFrameBytes())
        .headerTableBytes(ours.headerTableBytes());
    if (switchesProtocols) {
      settings.extendedConnect(); // RFC 8441 §3
    }
    return settings.build();
  }

  @Override
  public long id() {
    return id;
  }

  @Override
  public void start() {
    int table = limits.http2().headerTableBytes() - Http2Limits.SERVER.headerTableBytes();
    memory.hold(CONNECTION_BYTES + Math.max(0, table));
    times.await(ServerTimes.Passed.SETTINGS, limits.headTimeout());
    UpgradeOffer accepted = offer;
    if (accepted == null) {
      output.flush(); // our SETTINGS
    } else {
      offer = null;
      receive(now -> receiver.upgraded(accepted, now)); // which flushes them, behind 101
    }
  }

  @Override
  public void startRefusing(Status status, int retryAfterSeconds) {
    // Unlike a status, GOAWAY says that no request was processed and all may be sent again
    // elsewhere (RFC 9113 §6.8).
    fail(ErrorCode.NO_ERROR, status.reason());
  }

  /** Starts only to tell the client that its TLS is inadequate (RFC 9113 §9.2.2). */
  public void startInadequate(String weakness) {
    fail(ErrorCode.INADEQUATE_SECURITY, weakness);
  }

  @Override
  public void drain() {
    loop().execute(this::beginDrain);
  }

  private void beginDrain() {
    if (state == State.OPEN && !draining) {
      draining = true;
      ending = true;
      output.send(session::drain);
      times.await(ServerTimes.Passed.DRAIN, limits.lingerTimeout());
      for (Http2Stream stream : output.openStreams()) {
        if (stream.attachment() instanceof Http2ServerExchange exchange) {
          exchange.drain();
        }
      }
    }
  }

  /** An exchange has switched to another protocol. From any thread. */
  void switched(Http2Upgraded upgraded) {
    loop().execute(() -> {
      if (draining) {
        upgraded.drain();
      }
    });
  }

  @Override
  public long idleUntil() {
    return isBusy() ? Deadline.NEVER_NANOS : times.idleUntil();
  }

  @Override
  public void closeIfUnused() {
    loop().execute(() -> {
      if (!isBusy()) {
        beginDrain();
      }
    });
  }

  @Override
  public void abort() {
    channel.close();
  }

  EventLoop loop() {
    return channel.loop();
  }

  long now() {
    return channel.loop().clock().nanoTime();
  }

  // Receiving, on the loop.

  @Override
  public int readLimit() {
    return memory.readLimit();
  }

  @Override
  public void onBytes(ByteBuffer bytes) {
    if (state != State.OPEN) {
      bytes.position(bytes.limit());
      return;
    }
    receive(now -> receiver.receive(bytes, now));
  }

  /** Takes what the client has sent. */
  private interface Input {
    void take(long nowNanos) throws Http2Exception;
  }

  private void receive(Input input) {
    long now = now();
    times.heard(now);
    @Nullable Http2Exception violation = null;
    try {
      input.take(now);
    } catch (Http2Exception e) {
      violation = e;
    }
    memory.afterRead();
    output.settle(receiver.takeCredit());
    if (violation != null) {
      broken(violation);
      return;
    }
    if (!settled && session.areSettingsAcknowledged()) {
      settled = true;
      if (!draining) {
        times.idleNow();
        times.await(ServerTimes.Passed.IDLE, limits.idleTimeout());
      }
    }
    times.inHead(session.isInHead(), now);
    holdCut();
    if (ending) {
      closeIfDone();
    }
  }

  /**
   * A partial frame or field block takes memory; if the budget is used up, a long one ends the
   * connection, because no other input can come before its end.
   */
  private void holdCut() {
    int now = Math.max(0, session.heldInput() - FREE_CUT_BYTES);
    int more = now - cutBytes;
    cutBytes = now;
    if (more > 0) {
      memory.hold(more);
      if (memory.isExhausted()) {
        session.abandonInput();
        memory.release(cutBytes);
        cutBytes = 0;
        listener.onRefused(channel, "", Headers.empty(), null);
        fail(ErrorCode.ENHANCE_YOUR_CALM, "no memory is left for long heads");
      }
    } else if (more < 0) {
      memory.release(-more);
    }
  }

  /** Reports a request that is refused. */
  void reportRefused(Http2Event.RequestHead head, @Nullable Status status) {
    String line = Responding.requestLine(head.method(), head.target(), HttpVersion.HTTP_2);
    listener.onRefused(channel, line, head.headers(), status);
  }

  /** Whether another request may be admitted; counts it if so. */
  boolean admit() {
    if (live.get() >= maxStreams) {
      return false;
    }
    int before = live.getAndIncrement();
    if (before > 0 && before % GROUP == 0) {
      memory.hold(GROUP * FREE_HEAD_BYTES);
    }
    return true;
  }

  @Override
  public void onEnd() {
    if (state != State.OPEN) {
      channel.close();
      return;
    }
    ended = true;
    ending = true;
    try {
      session.endOfInput();
    } catch (Http2Exception e) {
      output.settle(receiver.takeCredit());
      broken(e);
      return;
    }
    receiver.endAll(new ConnectionLostException(
        "the connection was lost in the middle of the request's body",
        Progress.CONTENT,
        Side.PEER,
        null,
        null));
    closeIfDone();
  }

  @Override
  public void onClosed(@Nullable IOException cause) {
    state = State.CLOSED;
    try {
      cutAll("the connection was lost", cause);
      times.cancel();
    } finally {
      closed = true;
      try {
        if (live.get() == 0) {
          memory.end();
        }
      } finally {
        listener.onClosed(this);
      }
    }
  }

  private void cutAll(String why, @Nullable Exception cause) {
    IOException lost =
        new ConnectionLostException(why, Progress.CONTENT, Side.UNKNOWN, null, cause);
    receiver.endAll(lost);
    for (Http2Stream stream : output.openStreams()) {
      if (stream.attachment() instanceof Http2ServerExchange exchange) {
        exchange.cut(lost);
      }
    }
  }

  // The end, on the loop.

  /** The peer broke the protocol; settling has queued the session's GOAWAY. */
  private void broken(Http2Exception violation) {
    PEERS.log(() -> "the client breaks HTTP/2: " + violation.getMessage() + " on " + channel, null);
    listener.onFault();
    state = State.FAILED;
    ending = true;
    cutAll("the client broke the protocol: " + violation.getMessage(), violation);
    closeIfDone();
  }

  /** Ends the connection from our side. */
  private void fail(ErrorCode code, String why) {
    PEERS.log(() -> "the connection is given up: " + why + " on " + channel, null);
    state = State.FAILED;
    ending = true;
    output.send(() -> session.goAway(code, why));
    cutAll("the connection is given up: " + why, null);
  }

  private void closeIfDone() {
    boolean done =
        switch (state) {
          case OPEN -> !isBusy() && output.isDrained(ended);
          case FAILED -> true;
          case LINGER, CLOSED -> false;
        };
    if (done && output.flush.isIdle()) {
      linger();
    }
  }

  /**
   * Ends the output and waits for the peer to close, so that it can read what was sent last:
   * closing with input unread would reset the connection and might destroy it (RFC 9112 §9.6).
   */
  private void linger() {
    state = State.LINGER;
    memory.readFreely();
    if (ended) {
      channel.close();
    } else {
      channel.shutdownOutput();
      times.forgetRequests();
      times.await(ServerTimes.Passed.LINGER, limits.lingerTimeout());
    }
  }

  /** Whether a request is open or answered. */
  boolean isBusy() {
    return live.get() > 0;
  }

  /**
   * Whether the client need not answer a PING: output is still queued before it, or the client has
   * ended its output and waits for its answers.
   */
  boolean owesUsNothing() {
    return ended || memory.isPausedByBudget() || !output.flush.isIdle();
  }

  void onPassed(ServerTimes.Passed what) {
    if (state != State.OPEN && what != ServerTimes.Passed.LINGER) {
      return;
    }
    switch (what) {
      case SETTINGS -> tooLate(ErrorCode.SETTINGS_TIMEOUT, "SETTINGS were not exchanged in time");
      case HEAD -> {
        // A head that is paused by us is checked again when more of it arrives.
        if (!memory.isPausedByBudget()) {
          listener.onRefused(channel, "", Headers.empty(), null);
          tooLate(ErrorCode.ENHANCE_YOUR_CALM, "a head was not complete in time");
        }
      }
      case IDLE -> beginDrain();
      case DRAIN -> {
        // The peer has not answered our first GOAWAY: its new requests are no longer accepted.
        output.send(() -> session.goAway(ErrorCode.NO_ERROR, ""));
        closeIfDone();
      }
      case SILENCE -> {
        long seconds = Liveness.ANSWER_NANOS / 1_000_000_000;
        cutAll("the client has not answered a PING for " + seconds + " s", null);
        channel.close();
      }
      case LINGER -> channel.close();
    }
  }

  private void tooLate(ErrorCode code, String why) {
    listener.onFault();
    fail(code, why);
  }

  // On the threads that answer.

  void onFlushed() {
    if (ending) {
      loop().execute(this::closeIfDone);
    }
  }

  /** An answer ends: called once for each request that was admitted. */
  void onAnswered() {
    int left = live.decrementAndGet();
    if (left > 0 && left % GROUP == 0) {
      memory.release(GROUP * FREE_HEAD_BYTES);
    }
    if (left == 0) {
      times.idleNow();
      if (closed) {
        memory.end();
      }
      if (ending) {
        loop().execute(this::closeIfDone);
      }
    }
  }

  @Override
  public String toString() {
    return "Http2ServerConnection[" + channel + "]";
  }
}
