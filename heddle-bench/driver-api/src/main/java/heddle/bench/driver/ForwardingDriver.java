package heddle.bench.driver;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A driver that forwards what all drivers have in common to another one. */
interface ForwardingDriver extends DriverLifecycle {

  /** The other driver, always the same instance. */
  DriverLifecycle driver();

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
  default boolean canPipeline() {
    return driver().canPipeline();
  }

  @Override
  default boolean canLimitRequests() {
    return driver().canLimitRequests();
  }

  @Override
  default void start(DriverConfig config) throws Exception {
    driver().start(config);
  }

  @Override
  default void close() throws IOException {
    driver().close();
  }
}
