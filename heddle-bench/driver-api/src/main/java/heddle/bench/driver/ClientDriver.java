package heddle.bench.driver;

/** A client raced through its blocking API: an exchange blocks the calling thread. */
public non-sealed interface ClientDriver extends Driver {

  /**
   * Builds the request once, as far as the client's request objects are reusable.
   *
   * @return an exchange that may be run by many threads at once
   */
  Exchange prepare(DriverRequest request) throws Exception;

  /** One request, sent each time that it is called. */
  @FunctionalInterface
  interface Exchange {

    /**
     * Sends the request and reads the whole answer, its content included.
     *
     * @throws Exception if there was no complete answer
     */
    Answer exchange() throws Exception;
  }
}
