package heddle.bench.driver;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What all drivers have in common: everything but their exchanges. */
interface DriverLifecycle extends AutoCloseable {

  /** The short name that reports and {@code --clients} use, such as {@code okhttp}. */
  String name();

  /** The version of the client's release. */
  String version();

  /**
   * Returns why the client cannot run such a load, in a few words such as {@code no HTTP/2}, or
   * null if it can. Called before {@link #start}, which is not called if there is a reason.
   */
  default @Nullable String refusal(DriverConfig config) {
    return null;
  }

  /** Whether it can pipeline requests over HTTP/1.1, which hardly any client does. */
  default boolean canPipeline() {
    return false;
  }

  /** Whether it can close a connection after a number of requests ({@link Wire#requests}). */
  default boolean canLimitRequests() {
    return false;
  }

  /**
   * Prepares the client. Connections may be opened now or with the first exchanges. If the wire
   * requires HTTP/2, the client must not use anything else: a connection with another protocol is a
   * failure, never an answer.
   *
   * @throws Exception if the client cannot start; the run then fails with this cause
   */
  void start(DriverConfig config) throws Exception;

  /** Closes all connections and ends all threads of the client. */
  @Override
  void close() throws IOException;
}
