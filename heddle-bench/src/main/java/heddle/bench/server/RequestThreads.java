package heddle.bench.server;

import heddle.load.schedule.Strand;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The executors on which a server runs its requests. */
public final class RequestThreads {

  private RequestThreads() {}

  /** A new executor: a thread per request, virtual or not, or a pool. */
  public static ExecutorService of(Strand strand) {
    return switch (strand) {
      case Strand.Virtual _ -> Executors.newVirtualThreadPerTaskExecutor();
      case Strand.Platform _ ->
        Executors.newThreadPerTaskExecutor(
            Thread.ofPlatform().name("request-", 0).factory());
      case Strand.Pool pool ->
        Executors.newFixedThreadPool(
            pool.threads(), Thread.ofPlatform().name("request-", 0).factory());
    };
  }
}
