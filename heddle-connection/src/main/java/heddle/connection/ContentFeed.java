package heddle.connection;

import heddle.transport.time.Deadline;
import java.io.IOException;

/** The source of an {@link InboundQueue}'s content. */
interface ContentFeed {
  /** On the loop, and under the queue's lock: too much is unread. Must not block. */
  void pause();

  /** From any thread, and under the queue's lock: more may come. Must not block. */
  void resume();

  /**
   * From any thread: {@code bytes} queued bytes wait no longer, because the reader has taken them
   * or they were discarded. For feeds with flow control.
   */
  default void taken(int bytes) {}

  /**
   * From any thread: {@code bytes} queued bytes no longer take memory, because the reader is done
   * with them or they were discarded. For feeds that count memory.
   */
  default void freed(int bytes) {}

  /**
   * On the reader's thread: there is nothing to read, so it is about to wait.
   *
   * @throws IOException if the content will never come
   */
  default void awaited() throws IOException {}

  /**
   * On the reader's thread, before it parks: how long it may wait, see {@link WaitLimit#check()}.
   *
   * @param since when content last arrived, or the wait began
   * @param now the time
   */
  default long checkWait(long since, long now) throws IOException {
    return Deadline.NEVER_NANOS;
  }

  /** On the reader's thread: what to throw for a failure. */
  IOException explain(Exception failure);
}
