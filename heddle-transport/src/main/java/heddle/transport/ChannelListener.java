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
   * @param bytes a heap buffer that belongs to the loop: valid during this call only. What is left
   *     in it when the call returns is lost.
   */
  void onBytes(ByteBuffer bytes);

  /** The peer will send no more (a FIN); writing may go on until the channel is closed. */
  void onEnd();

  /**
   * The channel is closed; the last call of all, made exactly once.
   *
   * @param cause what broke the channel, or null when it was closed on our side
   */
  void onClosed(@Nullable IOException cause);
}
