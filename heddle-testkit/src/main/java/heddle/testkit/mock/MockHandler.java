package heddle.testkit.mock;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Decides what a {@link MockServer} answers. Called by many threads, one for each request. If it
 * throws, a failed assertion included, the response has status 500 and names the exception.
 */
@FunctionalInterface
public interface MockHandler {
  /** Answers a request; what it throws fails the test. */
  MockResponse answer(RecordedRequest request) throws Exception;

  /**
   * Answers the first request of each connection, and closes the connection instead of answering
   * the next, as a server does that closes idle connections just as they are reused.
   */
  default MockHandler oncePerConnection() {
    Set<Integer> used = ConcurrentHashMap.newKeySet();
    return request -> used.add(request.connection())
        ? answer(request)
        : MockResponse.ok("never").with(MockFault.cutInHead(0));
  }
}
