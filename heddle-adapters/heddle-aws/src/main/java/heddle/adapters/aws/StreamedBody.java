package heddle.adapters.aws;

import heddle.http.Body;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Content that is produced while it is sent: as much as is announced, and within a time. */
final class StreamedBody extends Body {
  private final Body content;
  private final @Nullable Duration writeTimeout;
  private final Consumer<IOException> onStall;

  /**
   * @param content of its announced length, or more
   * @param writeTimeout how long the server may take nothing of it; null for ever
   * @param onStall told when that time has passed
   */
  StreamedBody(Body content, @Nullable Duration writeTimeout, Consumer<IOException> onStall) {
    this.content = content;
    this.writeTimeout = writeTimeout;
    this.onStall = onStall;
  }

  @Override
  public long length() {
    return content.length();
  }

  @Override
  public boolean isReplayable() {
    return content.isReplayable();
  }

  @Override
  public InputStream stream() throws IOException {
    InputStream produced = content.stream();
    InputStream announced = length() == UNKNOWN ? produced : new Truncated(produced, length());
    Duration timeout = writeTimeout;
    return timeout == null ? announced : WriteWatch.over(announced, timeout, onStall);
  }

  @Override
  public void close() throws IOException {
    content.close();
  }
}
