package heddle.bench.drivers.jersey;

import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import org.glassfish.jersey.client.ClientConfig;
import org.jspecify.annotations.Nullable;

/**
 * Jersey with its default connector, the JDK's {@code HttpURLConnection}. Tuned, the JVM keeps
 * every idle connection (5 to a server by default). It reads that limit once, and has no way to
 * close idle connections, which expire after 5 s.
 */
public final class JerseyDriver implements ClientDriver {

  private static final String MAX_IDLE = "http.maxConnections";
  private static final int EVERY_LOAD = 1 << 16;

  private final JerseyCalls calls = new JerseyCalls();

  /** Creates a driver that is not started. */
  public JerseyDriver() {}

  @Override
  public String name() {
    return "jersey";
  }

  @Override
  public String version() {
    return JerseyCalls.version();
  }

  @Override
  public @Nullable String refusal(DriverConfig config) {
    return JerseyCalls.refusal(config);
  }

  @Override
  public void start(DriverConfig config) throws Exception {
    if (config.isTuned()) {
      System.setProperty(MAX_IDLE, String.valueOf(EVERY_LOAD));
    }
    var _ = calls.start(config, new ClientConfig());
  }

  @Override
  public Exchange prepare(DriverRequest request) {
    return calls.prepare(request);
  }

  @Override
  public void close() {
    calls.close();
  }
}
