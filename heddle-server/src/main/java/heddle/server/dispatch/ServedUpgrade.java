package heddle.server.dispatch;

import heddle.connection.UpgradedStream;
import heddle.server.spi.Upgraded;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Objects;

/** What a handler sees of an exchange that has switched to another protocol. */
final class ServedUpgrade implements Upgraded {
  private final UpgradedStream stream;

  ServedUpgrade(UpgradedStream stream) {
    this.stream = stream;
  }

  @Override
  public InputStream input() {
    return stream.input();
  }

  @Override
  public OutputStream output() {
    return stream.output();
  }

  @Override
  public void onDrain(Runnable task) {
    stream.onDrain(Objects.requireNonNull(task, "task"));
  }

  @Override
  public void reserve(int bytes) throws IOException {
    stream.reserve(bytes);
  }

  @Override
  public void close() {
    stream.close();
  }

  @Override
  public void abort() {
    stream.abort();
  }
}
