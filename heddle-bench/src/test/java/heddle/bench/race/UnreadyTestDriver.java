package heddle.bench.race;

import heddle.bench.driver.Answer;
import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Fails every other time in the first run that follows its warm-up. It knows that run by the
 * collection before it.
 */
public final class UnreadyTestDriver implements ClientDriver {

  private final HttpClient client = HttpClient.newHttpClient();
  private final AtomicLong warmedAt = new AtomicLong(-1);
  private final AtomicLong requests = new AtomicLong();

  @Override
  public String name() {
    return "unready";
  }

  @Override
  public String version() {
    return "1";
  }

  @Override
  public void start(DriverConfig config) {}

  @Override
  public Exchange prepare(DriverRequest request) {
    HttpRequest made = HttpRequest.newBuilder(request.uri()).build();
    return () -> {
      warmedAt.compareAndSet(-1, collections());
      boolean isFirstRun = collections() == warmedAt.get() + 1;
      if (isFirstRun && requests.incrementAndGet() % 2 == 0) {
        throw new IOException("this is the first run");
      }
      var response = client.send(made, BodyHandlers.ofByteArray());
      return new Answer(response.statusCode(), response.body().length);
    };
  }

  /** Of the whole heap, which are those that are asked for, with the collector of all workers. */
  private static long collections() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .filter(each -> each.getName().equals("MarkSweepCompact"))
        .mapToLong(GarbageCollectorMXBean::getCollectionCount)
        .findFirst()
        .orElseThrow();
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
