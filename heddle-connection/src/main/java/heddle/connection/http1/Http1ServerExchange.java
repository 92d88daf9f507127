package heddle.connection.http1;

import heddle.codec.Event;
import heddle.codec.http1.Http1Session;
import heddle.connection.CompleteBody;
import heddle.connection.ConnectionMemory.Reason;
import heddle.connection.ContentReservation;
import heddle.connection.InboundBody;
import heddle.connection.InterruptScope;
import heddle.connection.MemoryBudget;
import heddle.connection.RequestFault;
import heddle.connection.Responding;
import heddle.connection.ResponseFailedException;
import heddle.connection.ResponseOutput;
import heddle.connection.ServerExchange;
import heddle.connection.UpgradedStream;
import heddle.connection.WaitLimit;
import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.Trailers;
import heddle.transport.Channel;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** One request and its answer. The loop fills in what is received; one other thread answers. */
final class Http1ServerExchange implements ServerExchange, InboundBody.Source {
  /** Above this many bytes that the handler has not read, no more are read from the channel. */
  static final int MAX_UNREAD_BYTES = 64 * 1024;

  private final Http1ServerConnection connection;
  final Http1Session session;
  private final Event.RequestHead head;
  private final long declaredLength;
  private final @Nullable ContinueGate gate;

  // Set on the loop before the exchange is announced.
  private @Nullable InboundBody arriving;
  private @Nullable ContentReservation collected;
  private Body body = Body.empty();
  private Trailers trailers = Trailers.none();

  // What the head takes in memory, and what is counted for it and for collected content: the loop's
  // before the exchange is announced.
  private final long headBytes;
  private long heldBytes;

  // Written by the loop only, the fault once: what is wrong with the rest of the request.
  private volatile long receivedBytes;
  private volatile @Nullable RequestFault fault;

  /** The content while it arrives, if there is any; used by the loop only. */
  @Nullable
  ArrivingContent content;

  /** What the answering thread has switched to; null for most. */
  private volatile @Nullable Http1Upgraded upgraded;

  final InterruptScope answering = new InterruptScope();

  // Of a request that has arrived together with others: set on the loop before the first of them is
  // announced. The next is announced by the thread that has answered this one.
  private @Nullable GatheredResponses gathered;
  private @Nullable Http1ServerExchange next;

  // The answering thread's own.
  private boolean handedOn;
  private boolean committed;
  private boolean finished;
  private @Nullable Runnable onEnding;

  Http1ServerExchange(
      Http1ServerConnection connection,
      Http1Session session,
      Event.RequestHead head,
      long declaredLength) {
    this.connection = connection;
    this.session = session;
    this.head = head;
    this.declaredLength = declaredLength;
    this.gate = head.expectContinue() ? new ContinueGate(connection, session) : null;
    this.headBytes = MemoryBudget.bytesOf(head.target(), head.headers());
    collects(0);
  }

  // On the loop.

  /** A request that has arrived together with this one is to be answered next. */
  void followedBy(Http1ServerExchange follower) {
    if (gathered == null) {
      gathered = new GatheredResponses(connection);
    }
    follower.gathered = gathered;
    next = follower;
    // The connection's fixed cost covers the first head only.
    connection.memory().hold(follower.headBytes - follower.heldBytes);
    follower.heldBytes = follower.headBytes;
  }

  /** The last of the requests that have arrived together with this one. */
  Http1ServerExchange last() {
    Http1ServerExchange last = this;
    for (Http1ServerExchange each = next; each != null; each = each.next) {
      last = each;
    }
    return last;
  }

  /** Interrupts the threads that answer this request and those that have arrived with it. */
  void interrupt() {
    for (Http1ServerExchange each = this; each != null; each = each.next) {
      each.answering.interrupt();
    }
  }

  Event.RequestHead head() {
    return head;
  }

  /** The content is delivered in pieces; the request is announced before it is complete. */
  void receiveInPieces() {
    collected = ContentReservation.ofRequest(connection.memory());
    InboundBody inbound = new InboundBody(
        this, connection.channel().loop(), MAX_UNREAD_BYTES, declaredLength, head.headers());
    arriving = inbound;
    body = inbound;
    trailers = Trailers.of(inbound::trailers);
  }

