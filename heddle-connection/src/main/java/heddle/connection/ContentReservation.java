package heddle.connection;

import heddle.http.failure.ServerOverloadedException;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The part of the {@link MemoryBudget} for content of one request that its handler collects in
 * memory, until the request is answered. One thread at a time grows it; any thread may release it.
 */
public final class ContentReservation {
  private static final long RELEASED = -1;

  private final ConnectionMemory memory;
  private final boolean spareOnly;
  private final AtomicLong reserved = new AtomicLong();

  private ContentReservation(ConnectionMemory memory, boolean spareOnly) {
    this.memory = memory;
    this.spareOnly = spareOnly;
  }

  /** For a request, which is answered within a time. */
  public static ContentReservation ofRequest(ConnectionMemory memory) {
    return new ContentReservation(memory, false);
  }

  /**
   * For an exchange that has switched to another protocol. As it may hold its content for ever, it
   * leaves half of the budget to others.
   */
  public static ContentReservation ofUpgraded(ConnectionMemory memory) {
    return new ContentReservation(memory, true);
  }

  /**
   * Reserves {@code bytes} bytes in total, before they are allocated, instead of what was reserved.
   *
   * @throws ServerOverloadedException if the budget has no room for them; nothing has changed then
   * @throws IOException if the request is answered already, so that nothing would release them
   */
  public void resizeTo(int bytes) throws IOException {
    long before = reserved.get();
    if (before == RELEASED) {
      throw answered();
    }
    long more = bytes - before;
    if (more > 0 && !(spareOnly ? memory.tryHoldSpare(more) : memory.tryHold(more))) {
      throw new ServerOverloadedException(
          "no memory is left for the client's content: " + bytes
              + " bytes of it would take the server"
              + " beyond its memory budget" + (spareOnly ? ", of which requests keep half" : "")
              + "; take it in pieces or raise the budget",
          null,
          null);
    }
    boolean open = reserved.compareAndSet(before, bytes);
    if (open ? more < 0 : more > 0) {
      memory.release(Math.abs(more));
    }
    if (!open) {
      throw answered();
    }
  }

  private static IOException answered() {
    return new IOException("the request has been answered: its body cannot be read any more");
  }

  /** The request is answered: nothing is held for it, now or later. Idempotent. */
  public void release() {
    long before = reserved.getAndSet(RELEASED);
    if (before > 0) {
      memory.release(before);
    }
  }
}
