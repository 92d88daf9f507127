package heddle.bench.driver;

import java.io.IOException;

/**
 * One HTTP client under test.
 *
 * <p>The order is {@link #start}, then {@code prepare} and any number of exchanges from many
 * threads at once, then {@link #close}.
 */
public sealed interface Driver extends AutoCloseable permits ClientDriver, AsyncClientDriver {

  /** The short name that reports and {@code --clients} use, such as {@code okhttp}. */
  String name();

  /** The version of the client, as its release is called. */
  String version();

  /**
   * Makes the client ready. Connections may be opened now or with the first exchanges.
   *
   * @throws Exception when the client cannot start; the run then fails with this cause
   */
  void start(DriverConfig config) throws Exception;

  /** Closes every connection and ends every thread of the client. */
  @Override
  void close() throws IOException;
}