  void receivedWhole(byte[] content, Headers end) {
    if (content.length > 0) {
      body = new CompleteBody(content, head.headers());
    }
    if (!end.isEmpty()) {
      trailers = Trailers.of(end);
    }
  }

  /** Counts content collected before the announcement. Returns whether more is counted now. */
  boolean collects(long contentBytes) {
    long now = Math.max(0, headBytes + contentBytes - RequestReceiver.FREE_HEAD_BYTES);
    if (now <= heldBytes) {
      return false;
    }
    connection.memory().hold(now - heldBytes);
    heldBytes = now;
    return true;
  }

  /** Takes a piece of the body; false if the body is now too long. */
  boolean received(ByteBuffer bytes) {
    int count = bytes.remaining();
    long all = receivedBytes + count;
    receivedBytes = all;
    if (all > connection.limits().maxBodyBytes()) {
      return false;
    }
    if (gate != null) {
      gate.notNeeded();
    }
    connection.memory().arrived(count);
    if (!inbound().append(bytes)) {
      connection.memory().taken(count);
    }
    return true;
  }

  InboundBody inbound() {
    if (arriving == null) {
      throw new IllegalStateException("content of a request that has none");
    }
    return arriving;
  }

  /** The rest of the request will not arrive; the reader of its body gets the failure. */
  void fail(Status status, IOException failure) {
    fault = new RequestFault(status, failure);
    inbound().fail(failure);
  }

  boolean isSlowReader() {
    return inbound().isPaused() || connection.memory().isPausedByBudget();
  }

  // On the answering thread.

  @Override
  public boolean isOnLoop() {
    return connection.channel().loop().inLoop();
  }

  @Override
  public boolean enter(Runnable ending) {
    onEnding = ending;
    return answering.enter();
  }

  @Override
  public void leave() {
    try {
      ending();
    } finally {
      try {
        releaseHeld();
      } finally {
        answering.leave();
        leaveRest();
      }
    }
  }

  /** The requests behind this one will not be answered, unless the next has been announced. */
  private void leaveRest() {
    if (next == null) {
      connection.onLeft();
    } else if (!handedOn) {
      next.leave();
    }
  }

  /** Announces the next request; false if there is none that has arrived with this one. */
  boolean handOn() {
    if (next == null || gathered == null) {
      return false;
    }
    handedOn = true;
    connection.listener.onRequest(next);
    gathered.handedOn(this);
    return true;
  }

  /** Writes a part of a response, if there is any, behind all that waits to be written. */
  void write(ByteBuffer... output) throws IOException {
    if (output.length == 0) {
      return;
    }
    if (gathered == null) {
      connection.write(output);
    } else {
      gathered.write(output);
    }
  }

  /** Writes the end of a response, or has it wait for the next one. */
  void writeLast(ByteBuffer... output) throws IOException {
    if (gathered != null && next != null && output.length > 0 && session.isReusable()) {
      gathered.gather(this, output);
    } else {
      write(output);
    }
  }

  /** Releases the memory counted for the request: called by the thread that ends it. */
  void releaseHeld() {
    if (collected != null) {
      collected.release();
    }
    if (heldBytes > 0) {
      connection.memory().release(heldBytes);
      heldBytes = 0;
    }
  }

  @Override
  public Method method() {
    return head.method();
  }

  @Override
  public String target() {
    return head.target();
  }

  @Override
  public HttpVersion version() {
    return head.version();
  }

  @Override
  public Channel channel() {
    return connection.channel();
  }

  @Override
  public long connectionId() {
    return connection.id();
  }

  @Override
  public Request request() {
    return RequestTarget.request(connection, head, body, trailers);
  }

  @Override
  public @Nullable Status statusOfFault(Throwable failure) {
    RequestFault known = fault;
    return known != null && known.isBehind(failure) ? known.status() : null;
  }

  @Override
  public boolean isCommitted() {
    return committed;
  }

  void commit() {
    committed = true;
  }

  @Override
  public void interim(Status status, Headers fields) throws IOException {
    checkUnanswered();
    if (status.equals(Status.CONTINUE)) {
      awaited();
      return;
    }
    ByteBuffer interim = session.interimHead(status, fields);
    if (interim.hasRemaining()) {
      write(interim);
    }
  }

  @Override
  public ResponseOutput begin(Response head) {
    checkUnanswered();
    return Responding.output(head, method(), new ResponseWriter(connection, this, head));
  }

