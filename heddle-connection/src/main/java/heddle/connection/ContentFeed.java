package heddle.connection;

import heddle.transport.Deadline;
import java.io.IOException;

/** Where the content of an {@link InboundQueue} comes from. */
interface ContentFeed {
  /** On the loop, and under the queue's lock: too much is unread. Must not block. */
  void pause();

  /** From any thread, and under the queue's lock: more may come. Must not block. */
  void resume();

  /**
   * From any thread: so many bytes that had been kept wait no longer, because the reader has taken
   * them or they are thrown away. For feeds that are held back by credit.
   */
  default void taken(int bytes) {}

  /**
   * From any thread: so many bytes that had been kept take no memory any more, because the reader
   * has done with them or they are thrown away. For feeds that count memory.
   */
  default void freed(int bytes) {}

  /**
   * On the reader's thread: nothing has come that it could read, so it is about to wait.
   *
   * @throws IOException when it would wait for nothing
   */
  default void awaited() throws IOException {}

  /**
   * On the reader's thread, before it parks: how long it may wait, see {@link WaitLimit#check()}.
   *
   * @param since when content came last, or the wait began
   * @param now the time
   */
  default long checkWait(long since, long now) throws IOException {
    return Deadline.NEVER_NANOS;
  }

  /** On the reader's thread: what to throw for a failure. */
  IOException explain(Exception failure);
}
