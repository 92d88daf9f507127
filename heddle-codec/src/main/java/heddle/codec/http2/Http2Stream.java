package heddle.codec.http2;

import heddle.codec.http2.ClosedStreams.How;
import heddle.codec.http2.StreamState.Step;
import heddle.http.Method;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * One stream of an {@link Http2Session}: a request and its response. {@link #id}, {@link #state},
 * {@link #attachment} and {@link #attach} may be used by any thread; all else is the session's.
 */
public final class Http2Stream {
  private static final VarHandle STATE =
      SharedState.handle(MethodHandles.lookup(), "state", StreamState.class);
  private static final VarHandle HEAD_CHARGE =
      SharedState.handle(MethodHandles.lookup(), "headCharge", int.class);

  /** No Content-Length was given. */
  static final long NO_LENGTH = -1;

  private final int id;

  /** The request's. */
  final Method method;

  /** Moved by each half for its own side, with compare-and-set. */
  private volatile StreamState state;

  /** How the stream was closed; written before {@link #state} becomes CLOSED by a reset. */
  private How closing = How.NOT_RESET;

  private volatile @Nullable Object attachment;

  /** What the stream's heads have taken of {@link HeadBudget} and not given back. */
  private volatile int headCharge;

  /** Whether only the stream itself still holds its heads; written once. */
  private volatile boolean headUnused;

  // ---- the loop's

  /** Bytes of the heads and trailers that have come. */
  private int headBytes;

  /** Whether the head of the message (a final response) has come. */
  boolean headReceived;

  /** Whether the message has no content whatever its Content-Length says (RFC 9110 §6.4.1). */
  boolean noContent;

  /** Whether what follows the head are the bytes of a tunnel (RFC 9113 §8.5). */
  boolean tunnel;

  int interims;

  /** The announced Content-Length, and how much of it has come. */
  long announced = NO_LENGTH;

  long received;

  /**
   * What may come; null before the first DATA, and for content that came in one frame. Written by
   * the loop before it hands the DATA on.
   */
  @Nullable
  Inflow inflow;

  /** Credit that the peer gave in all. */
  long credited;

  // ---- guarded by the driver's lock

  /** What may be sent; null when there is no content to send. */
  @Nullable
  Outflow outflow;

  /** Whether the head of the message (a final response) was sent. */
  boolean headSent;

  /** What is still to be taken of the Content-Length that we announced. */
  long announcedToSend = NO_LENGTH;

  /** The batch of output in which frames of this stream were queued last. */
  long batch;

  /** The stream's state in {@link DataScheduler}. */
  DataScheduler.State sending = DataScheduler.State.NONE;

  int granted;

  Http2Stream(int id, Method method, StreamState state, @Nullable Object attachment) {
    this.id = id;
    this.method = method;
    this.state = state;
    this.attachment = attachment;
  }

  /** From 1 to 2^31-1; odd, because the client opens every stream. */
  public int id() {
    return id;
  }

  /** Where the stream stands now; either half of the session may move it on at any time. */
  public StreamState state() {
    return state;
  }

  /** What the driver has attached: its exchange. */
  public @Nullable Object attachment() {
    return attachment;
  }

  /** Attaches the driver's exchange, in place of what was attached before. */
  public void attach(@Nullable Object exchange) {
    attachment = exchange;
  }

  /**
   * On the loop: takes room for a head, an interim head or trailers of this size in bytes; false if
   * there is no room.
   */
  boolean chargeHead(int bytes, HeadBudget budget) {
    int charge = HeadBudget.charge(headBytes + bytes) - HeadBudget.charge(headBytes);
    if (!budget.take(charge)) {
      return false;
    }
    headBytes += bytes;
    if (charge > 0) {
      HEAD_CHARGE.getAndAdd(this, charge);
      releaseHeadIfOver(budget); // It may have ended before the charge could be seen.
    }
    return true;
  }

  /** The driver holds the heads no longer. From any thread, more than once. */
  void headUnused(HeadBudget budget) {
    headUnused = true;
    releaseHeadIfOver(budget);
  }

  /** Gives back what the heads have taken, once the stream is closed and the driver is done. */
  void releaseHeadIfOver(HeadBudget budget) {
    if (headUnused && state == StreamState.CLOSED && headCharge > 0) {
      budget.release((int) HEAD_CHARGE.getAndSet(this, 0));
    }
  }

  How closing() {
    return closing;
  }

  /**
   * Takes a step if its state allows it.
   *
   * @return the state after it, or null when the step is not allowed in the state as it is
   */
  @Nullable
  StreamState step(Step step) {
    while (true) {
      StreamState before = state;
      StreamState after = before.after(step);
      if (after == null || STATE.compareAndSet(this, before, after)) {
        return after;
      }
    }
  }

  /** Closes the stream by a reset; false when it is closed already. */
  boolean reset(boolean byPeer) {
    if (state == StreamState.CLOSED) {
      return false;
    }
    // If the other half closes it at the same time, the peer's late frames are ignored: no harm.
    closing = byPeer ? How.RESET_BY_PEER : How.RESET_BY_US;
    return step(Step.RESET) != null;
  }

  @Override
  public String toString() {
    return "stream " + id + " (" + state + ")";
  }
}
