package heddle.connection.http2;

import heddle.codec.http2.Http2Event;
import heddle.connection.CollectedContent;
import heddle.connection.CompleteBody;
import heddle.connection.ContentReservation;
import heddle.connection.InboundBody;
import heddle.connection.MinimumRate;
import heddle.connection.RequestFault;
import heddle.connection.WaitLimit;
import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Status;
import heddle.http.Trailers;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The content of one request that a server receives, on its way from the loop, which fills it in,
 * to the answering thread: whole if it came together with the head, otherwise in pieces.
 */
final class ReceivedContent implements InboundBody.Source {
  /** Above this many bytes that the handler has not read, the peer may be silent because of us. */
  private static final int MAX_UNREAD_BYTES = 64 * 1024;

  private final Http2ServerConnection connection;
  private final Http2Event.RequestHead head;
  private final long declaredLength;

  /** Whether it is what the peer sends in another protocol, if the handler switches to it. */
  private final boolean tunnel;

  // Set on the loop before the request is announced.
  private @Nullable InboundBody arriving;
  private @Nullable ContentReservation reservation;
  Body body = Body.empty();
  Trailers trailers = Trailers.none();

  // Used by the loop: content that is collected before the request is announced, how much content
  // has arrived in total, when it began and last arrived, and its rate, once we have waited for it.
  private @Nullable CollectedContent collected;
  long receivedBytes;
  private final long begunAt;
  long heardAt;
  private MinimumRate.@Nullable Progress progress;

  // Used by the loop, set when the request was answered before all of its content had arrived: how
  // much content there may be in total, and until when the rest must have arrived.
  private long mostBytes = Long.MAX_VALUE;
  long restDueAt = Deadline.NEVER_NANOS;

  volatile boolean received; // written by the loop: the whole request has arrived

  /** Set once by the loop: why, through the peer's fault, the rest is missing or not accepted. */
  volatile @Nullable RequestFault fault;

  private boolean owesContinue; // guarded by the ordering lock: the peer waits for 100 (Continue)
  private boolean continueOwed; // used by the loop: whether it did at the last check

  ReceivedContent(
      Http2ServerConnection connection,
      Http2Event.RequestHead head,
      long declaredLength,
      long nowNanos) {
    this.connection = connection;
    this.head = head;
    this.declaredLength = declaredLength;
    this.begunAt = nowNanos;
    this.heardAt = nowNanos;
    this.tunnel = head.protocol() != null;
    this.received = head.endStream();
    this.owesContinue = !head.endStream() && expectsContinue(head);
    this.continueOwed = owesContinue;
  }

  static boolean expectsContinue(Http2Event.RequestHead head) {
    return head.headers().containsToken(HeaderName.EXPECT, "100-continue");
  }

  // On the loop.

  /** Keeps content until the request is announced; the session holds it to the declared length. */
  void collect(ByteBuffer bytes) {
    if (collected == null) {
      collected = new CollectedContent((int) declaredLength);
    }
    receivedBytes += bytes.remaining();
    collected.append(bytes);
  }

  /** All content was collected. */
  void receivedWhole(Headers end) {
    received = true;
    if (collected != null && receivedBytes > 0) {
      body = new CompleteBody(collected.whole(), head.headers());
    }
    collected = null;
    if (!end.isEmpty()) {
      trailers = Trailers.of(end);
    }
  }

  /**
   * The content is delivered in pieces; the request is announced before it is complete.
   *
   * @return the content that was collected so far
   */
  ByteBuffer receiveInPieces() {
    InboundBody inbound =
        new InboundBody(this, connection.loop(), MAX_UNREAD_BYTES, declaredLength, head.headers());
    arriving = inbound;
    if (tunnel) {
      reservation = ContentReservation.ofUpgraded(connection.memory);
      return ByteBuffer.allocate(0);
    }
    reservation = ContentReservation.ofRequest(connection.memory);
    body = inbound;
    trailers = Trailers.of(inbound::trailers);
    CollectedContent content = collected;
    collected = null;
    receivedBytes = 0;
    return content == null ? ByteBuffer.allocate(0) : content.begun();
  }

