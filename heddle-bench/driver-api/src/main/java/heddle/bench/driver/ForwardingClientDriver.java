package heddle.bench.driver;

/** A driver that forwards all methods to another one. */
public interface ForwardingClientDriver extends ClientDriver, ForwardingDriver {

  @Override
  ClientDriver driver();

  @Override
  default Exchange prepare(DriverRequest request) throws Exception {
    return driver().prepare(request);
  }
}
