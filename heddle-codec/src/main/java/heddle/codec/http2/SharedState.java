package heddle.codec.http2;

import heddle.codec.Role;
import heddle.codec.http2.frame.Settings;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** What both halves of a session use. Each field has one writer, or moves by compare-and-set. */
final class SharedState {
  private static final VarHandle OPEN = handle(MethodHandles.lookup(), "open", int.class);
  private static final VarHandle ACCEPTED = handle(MethodHandles.lookup(), "accepted", int.class);

  /** The sign of {@link #accepted}: no further stream of the peer is accepted. */
  private static final int FROZEN = 1 << 31;

  /** Data of the PING that measures the round trip. */
  static final long MEASURE = 0x6865_6464_6C65_0001L;

  /** Data of the PING that ends with the last stream of an orderly end. */
  static final long DRAIN = 0x6865_6464_6C65_0002L;

  final Role role;
  final Http2Limits limits;
  final StreamTable table = new StreamTable();
  final ClosedStreams closed = new ClosedStreams();

  /** The connection's windows; their classes say which thread writes what. */
  final Outflow outflow = new Outflow(0, Settings.INITIAL.initialWindowSize());

  final Inflow inflow;

  /** What the heads of all streams may take. */
  final HeadBudget heads;

  /** Streams that are neither idle nor closed; reduced by the thread that closes a stream. */
  volatile int open;

  /** Server: the highest stream that was accepted, and {@link #FROZEN}. */
  private volatile int accepted;

  /** Client: the id of the next stream, above 2^31-1 when there is none; written under the lock. */
  volatile long nextId = 1;

  /** Time as the loop knew it last; written by the loop. */
  volatile long now;

  /** Frames that wait for a peer which does not read; written under the lock. */
  volatile int queuedControlFrames;

  /** Bytes of frames that wait to be written; written under the lock. */
  volatile int queuedBytes;

  /** Whether the peer knows our settings; written by the loop. */
  volatile boolean settingsAcknowledged;

  SharedState(Role role, Http2Limits limits) {
    this.role = role;
    this.limits = limits;
    inflow = new Inflow(
        0, Settings.INITIAL.initialWindowSize(), limits.connectionWindow(limits.maxStreamWindow()));
    heads =
        new HeadBudget(limits.maxOpenHeadBytes(), limits.maxStreams(), limits.maxHeaderListBytes());
  }

  /** A handle to a field of the class that gives its lookup. */
  static VarHandle handle(MethodHandles.Lookup lookup, String field, Class<?> type) {
    try {
      return lookup.findVarHandle(lookup.lookupClass(), field, type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  void opened() {
    OPEN.getAndAdd(this, 1);
  }

  void closed(Http2Stream stream) {
    OPEN.getAndAdd(this, -1);
    stream.releaseHeadIfOver(heads);
  }

  /** Server: takes a stream of the peer's that is higher than all before; false after freezing. */
  boolean accept(int id) {
    int before = accepted;
    return before >= 0 && ACCEPTED.compareAndSet(this, before, id); // or frozen meanwhile
  }

  /** Accepts no further stream of the peer's; returns the highest that was accepted, 0 if none. */
  int freeze() {
    return (int) ACCEPTED.getAndBitwiseOr(this, FROZEN) & ~FROZEN;
  }

  boolean isFrozen() {
    return accepted < 0;
  }

  /** The highest stream of the peer's that was accepted, 0 if none. */
  int accepted() {
    return accepted & ~FROZEN;
  }

  /** How many WINDOW_UPDATE frames in all go with what was sent: see {@link FloodGuard}. */
  long updatesEarned() {
    long bytes = outflow.sentInAll();
    long streams = role == Role.CLIENT ? nextId >>> 1 : 0;
    return bytes / FloodGuard.BYTES_PER_UPDATE
        + FloodGuard.UPDATES_PER_FRAME * outflow.shortFramesSent()
        + FloodGuard.UPDATES_PER_STREAM * streams;
  }

  /** What a new stream's window is: that of the protocol while the peer may not know ours. */
  int firstWindow() {
    int ours = limits.streamWindow();
    return settingsAcknowledged ? ours : Math.max(65_535, ours); // RFC 9113 §6.9.2
  }

  /**
   * Whether nothing was ever sent or received on the stream (RFC 9113 §5.1). Streams that we no
   * longer accept after our GOAWAY do not count as idle.
   */
  boolean isIdle(int id) {
    boolean ofClient = (id & 1) == 1;
    return role == Role.CLIENT
        ? !ofClient || id >= nextId
        : !ofClient || (id > accepted() && !isFrozen());
  }

  /** Server: whether the stream is one that our GOAWAY has left out (RFC 9113 §6.8). */
  boolean isLeftOut(int id) {
    return role == Role.SERVER && isFrozen() && id > accepted();
  }
}
