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
  private final AtomicLong reserved = new AtomicLong();

  public ContentReservation(ConnectionMemory memory) {
    this.memory = memory;
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
    if (more > 0 && !memory.tryHold(more)) {
      throw new ServerOverloadedException(
          "no memory is left for the request's content: " + bytes + " bytes of it would take the"
              + " server beyond its memory budget; read it as a stream or raise the budget",
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
