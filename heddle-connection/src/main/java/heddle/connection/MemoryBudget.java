package heddle.connection;

import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.transport.Channel;
import heddle.transport.InsertionOrderedSet;
import heddle.transport.SecureChannel;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;

/**
 * What a server may hold in memory for all its peers together: their connections, the requests that
 * are being answered, their heads, unread content, and output that a peer does not read. When it is
 * used up new work is refused, and connections that hold unread content are not read, until memory
 * is returned.
 *
 * <p>It is an account, not a guard of each allocation: what has arrived is counted after it was
 * read. Therefore {@linkplain #readLimit reads become shorter} as the budget is used up, and the
 * limit is passed by two of the shortest for each connection at most. Each connection counts in
 * steps of {@value ConnectionMemory#STEP_BYTES} bytes, so that small requests do not update the
 * shared counter. Safe for use by many threads.
 */
public final class MemoryBudget {
  /** What a connection in cleartext costs, its socket and a small request included: 4 KiB. */
  public static final int CONNECTION_BYTES = 4 * 1024;

  /** What a connection under TLS costs, with the JDK's state of it: 24 KiB. */
  public static final int TLS_CONNECTION_BYTES = 24 * 1024;

  /** What a request costs while it is answered: 24 KiB, of them 16 for a piece of its response. */
  public static final int REQUEST_BYTES = 24 * 1024;

  /**
   * What a write under TLS takes beyond its connection's cost while the peer does not read, if its
   * content is longer than a record (16 KiB): a buffer of four records, 73 KiB.
   */
  public static final int TLS_WRITE_BYTES = 73 * 1024;

  private static final int RECORD_BYTES = 16 * 1024;

  /** The least that a budget may be: 64 KiB. */
  public static final long LEAST_BYTES = 64 * 1024;

  /** What one read may bring when the budget is used up: 4 KiB. */
  public static final int LEAST_READ_BYTES = 4 * 1024;

  /** The most loops that may read at the same time; each gets this part of the remaining budget. */
  private static final int READS_AT_ONCE = 64;

  /** What a connection that is read again may bring before it is paused the next time. */
  private static final long READ_BYTES = 64 * 1024;

  /** What each field costs in addition to its name and value, as in RFC 7541 §4.1. */
  private static final int FIELD_BYTES = 32;

  private final long bytes;
  private final IntSupplier requests;
  private final long bytesPerRequest;
  private final AtomicLong held = new AtomicLong();
  private final AtomicLong peak = new AtomicLong();
  private final LargeBuffers largeBuffers = new LargeBuffers();

  /** Connections that are not read until memory is returned. */
  private final InsertionOrderedSet<ConnectionMemory> paused = new InsertionOrderedSet<>();

  /** As the other constructor, but counts no requests. */
  public MemoryBudget(long bytes) {
    this(bytes, () -> 0, 1);
  }

  /**
   * A budget that counts each request that is being answered as {@link #REQUEST_BYTES}, or as less
   * if a server was told to admit more of them than the budget has room for.
   *
   * @param requests how many are being answered, which many threads ask for
   * @param maxRequests how many there may be
   * @throws IllegalArgumentException if {@code bytes} is less than {@link #LEAST_BYTES}
   */
  public MemoryBudget(long bytes, IntSupplier requests, int maxRequests) {
    if (bytes < LEAST_BYTES) {
      throw new IllegalArgumentException(
          "the memory budget must be at least " + LEAST_BYTES + " bytes, but was " + bytes);
    }
    this.bytes = bytes;
    this.requests = requests;
    this.bytesPerRequest = Math.min(REQUEST_BYTES, bytes / maxRequests);
  }

  /** Buffers in which long responses are gathered. */
  LargeBuffers largeBuffers() {
    return largeBuffers;
  }

  /** A quarter of the heap that the JVM may use ({@code -Xmx}). */
  public static long defaultBytes() {
    return Math.max(LEAST_BYTES, Runtime.getRuntime().maxMemory() / 4);
  }

  public long bytes() {
    return bytes;
  }

  /** Bytes that are held now, in the steps in which they are counted; requests are not included. */
  public long held() {
    return held.get();
  }

  /** The most bytes that were held at once so far. */
  public long peak() {
    return peak.get();
  }

  /** Whether new work must be refused. */
  public boolean isExhausted() {
    return held.get() >= forOthers();
  }

  /** Whether requests and the memory held together use at least half of the budget. */
  boolean isHalfUsed() {
    return held.get() >= forOthers() - bytes / 2;
  }

  /**
   * How many bytes one read of a connection may bring: a small part of the remaining budget,
   * because it is counted only afterwards, and at least {@link #LEAST_READ_BYTES}.
   */
  public int readLimit() {
    long part = (forOthers() - held.get()) / READS_AT_ONCE;
    return Math.clamp(part, LEAST_READ_BYTES, Integer.MAX_VALUE);
  }

  /** What the requests that are being answered leave of the budget. */
  private long forOthers() {
    return bytes - requests.getAsInt() * bytesPerRequest;
  }

  /** Counts bytes as held for a peer; never refused, because they have already arrived. */
  public void hold(long more) {
    reached(held.addAndGet(more));
  }

  private void reached(long now) {
    if (now > peak.get()) {
      peak.accumulateAndGet(now, Math::max);
    }
  }

  /** Counts bytes that are about to be allocated, if there is room for all of them. */
  boolean tryHold(long more) {
    long most = forOthers();
    long before = held.get();
    while (before + more <= most) {
      long seen = held.compareAndExchange(before, before + more);
      if (seen == before) {
        reached(before + more);
        return true;
      }
      before = seen;
    }
    return false;
  }

  /** Counts bytes as no longer held, and resumes paused connections as far as that allows. */
  public void release(long fewer) {
    long now = held.addAndGet(-fewer);
    if (paused.isEmpty()) {
      return;
    }
    // A connection that is not resumed here holds memory itself, and is resumed when it returns it.
    for (long room = forOthers() - now; room > 0; room -= READ_BYTES) {
      ConnectionMemory first = paused.first();
      if (first == null) {
        return;
      }
      first.resumeReading();
    }
  }

  void addPaused(ConnectionMemory connection) {
    paused.add(connection);
  }

  void removePaused(ConnectionMemory connection) {
    paused.remove(connection);
  }

  /** What a channel takes to encrypt this content, until all of it is written; 0 in cleartext. */
  public static int bytesToEncrypt(Channel channel, ByteBuffer[] content) {
    if (!(channel instanceof SecureChannel)) {
      return 0;
    }
    long sum = 0;
    for (ByteBuffer each : content) {
      sum += each.remaining();
    }
    return sum > RECORD_BYTES ? TLS_WRITE_BYTES : 0;
  }

  /** About how much memory a request's head takes. */
  public static long bytesOf(String target, Headers headers) {
    long sum = target.length();
    for (int i = 0; i < headers.size(); i++) {
      HeaderName name = headers.name(i);
      sum += FIELD_BYTES + name.toString().length() + headers.valueLength(i);
    }
    return sum;
  }
}
