package heddle.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Hears what happens on a {@link Channel}. Always called on the channel's loop, one call at a time;
 * must neither block nor run user code. An exception that escapes closes the channel and is handed
 * to {@link #onClosed}.
 */
public interface ChannelListener {
  /**
   * The peer sent something.
   *
   * @param bytes a heap buffer that belongs to the loop, or a direct one if all of it is {@link
   *     #contentAhead}; valid during this call only, after which the rest of it is lost
   */
  void onBytes(ByteBuffer bytes);

  /**
   * How many of the bytes that come next are content, which the listener does not look into but
   * copies: these need no copy in the heap to be parsed from. 0 if that is not known.
   */
  default long contentAhead() {
    return 0;
  }

  /**
   * How many bytes the next read may bring at most; must be positive. The channel asks before each
   * read, and leaves the rest with the operating system. A channel that decrypts limits what it
   * reads, not what it hands on: the rest of a record that was cut before may come on top.
   */
  default int readLimit() {
    return Integer.MAX_VALUE;
  }

  /** The peer will send no more (a FIN); writing may go on until the channel is closed. */
  void onEnd();

  /**
   * The channel is closed; the last call of all, made exactly once.
   *
   * @param cause what broke the channel, or null when it was closed on our side
   */
  void onClosed(@Nullable IOException cause);
}