  /** Takes a piece; false if the content is now longer than the limit. */
  boolean receive(ByteBuffer bytes) {
    receivedBytes += bytes.remaining();
    if (!tunnel && receivedBytes > connection.limits.maxBodyBytes()) {
      return false;
    }
    if (arriving == null) {
      throw new IllegalStateException("content of a request that was announced without");
    }
    int count = bytes.remaining();
    if (!arriving.append(bytes)) {
      connection.receiver.thrownAway(count);
      if (mostBytes == Long.MAX_VALUE) {
        // A handler that has not answered may wait for the end of content that it discards.
        connection.output.consumed(head.stream(), count, 0);
      }
    }
    return true;
  }

  void receivedEnd(Headers end) {
    received = true;
    if (arriving != null) {
      arriving.end(end); // without effect after a failure
    }
  }

  /** The rest will not arrive, or is not accepted; its reader gets the failure. */
  void fail(Status status, IOException failure) {
    fault = new RequestFault(status, failure);
    if (arriving != null) {
      arriving.fail(failure);
    }
  }

  /** Whether content that arrives now has no reader. */
  boolean isDeaf() {
    return arriving == null || fault != null;
  }

  /** The peer may have its answer: only a bounded amount of further content is discarded. */
  void boundRest() {
    if (mostBytes == Long.MAX_VALUE) {
      mostBytes = receivedBytes + connection.limits.maxDiscardBytes();
    }
  }

  /**
   * The request is answered: the rest of its content is discarded if it is short.
   *
   * @return false if it is known to be longer
   */
  boolean awaitRest(long nowNanos) {
    boundRest();
    restDueAt = nowNanos + Deadline.boundedNanos(connection.limits.lingerTimeout());
    return declaredLength <= mostBytes && !isTooMuch();
  }

  /** Whether more has arrived since the request was answered than may be discarded. */
  boolean isTooMuch() {
    return receivedBytes > mostBytes;
  }

  /**
   * Checks that the content arrives fast enough, as long as it has a reader.
   *
   * @param withheld whether our side has kept all streams waiting since this was called last
   * @return when to check again; {@code nowNanos} if it is too slow
   */
  long checkRate(long nowNanos, boolean withheld) {
    if (progress == null) {
      progress = new MinimumRate.Progress(connection.limits.minRate(), begunAt);
      progress.look(begunAt, 0, expectsContinue(head));
    }
    boolean paused = arriving != null && arriving.wasPaused();
    progress.look(nowNanos, receivedBytes, withheld || paused || isDeaf());
    return progress.isTooSlow() ? nowNanos : progress.dueAt();
  }

  /** Whether 100 (Continue) was owed to the peer at some time since the last call. */
  boolean waitedForContinue() {
    boolean owed = continueOwed;
    continueOwed = owed && connection.output.owesContinue(this);
    return owed;
  }

  boolean isTunnel() {
    return tunnel;
  }

  boolean isSlowReader() {
    return arriving != null && arriving.isPaused();
  }

  // Under the ordering lock.

  boolean owesContinue() {
    return owesContinue;
  }

  /** No 100 (Continue) is owed any more. */
  void continued() {
    owesContinue = false;
  }

  // On the answering thread.

  /** Whether the peer is sending, or about to send, the missing content. */
  boolean isExpected() {
    return arriving != null && fault == null && !tunnel && !expectsContinue(head);
  }

  /** What the peer sends in another protocol. Called once. */
  InputStream tunnel() {
    return arriving == null ? InputStream.nullInputStream() : arriving.stream();
  }

  /** The request is answered: the rest of its content is discarded. */
  void discard() {
    if (arriving != null) {
      arriving.close();
    }
  }

  /** The answering thread is done: what the handler has collected is no longer counted. */
  void releaseCollected() {
    if (reservation != null) {
      reservation.release();
    }
  }

  // On the thread that reads the content or, if it is discarded, on the loop.

  @Override
  public void pause() {} // the stream's window holds the peer back

  @Override
  public void resume() {} // the window opens again as the content is read

  @Override
  public void reserve(int bytes) throws IOException {
    if (reservation != null) {
      reservation.resizeTo(bytes);
    }
  }

  @Override
  public void taken(int bytes) {
    connection.output.consumed(head.stream(), bytes, connection.credit.read(bytes));
  }

  @Override
  public void freed(int bytes) {
    connection.memory.taken(bytes);
  }

  @Override
  public void awaited() {
    connection.output.sendContinue(head.stream(), this);
  }

  @Override
  public long checkWait(long since, long now) throws IOException {
    return tunnel
        ? Deadline.NEVER_NANOS
        : WaitLimit.check(connection.limits.bodyTimeout(), since, now);
  }
}
