package heddle.transport;

import heddle.transport.time.Clock;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.function.Consumer;

/** A network over another one, which does all that is not overridden. */
public interface ForwardingNetwork extends Network {
  /** The network that calls are forwarded to. */
  Network target();

  @Override
  default Channel connect(SocketAddress address, Deadline deadline) throws IOException {
    return target().connect(address, deadline);
  }

  @Override
  default Listening listen(SocketAddress address, int backlog, Consumer<Channel> onAccept)
      throws IOException {
    return target().listen(address, backlog, onAccept);
  }

  @Override
  default EventLoop loop() {
    return target().loop();
  }

  @Override
  default Clock clock() {
    return target().clock();
  }

  @Override
  default void close() {
    target().close();
  }
}
