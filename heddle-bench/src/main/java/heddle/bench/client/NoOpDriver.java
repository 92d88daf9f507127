package heddle.bench.client;

import heddle.bench.driver.Answer;
import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;

/** A client that answers at once and sends nothing, to measure the cost of the generator itself. */
public final class NoOpDriver implements ClientDriver {

  private static final int OK = 200;

  /** A driver of the name {@code no-op}. */
  public NoOpDriver() {}

  @Override
  public String name() {
    return "no-op";
  }

  @Override
  public String version() {
    return "1";
  }

  @Override
  public void start(DriverConfig config) {
    // There is no server to connect to.
  }

  @Override
  public Exchange prepare(DriverRequest request) {
    return exchange(Math.max(0, request.expectedLength()));
  }

  /**
   * Answers at once, but yields, as any exchange that waits for its answer does. Callers on virtual
   * threads that never yield would keep the carriers from all others.
   */
  @SuppressWarnings("ThreadPriorityCheck") // It is this that a virtual thread must do to be fair.
  static Exchange exchange(long bodyBytes) {
    Answer answer = new Answer(OK, bodyBytes);
    return () -> {
      Thread.yield();
      return answer;
    };
  }

  @Override
  public void close() {
    // It holds nothing.
  }
}
