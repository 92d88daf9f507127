package heddle.adapters.aws;

import heddle.http.Body;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Streamed content, cut to its announced length and with an optional write timeout. */
final class StreamedBody extends Body {
  private final Body content;
  private final @Nullable Duration writeTimeout;
  private final Consumer<IOException> onStall;

  /**
   * @param content must have at least its announced length
   * @param writeTimeout how long the server may accept no bytes of it; null for no limit
   * @param onStall called when that time has passed
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
