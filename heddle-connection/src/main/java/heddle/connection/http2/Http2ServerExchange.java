package heddle.connection.http2;

import heddle.codec.http2.Http2Event;
import heddle.codec.http2.Http2Stream;
import heddle.codec.http2.frame.ErrorCode;
import heddle.connection.InterruptScope;
import heddle.connection.MemoryBudget;
import heddle.connection.RequestFault;
import heddle.connection.Responding;
import heddle.connection.ResponseFailedException;
import heddle.connection.ResponseFields;
import heddle.connection.ResponseOutput;
import heddle.connection.ServerExchange;
import heddle.connection.UpgradedStream;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.transport.Channel;
import heddle.transport.Waiting;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer, on one stream. The loop fills in what is received; one other thread,
 * the answering one, enters, asks for the {@link #request}, responds and leaves.
 */
final class Http2ServerExchange implements ServerExchange {
  private final Http2ServerConnection connection;
  private final Http2Event.RequestHead head;
  final Http2Stream stream;
  final ReceivedContent content;
  private final InterruptScope answering = new InterruptScope();

  /** What the answering thread has switched to; null for most. */
  private volatile @Nullable Http2Upgraded upgraded;

  private volatile boolean cut; // the stream has ended, so that no response is needed
  private volatile boolean writable; // the windows may have room; cleared under the ordering lock

  /** The answering thread while it waits for the windows. */
  private volatile @Nullable Thread waiter;

  // Set by the answering thread.
  volatile boolean ending; // the last is about to be written: the peer may have all of it
  volatile boolean finished; // nothing more will be sent

  /** What is counted for the head and collected content; the loop's before it is announced. */
  private long heldBytes;

  // Used by the answering thread.
  long lastRound; // the flush round that writes the content queued last
  private boolean committed;
  private @Nullable Runnable onEnding;

  Http2ServerExchange(
      Http2ServerConnection connection, Http2Event.RequestHead head, ReceivedContent content) {
    this.connection = connection;
    this.head = head;
    this.stream = head.stream();
    this.content = content;
    long bytes = MemoryBudget.bytesOf(head.target(), head.headers());
    this.heldBytes = Math.max(0, bytes - Http2ServerConnection.FREE_HEAD_BYTES);
    if (heldBytes > 0) {
      connection.memory.hold(heldBytes);
    }
  }

  // On the loop.

  /** Content of this length was collected before the request is announced, and is kept with it. */
  void collected(long bytes) {
    heldBytes += bytes;
    connection.memory.hold(bytes);
  }

  /**
   * The stream or the connection has ended, on either side: no answer is needed, so the answering
   * thread is interrupted. Only the first call has an effect.
   */
  void cut(IOException why) {
    cut(why, true);
  }

  /**
   * The peer has ended the stream early. In another protocol that may follow an orderly end which
   * the answering thread has not read yet, so that is not interrupted: reading and writing fail.
   */
  void resetByPeer(IOException why) {
    cut(why, upgraded == null);
  }

  private void cut(IOException why, boolean interrupting) {
    if (cut) {
      return;
    }
    cut = true;
    if (!content.received) {
      content.fail(Status.BAD_REQUEST, why);
    }
    Http2Upgraded known = upgraded;
    if (interrupting && (known == null || !known.isOver())) {
      answering.interrupt();
    }
    wakeWaiter();
  }

  // Under the ordering lock.

  void onWritable() {
    writable = true;
    wakeWaiter();
  }

  void clearWritable() {
    writable = false;
  }

  private void wakeWaiter() {
    Thread waiting = waiter;
    if (waiting != null) {
      connection.loop().unpark(waiting);
    }
  }

  // On the answering thread.

  @Override
  public boolean isOnLoop() {
    return connection.loop().inLoop();
  }

  @Override
  public boolean enter(Runnable ending) {
    onEnding = ending;
    return answering.enter();
  }

  @Override
  public void leave() {
    try {
      try {
        content.discard(); // In any case: unread content counts as held until it is discarded.
      } finally {
        content.releaseCollected();
      }
    } finally {
      try {
        ending();
      } finally {
        answering.leave();
        connection.session.headUnused(stream);
      }
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
    return HttpVersion.HTTP_2;
  }

  @Override
  public Channel channel() {
    return connection.channel;
  }

  @Override
  public long connectionId() {
    return connection.id;
  }

  /** The fields as received. */
  Headers receivedHeaders() {
    return head.headers();
  }

  @Override
  public Request request() {
    return connection.origins.request(head, content.body, content.trailers);
  }

  @Override
  public @Nullable Status statusOfFault(Throwable failure) {
    RequestFault known = content.fault;
    return known != null && known.isBehind(failure) ? known.status() : null;
  }

  @Override
  public boolean hasFault() {
    return content.fault != null;
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
      connection.output.sendContinue(stream, content);
    } else {
      connection.output.sendInterim(stream, status, fields);
    }
    if (isCut()) {
      throw gone();
    }
  }

  @Override
  public ResponseOutput begin(Response response) {
    checkUnanswered();
    return Responding.output(
        response, method(), new Http2ResponseWriter(connection, this, response));
  }

  @Override
  public UpgradedStream switchProtocols(String protocol, Headers fields) throws IOException {
    checkUnanswered();
    if (!isTunnel()) {
      throw new IllegalStateException(this + " is no extended CONNECT");
    }
    if (fields.contains(HeaderName.CONTENT_LENGTH)) {
      throw new IllegalArgumentException(
          "a response to CONNECT has no Content-Length (RFC 9110 section 9.3.6): remove it");
    }
    Headers all =
        ResponseFields.of(fields, ResponseFields.NO_LENGTH, connection.loop().clock());
    if (!connection.output.queueHead(this, Status.OK, all, ByteBuffer.allocate(0), false)) {
      throw gone();
    }
    Http2Upgraded stream = new Http2Upgraded(connection, this);
    upgraded = stream;
    connection.output.flush();
    connection.switched(stream);
    return stream;
  }

  /** Whether it is an extended CONNECT (RFC 8441), which is shown as a GET. */
  boolean isTunnel() {
    return content.isTunnel();
  }

  /** Our end of the other protocol was sent. The peer is to send its own soon. */
  void tunnelEnded() {
    finished = true;
    if (!content.received) {
      connection.loop().execute(() -> connection.receiver.awaitRest(this));
    }
  }

  /** The other protocol is given up. */
  void resetTunnel(ErrorCode code) {
    finished = true;
    connection.output.reset(stream, code);
  }

  /** On the loop: the server begins to close. */
  void drain() {
    Http2Upgraded known = upgraded;
    if (known != null) {
      known.drain();
    }
  }

  private void checkUnanswered() {
    if (finished || committed) {
      throw new IllegalStateException(this + " is answered already");
    }
  }

  static IOException gone() {
    return new IOException("the stream has ended: no answer can be sent");
  }

  @Override
  public void respond(Response response) throws ResponseFailedException {
    checkUnanswered();
    ErrorCode failure = ErrorCode.INTERNAL_ERROR;
    boolean whole = false;
    try {
      if (cut) { // Checked first, so that its interrupt is not blamed on the handler.
        throw gone();
      }
      new Http2ResponseWriter(connection, this, response).write();
      whole = true;
    } catch (IOException e) {
      // The write timeout, an interrupt, or the peer no longer wants an answer.
      committed = true;
      failure = ErrorCode.CANCEL;
    } finally {
      Responding.closeQuietly(response);
      if (whole) {
        finish();
      } else if (committed) {
        finished = true;
        connection.output.reset(stream, failure);
      }
    }
  }

  /** The response is written. */
  void finish() {
    if (finished) {
      return;
    }
    finished = true;
    if (content.received) {
      return;
    }
    if (content.isExpected()) {
      connection.loop().execute(() -> connection.receiver.awaitRest(this));
    } else {
      refuseRest();
    }
  }

  /** The peer need not send the rest of its request, RFC 9113 §8.1. From any thread. */
  void refuseRest() {
    connection.output.reset(stream, ErrorCode.NO_ERROR);
  }

  @Override
  public void abandon() {
    finished = true;
    try {
      connection.output.reset(stream, ErrorCode.INTERNAL_ERROR);
    } catch (RuntimeException | Error e) {
      // The stream cannot be ended alone.
      connection.abort();
      throw e;
    }
  }

  @Override
  public boolean isCut() {
    return cut || !connection.channel.isOpen();
  }

  @Override
  public void reportRefused(@Nullable Status status) {
    connection.reportRefused(head, status);
  }

  @Override
  public void refuse(Response response) {
    Responding.refuse(this, response);
  }

  /** The last of the response is about to be written, or nothing will be. */
  void ending() {
    if (ending) {
      return;
    }
    ending = true;
    Runnable task = onEnding;
    onEnding = null;
    try {
      if (task != null) {
        task.run();
      }
    } finally {
      try {
        releaseHeld();
      } finally {
        connection.onAnswered();
      }
    }
  }

  /** Releases the memory counted for the request. Called once, by the thread that ends it. */
  void releaseHeld() {
    if (heldBytes > 0) {
      connection.memory.release(heldBytes);
      heldBytes = 0;
    }
  }

  /** Parks until the windows may have room, the stream has ended, or the deadline has passed. */
  void awaitWritable(Deadline deadline) throws IOException {
    waiter = Thread.currentThread();
    try {
      Waiting.until(
          () -> writable || cut, connection.loop(), deadline, "waiting for the peer to read");
    } finally {
      waiter = null;
    }
  }

  @Override
  public String toString() {
    return Responding.describe(head.method(), head.target());
  }
}
