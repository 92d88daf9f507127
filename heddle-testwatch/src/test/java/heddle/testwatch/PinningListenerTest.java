package heddle.testwatch;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

final class PinningListenerTest {

  @Test
  void aRunInWhichAThreadIsPinnedFailsWithItsStack() {
    assumeTrue(Runtime.version().feature() >= 24, "the event has no cause before Java 24");
    LauncherSession session = runOf(Pins.class);

    String failure = assertThrows(AssertionError.class, session::close).getMessage();

    assertTrue(failure.startsWith("1 times a virtual thread was pinned"), failure);
    assertTrue(failure.contains("in " + Pins.class.getName() + ": "), failure);
    assertTrue(failure.contains("ParksWhenInitialised.<clinit>()"), failure);
  }

  @Test
  void aRunWhoseThreadsParkOnlyIsGood() {
    runOf(Parks.class).close();
  }

  /** A session that has run one class, listened to as each of ours is. */
  private static LauncherSession runOf(Class<?> tests) {
    LauncherSession session = LauncherFactory.openSession(LauncherConfig.builder()
        .enableLauncherSessionListenerAutoRegistration(false)
        .addLauncherSessionListeners(new PinningListener(event -> true))
        .build());
    session
        .getLauncher()
        .execute(LauncherDiscoveryRequestBuilder.request()
            .selectors(selectClass(tests))
            .build());
    return session;
  }

  /** A separate run: not found by the build, which does not run nested classes. */
  static final class Pins {
    @Test
    void inAnInitialiser() throws InterruptedException {
      Thread.ofVirtual().start(ParksWhenInitialised::touch).join();
    }
  }

  static final class Parks {
    @Test
    void andIsWoken() throws InterruptedException {
      Thread.ofVirtual().start(() -> LockSupport.parkNanos(1_000)).join();
    }
  }

  /** The JVM's frame below an initialiser cannot leave its carrier. */
  private static final class ParksWhenInitialised {
    static {
      LockSupport.parkNanos(1_000_000);
    }

    static void touch() {}
  }
}
