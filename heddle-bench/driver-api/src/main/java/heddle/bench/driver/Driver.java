package heddle.bench.driver;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP client under test.
 *
 * <p>The order is {@link #start}, then {@code prepare} and any number of exchanges from many
 * threads at once, then {@link #close}. A driver is started once.
 */
public sealed interface Driver extends AutoCloseable permits ClientDriver, AsyncClientDriver {

  /** The short name that reports and {@code --clients} use, such as {@code okhttp}. */
  String name();

  /** The version of the client, as its release is called. */
  String version();

  /**
   * Why the client cannot be put under such a load, in a few words such as {@code no HTTP/2}; null
   * where it can. Called before {@link #start}, which is not called where there is a reason.
   */
  default @Nullable String refusal(DriverConfig config) {
    return null;
  }

  /**
   * Makes the client ready. Connections may be opened now or with the first exchanges. Where the
   * wire asks for HTTP/2, the client may speak nothing else: a connection that ends up with another
   * protocol is a failure, never an answer.
   *
   * @throws Exception when the client cannot start; the run then fails with this cause
   */
  void start(DriverConfig config) throws Exception;

  /** Closes every connection and ends every thread of the client. */
  @Override
  void close() throws IOException;
}
