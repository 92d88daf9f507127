package heddle.bench.race;

import heddle.bench.driver.Answer;
import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;

/** Takes its JVM with it when it is asked for anything. */
public final class DyingTestDriver implements ClientDriver {

  @Override
  public String name() {
    return "dying";
  }

  @Override
  public String version() {
    return "1";
  }

  @Override
  public void start(DriverConfig config) {}

  @Override
  public Exchange prepare(DriverRequest request) {
    return () -> {
      System.err.println("these are my last words");
      Runtime.getRuntime().halt(3);
      return new Answer(200, 0);
    };
  }

  @Override
  public void close() {}
}
