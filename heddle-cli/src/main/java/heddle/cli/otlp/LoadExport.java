package heddle.cli.otlp;

import heddle.http.Request;
import heddle.load.LoadListener;
import heddle.load.LoadReport;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.sdk.metrics.data.MetricData;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends the metrics of a load to a collector, on a separate thread while it runs, and at its end. A
 * collector that cannot be reached is reported once, and the load continues.
 */
public final class LoadExport implements LoadListener, AutoCloseable {

  /** The time for an export that is in progress when the load ends. */
  private static final Duration LONGEST_END = Duration.ofSeconds(10);

  private final OtlpSettings settings;
  private final Attributes tags;
  private final Consumer<String> meanwhile;
  private final Consumer<String> atEnd;
  private final Delivery delivery;
  private final Scope scope;
  private final CountDownLatch over = new CountDownLatch(1);
  private final Thread thread = Thread.ofPlatform().daemon().name("otlp").unstarted(this::run);
  private volatile @Nullable Recorded recorded;
  private volatile long start;
  private boolean told;
  private List<MetricData> last = List.of();
  private String missing = "";

  /**
   * Creates an export of a load that has not begun.
   *
   * @param requests those that the load sends; attributes in which they differ are omitted
   * @param meanwhile receives a message once if metrics could not be delivered
   * @param atEnd receives a message at the end if metrics are missing
   */
  public LoadExport(
      OtlpSettings settings,
      List<Request> requests,
      Consumer<String> meanwhile,
      Consumer<String> atEnd) {
    this.settings = settings;
    this.tags = tags(requests);
    this.meanwhile = meanwhile;
    this.atEnd = atEnd;
    this.delivery = new Delivery(settings);
    this.scope = Scope.of("heddle.load", settings.resource());
  }

  /** The attributes of all metrics, with the names of the semantic conventions. */
  private static Attributes tags(List<Request> requests) {
    AttributesBuilder tags = Attributes.builder();
    Request first = requests.getFirst();
    if (requests.stream().allMatch(each -> each.method().equals(first.method()))) {
      tags.put("http.request.method", first.method().name());
    }
    if (requests.stream().allMatch(each -> each.origin().equals(first.origin()))) {
      tags.put("server.address", first.origin().host());
      tags.put("server.port", first.origin().port());
      tags.put("url.scheme", first.origin().scheme());
    }
    return tags.build();
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
          meanwhile.accept("the collector at " + delivery.endpoint() + " does not accept metrics: "
              + why + "; the load continues");
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Sends nothing that may include more than the final metrics. */
  private String send() {
    List<MetricData> now = metrics();
    return over.getCount() == 0 || now.isEmpty() ? "" : delivery.send(now);
  }

  /** The metrics so far; none before the measured part begins. */
  private List<MetricData> metrics() {
    Recorded now = recorded;
    return now == null
        ? List.of()
        : LoadMetrics.of(now, scope, tags, settings.exponential(), start, Delivery.epochNanos());
  }

  /** Ends the recording: later answers are neither in the report nor in the final metrics. */
  public void ended(LoadReport report) {
    over.countDown();
    last = metrics();
    missing = report.answered() + " answered, " + report.failed() + " failed";
  }

  /** Sends the final metrics, and reports a failure. */
  @Override
  public void close() {
    over.countDown();
    try (delivery) {
      if (last.isEmpty()) {
        return;
      }
      String why = thread.join(LONGEST_END) ? delivery.send(last) : "it does not answer";
      if (!why.isEmpty()) {
        atEnd.accept("the collector at " + delivery.endpoint() + " has no final metrics (" + missing
            + "): " + why);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
