package heddle.testkit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a simulated connection: bytes, then an end or a reset, each in flight until its
 * time of arrival and then waiting until the receiver reads. Everything here is guarded by the
 * world's lock.
 */
final class Pipe {
  /** A limit that does not cut anything into pieces. */
  static final int WHOLE = Integer.MAX_VALUE;

  private enum Kind {
    DATA,
    END,
    RESET
  }

  private record Segment(Kind kind, ByteBuffer bytes, long arrives) {}

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final SimLoop loop;
  private final long number;
  private final SimOptions options;
  private final Random random;
  private final Receiver receiver;
  private final ArrayDeque<Segment> inFlight = new ArrayDeque<>();

  private long written;
  private long delivered;
  private int unread;
  private long lastArrival;

  private boolean full;
  private boolean ended;
  private boolean stalled;
  private boolean swallows;
  /** What happens to the pipe once {@code after} bytes have been delivered. */
  private record Plan(long after, Runnable what) {}

  private final PriorityQueue<Plan> plans =
      new PriorityQueue<>(Comparator.comparingLong(Plan::after));

  private int trickleBytes = WHOLE;
  private long trickleNanos;
  private long nextDrop;

  private Agenda.@Nullable Entry delivery;
  private @Nullable Thread writer;
  private @Nullable IOException broken;

  /** The end of the connection that receives from the pipe. */
  interface Receiver {
    /** Whether bytes may be handed over now. Under the lock. */
    boolean isReading();

    boolean isClosed();

    /** How many bytes may be handed over at once; on the loop, without the lock. */
    int readLimit();

    /** Hands bytes to the listener; on the loop, without the lock. */
    void hearBytes(byte[] from, int offset, int length);

    /** On the loop, without the lock. */
    void hearEnd();

    /** The reset has been read. Under the lock. */
    void breakWith(IOException cause);

    /** A reset has arrived, read or not: writes of the receiver fail. Under the lock. */
    void failWrites(IOException cause);

    /** Bytes came for a closed receiver: resets the sender. Under the lock. */
    void bounce();

    /** The connection is to be reset in the middle, for both ends. Under the lock. */
    void resetAll();
  }

  Pipe(SimLoop loop, SimOptions options, long number, Receiver receiver) {
    this.loop = loop;
    this.number = number;
    this.options = options;
    // Each pipe has a separate source, so that traffic on one does not change the others.
    this.random = new Random(options.seed() * 1_000_003 + number);
    this.receiver = receiver;
  }

  // ---- the sender's end

  /** Whether a write would take at least one byte, or fail. */
  boolean isWritable() {
    return broken != null || ended || swallows || (!full && unread < options.sendBuffer());
  }

  /** Takes what fits of the buffer. */
  void take(ByteBuffer buffer) throws IOException {
    if (broken != null) {
      throw new IOException(broken.getMessage(), broken);
    }
    if (swallows) {
      written += buffer.remaining();
      buffer.position(buffer.limit());
      return;
    }
    int room = full ? 0 : options.sendBuffer() - unread;
    int count = Math.min(room, buffer.remaining());
    if (count == 0) {
      return;
    }
    count = SimOptions.piece(options.maxWriteBytes(), count, random);
    byte[] bytes = new byte[count];
    buffer.get(bytes);
    written += count;
    unread += count;
    if (options.maxWriteBytes() < WHOLE) {
      takeBreath();
    }
    send(Kind.DATA, ByteBuffer.wrap(bytes));
  }

  /** After a short write, the channel stays unwritable until the loop makes it writable again. */
  private void takeBreath() {
    full = true;
    loop.schedule(
        loop.clock().nanoTime(),
        () -> loop.locked(() -> {
          full = false;
          wakeWriter();
        }));
  }

  boolean hasWriter() {
    return writer != null;
  }

  boolean isEnded() {
    return ended;
  }

  void writer(@Nullable Thread thread) {
    writer = thread;
  }

  void wakeWriter() {
    if (writer != null) {
      loop.unpark(writer);
    }
  }

  void sendEnd() {
    if (!ended) {
      ended = true;
      wakeWriter();
      if (!swallows) {
        send(Kind.END, NOTHING);
      }
    }
  }

  void sendReset() {
    ended = true;
    send(Kind.RESET, NOTHING);
    loop.schedule(
        lastArrival, () -> loop.locked(() -> receiver.failWrites(new IOException(RESET_TEXT))));
  }

  static final String RESET_TEXT = "Connection reset";

