package heddle.cli.otlp;

import heddle.bench.load.ErrorCause;
import heddle.bench.load.LoadListener;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Sends the metrics of a load to a collector while it runs, by a thread of its own, and at its end.
 * A collector that cannot be reached is told of once, and the load goes on.
 */
public final class LoadExport implements LoadListener, AutoCloseable {

  private final OtlpSettings settings;
  private final LoadTags tags;
  private final Consumer<String> meanwhile;
  private final Consumer<String> atEnd;
  private final Delivery delivery;
  private final Scope scope;
  private final CountDownLatch over = new CountDownLatch(1);
  private final Thread thread = Thread.ofPlatform().daemon().name("otlp").unstarted(this::run);
  private volatile @Nullable Recorded recorded;
  private volatile long start;
  private boolean told;

  /**
   * An export of a load that has not begun.
   *
   * @param meanwhile is told once that something could not be delivered
   * @param atEnd is told at the end what is missing
   */
  public LoadExport(
      OtlpSettings settings, LoadTags tags, Consumer<String> meanwhile, Consumer<String> atEnd) {
    this.settings = settings;
    this.tags = tags;
    this.meanwhile = meanwhile;
    this.atEnd = atEnd;
    this.delivery = new Delivery(settings);
    this.scope = Scope.of("heddle.load", settings.resource());
  }

  @Override
  public void recording(Recorded now) {
    start = Delivery.epochNanos();
    recorded = now;
    thread.start();
  }

  private void run() {
    try {
      while (!over.await(settings.interval().toMillis(), TimeUnit.MILLISECONDS)) {
        String why = send();
        if (!why.isEmpty() && !told) {
          told = true;
          meanwhile.accept("the collector at " + delivery.endpoint() + " does not take metrics: "
              + why + "; the load goes on");
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private String send() {
    Recorded now = recorded;
    return now == null
        ? ""
        : delivery.send(LoadMetrics.of(
            now, scope, tags.attributes(), settings.exponential(), start, Delivery.epochNanos()));
  }

  /** Sends all that was recorded, and says where that does not work. */
  @Override
  public void close() {
    over.countDown();
    try (delivery) {
      if (recorded == null || !thread.join(Duration.ofSeconds(10))) {
        return;
      }
      String why = send();
      if (!why.isEmpty()) {
        atEnd.accept("the collector at " + delivery.endpoint() + " has no final metrics ("
            + undelivered() + "): " + why);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private String undelivered() {
    Recorded now = recorded;
    if (now == null) {
      return "nothing";
    }
    long answered =
        now.responses().values().stream().mapToLong(Histogram::getTotalCount).sum();
    long failed = now.errors().stream().mapToLong(ErrorCause::count).sum();
    return answered + " answered, " + failed + " failed";
  }
}
