package heddle.bench.driver;

/** A client raced through its blocking API: an exchange takes the thread that calls it. */
public non-sealed interface ClientDriver extends Driver {

  /**
   * Builds the request once, as far as the client's requests can be used again.
   *
   * @return an exchange that may be run by many threads at once
   */
  Exchange prepare(DriverRequest request) throws Exception;

  /** One request, sent as often as it is called. */
  @FunctionalInterface
  interface Exchange {

    /**
     * Sends the request and reads the whole answer, its content included.
     *
     * @throws Exception when no complete answer came
     */
    Answer exchange() throws Exception;
  }
}