  @Override
  public UpgradedStream switchProtocols(String protocol, Headers fields) throws IOException {
    checkUnanswered();
    if (arriving != null && !arriving.isComplete()) {
      throw new IllegalStateException(
          "the request's content must be read to its end before the protocol is switched");
    }
    shutContinue();
    Headers all = fields.toBuilder()
        .set(HeaderName.UPGRADE, protocol)
        .set(HeaderName.CONNECTION, "Upgrade")
        .build();
    ByteBuffer head =
        session.responseHead(Status.SWITCHING_PROTOCOLS, all, Http1Session.NO_BODY, false);
    committed = true;
    boolean switched = false;
    try {
      write(head);
      if (collected != null) {
        collected.release();
      }
      collected = ContentReservation.ofUpgraded(connection.memory());
      Http1Upgraded stream = new Http1Upgraded(connection, collected);
      upgraded = stream;
      connection.switched(stream);
      switched = true;
      return stream;
    } finally {
      if (!switched) {
        abandon();
      }
    }
  }

  /** What the answering thread has switched to, if it has. From any thread. */
  @Nullable
  Http1Upgraded upgraded() {
    return upgraded;
  }

  /** Whether the protocol that this was switched to has ended. From any thread. */
  boolean isUpgradedOver() {
    Http1Upgraded stream = upgraded;
    return stream != null && stream.isOver();
  }

  private void checkUnanswered() {
    if (finished || committed) {
      throw new IllegalStateException(this + " is answered already");
    }
  }

  @Override
  public void respond(Response response) throws ResponseFailedException {
    checkUnanswered();
    boolean whole = false;
    try {
      new ResponseWriter(connection, this, response).write();
      whole = true;
    } catch (IOException e) {
      // The write timeout, a reset, an interrupt: the channel cannot be used any more.
      committed = true;
    } finally {
      Responding.closeQuietly(response);
      if (whole) {
        finish();
      } else if (committed) {
        abandon();
      }
    }
  }

  /** The response is written. */
  void finish() {
    if (finished) {
      return;
    }
    finished = true;
    boolean persistent = fault == null && (gate == null || !gate.wasNeverOpened());
    if (arriving != null) {
      arriving.close();
    }
    connection.answered(this, persistent && !isUnreadRestLong());
  }

  @Override
  public void abandon() {
    finished = true;
    if (gathered != null && !isOnLoop()) {
      gathered.writeRest();
    }
    connection.channel().close();
  }

  @Override
  public boolean isCut() {
    return !connection.channel().isOpen();
  }

  @Override
  public void reportRefused(@Nullable Status status) {
    connection.reportRefused(head, status);
  }

  @Override
  public void refuse(Response response) {
    Responding.refuse(this, response);
  }

  /** The last of the response is about to be written. */
  void ending() {
    Runnable task = onEnding;
    onEnding = null;
    if (task != null) {
      task.run();
    }
  }

  @Override
  public boolean hasFault() {
    return fault != null;
  }

  boolean owesContinue() {
    return gate != null && gate.isOwed();
  }

  /** No 100 from now on. Returns whether none was sent though the client expected it. */
  boolean shutContinue() throws IOException {
    return gate != null && gate.shut();
  }

  /** Whether the unread rest of the body is too long to be read only for reuse. */
  boolean isUnreadRestLong() {
    return declaredLength - receivedBytes > connection.limits().maxDiscardBytes()
        && arriving != null;
  }

  // The body's source is the channel, once the client knows that it may send.

  @Override
  public void pause() {
    connection.memory().pause(Reason.UNREAD_CONTENT);
  }

  @Override
  public void resume() {
    connection.memory().resume(Reason.UNREAD_CONTENT);
  }

  @Override
  public void freed(int bytes) {
    connection.memory().taken(bytes);
  }

  @Override
  public void awaited() throws IOException {
    if (gate != null) {
      gate.open();
    }
  }

  @Override
  public long checkWait(long since, long now) throws IOException {
    return WaitLimit.check(connection.limits().bodyTimeout(), since, now);
  }

  @Override
  public void reserve(int bytes) throws IOException {
    if (collected != null) {
      collected.resizeTo(bytes);
    }
  }

  @Override
  public String toString() {
    return Responding.describe(head.method(), head.target());
  }
}
