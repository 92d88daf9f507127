package heddle.transport;

import heddle.transport.time.Deadline;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;

/** A channel over another one, which does all that is not overridden. */
public interface ForwardingChannel extends Channel {
  /** The channel that calls are forwarded to. */
  Channel target();

  @Override
  default void write(ByteBuffer buffer, Deadline deadline) throws IOException {
    target().write(buffer, deadline);
  }

  @Override
  default void write(ByteBuffer[] buffers, Deadline deadline) throws IOException {
    target().write(buffers, deadline);
  }

  @Override
  default WriteProgress writeProgress() {
    return target().writeProgress();
  }

  @Override
  default void pauseReading() {
    target().pauseReading();
  }

  @Override
  default void resumeReading() {
    target().resumeReading();
  }

  @Override
  default void shutdownOutput() {
    target().shutdownOutput();
  }

  @Override
  default void close() {
    target().close();
  }

  @Override
  default void abort() {
    target().abort();
  }

  @Override
  default boolean isOpen() {
    return target().isOpen();
  }

  @Override
  default SocketAddress localAddress() {
    return target().localAddress();
  }

  @Override
  default SocketAddress remoteAddress() {
    return target().remoteAddress();
  }

  @Override
  default EventLoop loop() {
    return target().loop();
  }
}
