package heddle.load.cluster.crew;

import java.io.IOException;
import java.time.Duration;

/** Another process that takes orders. */
public interface Peer extends AutoCloseable {

  /** Its messages. */
  LineChannel channel();

  /** How far its clock is ahead of that of this process. */
  default Duration ahead() {
    return Duration.ZERO;
  }

  /** How it ended, and its last output, for an error message. */
  String lastWords() throws IOException, InterruptedException;

  /** Ends it, or the connection to it, at once. */
  @Override
  void close();
}