  private void send(Kind kind, ByteBuffer bytes) {
    long arrives = loop.clock().nanoTime() + options.latencyNanos(random);
    lastArrival = Math.max(lastArrival, arrives);
    inFlight.add(new Segment(kind, bytes, lastArrival));
    pump();
  }

  /** Writes fail from now on, and what is on its way is lost. */
  void breakWith(IOException cause) {
    if (broken == null) {
      broken = cause;
    }
    wakeWriter();
  }

  // ---- faults

  void cutAfter(long bytes, Cut how) {
    after(bytes, () -> applyCut(how));
  }

  /** Runs {@code what}, under the lock, once this many bytes have been delivered. */
  void after(long bytes, Runnable what) {
    plans.add(new Plan(bytes, what));
    applyPlans();
  }

  private void applyPlans() {
    for (Plan next = plans.peek(); next != null && next.after() <= delivered; ) {
      plans.remove();
      next.what().run();
      next = plans.peek();
    }
  }

  /** How many more bytes may be delivered before something happens. */
  private long untilPlan() {
    Plan next = plans.peek();
    return next == null ? Long.MAX_VALUE : next.after() - delivered;
  }

  /** From now on delivers at most {@code bytes} at a time, with {@code everyNanos} in between. */
  void trickle(int bytes, long everyNanos) {
    trickleBytes = bytes;
    trickleNanos = everyNanos;
  }

  void stall(boolean on) {
    loop.schedule(loop.clock().nanoTime(), () -> {});
    stalled = on;
    pump();
  }

  long written() {
    return written;
  }

  long delivered() {
    return delivered;
  }

  private void applyCut(Cut how) {
    switch (how) {
      case RESET -> receiver.resetAll();
      case END -> {
        drop();
        swallows = true;
        send(Kind.END, NOTHING);
        wakeWriter();
      }
    }
  }

  void drop() {
    inFlight.clear();
    unread = 0;
  }

  // ---- the receiver's end

  /** Whether bytes have arrived that the receiver has not read. */
  boolean holdsUnreadBytes() {
    long now = loop.clock().nanoTime();
    return inFlight.stream().anyMatch(s -> s.kind() == Kind.DATA && s.arrives() <= now);
  }

  /** Schedules the delivery of what has arrived, if the receiver reads. */
  void pump() {
    Segment head = inFlight.peek();
    if (head == null || delivery != null || stalled) {
      return;
    }
    if (receiver.isReading() || receiver.isClosed()) {
      long at = Math.max(loop.clock().nanoTime(), Math.max(head.arrives(), nextDrop));
      delivery = loop.schedule(at, this::deliver);
    }
  }

  /** One step of delivery; on the loop. */
  private void deliver() {
    byte[] piece = NOTHING.array();
    boolean end = false;
    int limit = receiver.readLimit();
    loop.lock().lock();
    try {
      delivery = null;
      Segment head = inFlight.peek();
      if (head == null || stalled || head.arrives() > loop.clock().nanoTime()) {
        pump();
        return;
      }
      if (receiver.isClosed()) {
        refuse();
        return;
      }
      if (!receiver.isReading()) {
        return;
      }
      loop.clock().note(number);
      switch (head.kind()) {
        case DATA -> piece = nextPiece(head, limit);
        case END -> {
          inFlight.remove();
          end = true;
        }
        case RESET -> {
          inFlight.clear();
          receiver.breakWith(new IOException(RESET_TEXT));
        }
      }
    } finally {
      loop.lock().unlock();
    }
    if (end) {
      receiver.hearEnd();
    } else if (piece.length > 0) {
      receiver.hearBytes(piece, 0, piece.length);
    }
    loop.locked(this::afterDelivery);
  }

  private void refuse() {
    boolean hadBytes = inFlight.stream().anyMatch(segment -> segment.kind() == Kind.DATA);
    drop();
    if (hadBytes) {
      receiver.bounce();
    }
  }

  private byte[] nextPiece(Segment head, int limit) {
    int most = Math.min(limit, trickleBytes);
    int available =
        (int) Math.min(Math.min(head.bytes().remaining(), most), Math.max(1, untilPlan()));
    nextDrop = loop.clock().nanoTime() + trickleNanos;
    byte[] piece = new byte[SimOptions.piece(options.maxReadBytes(), available, random)];
    head.bytes().get(piece);
    if (!head.bytes().hasRemaining()) {
      inFlight.remove();
    }
    delivered += piece.length;
    loop.clock().note(delivered);
    unread -= piece.length;
    return piece;
  }

  private void afterDelivery() {
    wakeWriter();
    applyPlans();
    pump();
  }
}
