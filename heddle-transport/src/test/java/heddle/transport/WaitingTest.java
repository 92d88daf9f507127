package heddle.transport;

import heddle.transport.time.Clock;
import heddle.transport.time.Deadline;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class WaitingTest {
  /** A loop whose timers use up the wake-up of the thread that arms them, as a lock may. */
  private static EventLoop loop(Runnable whileArming) {
    Timer timer = proxy(Timer.class, name -> {
      if (name.equals("arm")) {
        whileArming.run();
        LockSupport.unpark(Thread.currentThread());
        LockSupport.park();
      }
      return null;
    });
    return proxy(EventLoop.class, name -> switch (name) {
      case "clock" -> Clock.system();
      case "newTimer" -> timer;
      case "park" -> {
        LockSupport.park();
        yield null;
      }
      default -> throw new AssertionError(name);
    });
  }

  private interface Answers {
    Object to(String method);
  }

  private static <T> T proxy(Class<T> type, Answers answers) {
    return type.cast(Proxy.newProxyInstance(
        type.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, arguments) -> answers.to(method.getName())));
  }

  @Test
  void wakeUpThatArmingTheTimerUsesUpIsNotLost() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    EventLoop loop = loop(() -> done.set(true));
    Deadline deadline = Deadline.after(Duration.ofHours(1), Clock.system());
    Waiting.until(done::get, loop, deadline, "waiting");
  }
}
