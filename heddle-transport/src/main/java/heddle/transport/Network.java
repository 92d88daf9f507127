package heddle.transport;

import heddle.transport.time.Clock;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.function.Consumer;

/** Opens and accepts {@linkplain Channel channels}, and owns the loops that serve them. */
public interface Network extends AutoCloseable {
  /**
   * Opens a channel; parks the calling thread until it is connected. The channel reads nothing
   * before {@link Channel#start}.
   *
   * @throws DeadlinePassedException when the deadline passes first
   * @throws java.io.InterruptedIOException when the thread is interrupted; its flag is set again
   * @throws java.net.ConnectException when the peer refuses
   * @throws IOException when the network fails or is closed
   */
  Channel connect(SocketAddress address, Deadline deadline) throws IOException;

  /**
   * Accepts channels at an address.
   *
   * @param address the address to bind; port 0 lets the system choose
   * @param backlog how many connections the system may hold until they are accepted
   * @param onAccept called on a loop for each new channel, which it {@linkplain Channel#start
   *     starts} or closes; must not block
   * @throws java.net.BindException when the address is in use
   */
  Listening listen(SocketAddress address, int backlog, Consumer<Channel> onAccept)
      throws IOException;

  /** A loop for timers and tasks that belong to no channel. */
  EventLoop loop();

  Clock clock();

  /** Closes every channel and ends the loops. Idempotent. */
  @Override
  void close();

  /** A bound address that accepts channels. */
  interface Listening extends AutoCloseable {
    /** Where it listens, with the port that the system chose. */
    SocketAddress address();

    /**
     * Sets the task that runs on the loop when accepting pauses because the process may open no
     * more files: it closes what is not in use, and does not block.
     */
    default void onExhausted(Runnable makeRoom) {}

    /** Stops accepting and frees the address; channels already accepted live on. Idempotent. */
    @Override
    void close();
  }
}
