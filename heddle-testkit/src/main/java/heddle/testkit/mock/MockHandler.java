package heddle.testkit.mock;

/**
 * Decides what a {@link MockServer} answers. Called by many threads, one for each request. What it
 * throws, a failed assertion too, is told by a response with status 500.
 */
@FunctionalInterface
public interface MockHandler {
  MockResponse answer(RecordedRequest request) throws Exception;
}
