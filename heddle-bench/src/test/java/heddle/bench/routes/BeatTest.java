package heddle.bench.routes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BeatTest {

  @Test
  void exceptionOfTheTaskReachesTheHandlerOfItsThread() throws Exception {
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    Runnable broken = () -> {
      Thread.currentThread().setUncaughtExceptionHandler((_, e) -> thrown.complete(e));
      throw new IllegalStateException("broken");
    };
    try (Beat _ = new Beat(Duration.ofMillis(1), broken)) {
      assertEquals("broken", thrown.get(30, TimeUnit.SECONDS).getMessage());
    }
  }
}
