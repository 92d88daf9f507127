package heddle.bench.drivers.ablated;

import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import heddle.bench.drivers.heddle.HeddleDriver;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Heddle's client as {@link HeddleDriver} uses it, without the optimisations that the property
 * {@value Ablation#PROPERTY} names; with all of them if there is none.
 */
public final class AblatedHeddleDriver implements ClientDriver {

  private final @Nullable Ablation given;
  private final HeddleDriver driver = new HeddleDriver();

  /** Creates a driver that is not started, without the optimisations that the property names. */
  public AblatedHeddleDriver() {
    this.given = null;
  }

  /** Creates a driver that is not started, with this ablation. */
  public AblatedHeddleDriver(Ablation without) {
    this.given = without;
  }

  /** Reads the property only here, where an unknown name fails. */
  private Ablation ablation() {
    return given != null ? given : Ablation.chosen();
  }

  @Override
  public String name() {
    return "heddle-ablated";
  }

  @Override
  public String version() {
    return driver.version() + ablation();
  }

  @Override
  public @Nullable String refusal(DriverConfig config) {
    return ablation().readers() == Readers.OWN
        ? null
        : "executors are for heddle-ablated-async: " + ablation().readers().label();
  }

  @Override
  public void start(DriverConfig config) throws IOException {
    ablation().apply();
    driver.start(config);
  }

  @Override
  public Exchange prepare(DriverRequest request) {
    return driver.prepare(request);
  }

  @Override
  public void close() {
    driver.close();
  }
}
