package heddle.bench.driver;

/** Like {@link ForwardingClientDriver}, for asynchronous APIs. */
public interface ForwardingAsyncClientDriver extends AsyncClientDriver, ForwardingDriver {

  @Override
  AsyncClientDriver driver();

  @Override
  default AsyncExchange prepare(DriverRequest request) throws Exception {
    return driver().prepare(request);
  }
}
