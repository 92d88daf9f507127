package heddle.testkit.mock;

import java.io.IOException;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each test of JUnit Jupiter, 5 or 6, a separate {@link MockServer}, started if the test has
 * a parameter of that type and closed after the test.
 *
 * <pre>{@code
 * @ExtendWith(MockServerExtension.class)
 * class GreetingTest {
 *   @Test
 *   void greets(MockServer server) throws Exception {
 *     server.enqueue(MockResponse.ok("hello"));
 *     assertEquals("hello", greeter.greet(server.url("/greeting")));
 *   }
 * }
 * }</pre>
 */
public final class MockServerExtension implements ParameterResolver, AfterEachCallback {
  private static final Namespace NAMESPACE = Namespace.create(MockServerExtension.class);

  /** For {@code @ExtendWith}. */
  public MockServerExtension() {}

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
    return parameter.getParameter().getType() == MockServer.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
    Store store = test.getStore(NAMESPACE);
    MockServer running = store.get(MockServer.class, MockServer.class);
    if (running != null) {
      return running;
    }
    // Not computeIfAbsent, which JUnit 5 has not.
    MockServer server = start();
    store.put(MockServer.class, server);
    return server;
  }

  private static MockServer start() {
    try {
      return MockServer.start();
    } catch (IOException e) {
      throw new ParameterResolutionException("a MockServer cannot listen on the loopback", e);
    }
  }

  @Override
  public void afterEach(ExtensionContext test) {
    MockServer server = test.getStore(NAMESPACE).remove(MockServer.class, MockServer.class);
    if (server != null) {
      server.close();
    }
  }
}
