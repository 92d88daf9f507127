package heddle.cli.otlp;

import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.HttpServer;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;

/** What a collector is sent. */
public final class Collector implements AutoCloseable {

  private final HttpServer server;
  private final Semaphore arrivals = new Semaphore(0);
  private final List<Export> exports = new CopyOnWriteArrayList<>();

  /** A request to it. */
  public record Export(Request request, ExportMetricsServiceRequest content) {

    public ResourceMetrics resource() {
      return content.getResourceMetrics(0);
    }

    public Map<String, Metric> metrics() {
      return resource().getScopeMetrics(0).getMetricsList().stream()
          .collect(Collectors.toMap(Metric::getName, each -> each));
    }
  }

  /** A collector that answers with this status. */
  public Collector(int status) throws IOException {
    server = HttpServer.builder()
        .handler(request -> {
          exports.add(new Export(
              request, ExportMetricsServiceRequest.parseFrom(request.body().bytes())));
          arrivals.release();
          return Response.of(Status.of(status));
        })
        .start();
  }

  /** Where it is. */
  public String url() {
    return "http://127.0.0.1:" + server.port();
  }

  /** Waits for this many more exports. */
  public void await(int count) throws InterruptedException {
    arrivals.acquire(count);
  }

  public List<Export> exports() {
    return exports;
  }

  public Export last() {
    return exports.getLast();
  }

  /** Attributes as text, sorted by name. */
  public static String text(List<KeyValue> attributes) {
    Map<String, String> all = new TreeMap<>();
    for (KeyValue each : attributes) {
      all.put(
          each.getKey(),
          each.getValue().hasIntValue()
              ? Long.toString(each.getValue().getIntValue())
              : each.getValue().getStringValue());
    }
    return all.toString();
  }

  @Override
  public void close() {
    server.close();
  }
}
