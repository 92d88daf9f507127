package heddle.codec.http2;

import heddle.codec.http2.StreamState.Step;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * One stream of an {@link Http2Session}: a request and its response. {@link #id}, {@link #state},
 * {@link #attachment} and {@link #attach} may be used by any thread; all else is the session's.
 */
public final class Http2Stream {
  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Http2Stream.class, "state", StreamState.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final int id;

  /** Moved by each half for its own side, with compare-and-set. */
  private volatile StreamState state;

  private volatile @Nullable Object attachment;

  Http2Stream(int id, StreamState state, @Nullable Object attachment) {
    this.id = id;
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
   * Takes a step if the table allows it.
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

  @Override
  public String toString() {
    return "stream " + id + " (" + state + ")";
  }
}
