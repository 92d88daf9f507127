package heddle.testkit.mock;

/**
 * Decides what a {@link MockServer} answers. Called by many threads, one for each request. If it
 * throws, a failed assertion included, the response has status 500 and names the exception.
 */
@FunctionalInterface
public interface MockHandler {
  /** Answers a request; what it throws fails the test. */
  MockResponse answer(RecordedRequest request) throws Exception;
}
