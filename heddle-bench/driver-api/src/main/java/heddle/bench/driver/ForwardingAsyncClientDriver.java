package heddle.bench.driver;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Like {@link ForwardingClientDriver}, for asynchronous APIs. */
public interface ForwardingAsyncClientDriver extends AsyncClientDriver {

  /** The other driver, always the same instance. */
  AsyncClientDriver driver();

  @Override
  default String name() {
    return driver().name();
  }

  @Override
  default String version() {
    return driver().version();
  }

  @Override
  default @Nullable String refusal(DriverConfig config) {
    return driver().refusal(config);
  }

  @Override
  default void start(DriverConfig config) throws Exception {
    driver().start(config);
  }

  @Override
  default AsyncExchange prepare(DriverRequest request) throws Exception {
    return driver().prepare(request);
  }

  @Override
  default void close() throws IOException {
    driver().close();
  }
}
