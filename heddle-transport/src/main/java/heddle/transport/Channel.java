package heddle.transport;

import heddle.http.io.FileInput;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;

/**
 * A connected stream of bytes, both ways. The {@link EventLoop} of the channel reads and passes the
 * bytes to a {@link ChannelListener}; callers write on their own threads.
 *
 * <p>Every method may be called from any thread, except that only one thread may write at a time.
 */
public interface Channel {
  /** Begins to deliver what the peer sends, which waits in the kernel until then. Called once. */
  void start(ChannelListener listener);

  /**
   * Writes all of {@code buffer}. Returns when the operating system has taken every byte; parks the
   * calling thread while it takes no more. To be called on the loop only with {@link
   * Deadline#atOnce}, which never parks.
   *
   * @throws DeadlinePassedException when the deadline passes first; part may have been written, so
   *     that the channel is of use for its protocol only if the rest of the buffer is written next
   * @throws java.io.InterruptedIOException when the thread is interrupted while it waits; its
   *     interrupt flag is set again
   * @throws java.nio.channels.ClosedChannelException when the channel is closed
   * @throws IOException when the network fails
   */
  void write(ByteBuffer buffer, Deadline deadline) throws IOException;

  /** Writes all of {@code buffers}, in order, as {@link #write(ByteBuffer, Deadline)} does. */
  void write(ByteBuffer[] buffers, Deadline deadline) throws IOException;

  /** Whether the operating system can send files here, as {@link #write(FileInput, Deadline)}. */
  default boolean sendsFiles() {
    return false;
  }

  /**
   * Has the operating system send what remains of {@code file}, as {@link #write(ByteBuffer,
   * Deadline)} does for a buffer. Returns early, with bytes remaining, if the file ends before.
   *
   * @throws IOException also if the file cannot be read
   * @throws UnsupportedOperationException unless {@link #sendsFiles}
   */
  default void write(FileInput file, Deadline deadline) throws IOException {
    throw new UnsupportedOperationException("files cannot be sent by " + this);
  }

  /** What the peer has taken, and how long writers have waited for it. */
  WriteProgress writeProgress();

  /**
   * Stops the delivery of bytes, which slows the peer down once the kernel's buffers are full. On
   * the loop it takes effect when {@link ChannelListener#onBytes} returns, elsewhere soon.
   */
  void pauseReading();

  /** Resumes the delivery of bytes. */
  void resumeReading();

  /** Tells the peer that nothing more will be written (a FIN); reading goes on. Idempotent. */
  void shutdownOutput();

  /**
   * Closes the channel. Idempotent; does not wait. A thread that waits in {@link #write} fails with
   * {@link java.nio.channels.ClosedChannelException}; the listener hears {@link
   * ChannelListener#onClosed} on the loop.
   */
  void close();

  /**
   * Closes the channel with a reset (RFC 9293 section 3.10.5), which the peer does not take for an
   * orderly end; what has not left yet is lost. A {@link #close} on a network without resets.
   */
  default void abort() {
    close();
  }

  /** Whether the channel is open on our side; a peer that has gone shows through the listener. */
  boolean isOpen();

  SocketAddress localAddress();

  SocketAddress remoteAddress();

  /** The loop that reads this channel. */
  EventLoop loop();
}
