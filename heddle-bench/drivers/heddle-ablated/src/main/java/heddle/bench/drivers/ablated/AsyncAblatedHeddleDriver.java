package heddle.bench.drivers.ablated;

import heddle.bench.driver.AsyncClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import heddle.bench.drivers.heddle.AsyncHeddleDriver;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * Heddle's client as {@link AsyncHeddleDriver} uses it, without the optimisations that the property
 * {@value Ablation#PROPERTY} names; if it names an executor, answers are read on that.
 */
public final class AsyncAblatedHeddleDriver implements AsyncClientDriver {

  private final @Nullable Ablation given;
  private @Nullable ExecutorService readers;
  private @Nullable AsyncHeddleDriver driver;

  /** Creates a driver that is not started, without the optimisations that the property names. */
  public AsyncAblatedHeddleDriver() {
    this.given = null;
  }

  /** Creates a driver that is not started, with this ablation. */
  public AsyncAblatedHeddleDriver(Ablation without) {
    this.given = without;
  }

  /** Reads the property only here, where an unknown name fails. */
  private Ablation ablation() {
    return given != null ? given : Ablation.chosen();
  }

  @Override
  public String name() {
    return "heddle-ablated-async";
  }

  @Override
  public String version() {
    return new AsyncHeddleDriver().version() + ablation();
  }

  @Override
  public void start(DriverConfig config) throws IOException {
    Ablation chosen = ablation();
    chosen.apply();
    readers = chosen.readers().open();
    AsyncHeddleDriver started = new AsyncHeddleDriver(readers);
    driver = started;
    started.start(config);
  }

  @Override
  public AsyncExchange prepare(DriverRequest request) {
    AsyncHeddleDriver started = driver;
    if (started == null) {
      throw new IllegalStateException("the driver was not started");
    }
    return started.prepare(request);
  }

  @Override
  public void close() {
    if (driver != null) {
      driver.close();
    }
    if (readers != null) {
      readers.shutdownNow();
    }
  }
}
