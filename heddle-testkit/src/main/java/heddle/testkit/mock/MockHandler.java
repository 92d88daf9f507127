package heddle.testkit.mock;

/** Decides what a {@link MockServer} answers. Called by many threads, one for each request. */
@FunctionalInterface
public interface MockHandler {
  MockResponse answer(RecordedRequest request) throws Exception;
}
