package heddle.bench.client;

import heddle.bench.driver.Answer;
import heddle.bench.driver.ClientDriver.Exchange;
import heddle.bench.driver.Protocol;
import heddle.bench.driver.Wire;
import heddle.bench.drivers.heddle.HeddleSettings;
import heddle.client.HttpClient;
import heddle.client.settings.Timeouts;
import heddle.http.HttpVersion;
import heddle.http.Request;
import heddle.http.Response;
import heddle.load.record.FailureClassifier;
import heddle.load.schedule.Segment;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Requests that a load sends with Heddle's client, one after the other and then from the beginning
 * again. Response content is counted as it arrives, and discarded.
 *
 * <p>Safe for use by many threads.
 */
public final class HttpTarget implements AutoCloseable {

  private final HttpClient client;
  private final List<Request> requests;
  private final AtomicLong next = new AtomicLong();

  private HttpTarget(HttpClient client, List<Request> requests) {
    this.client = client;
    this.requests = requests;
  }

  /**
   * Opens a client; it connects when the first request is sent.
   *
   * @param wire how many connections it may open, with which protocol; not whom it trusts
   * @param tls whom it trusts, and its own certificate
   * @param timeout how long a request may take in all, waiting for a connection included
   * @param waiting how many requests may wait for a connection
   * @param requests at least one
   */
  public static HttpTarget open(
      Wire wire, TlsOptions tls, Duration timeout, int waiting, List<Request> requests) {
    if (requests.isEmpty()) {
      throw new IllegalArgumentException("there is no request to send");
    }
    boolean http2 = wire.protocol() == Protocol.HTTP_2;
    HttpClient client = HttpClient.builder()
        .plain()
        .version(http2 ? HttpVersion.HTTP_2 : HttpVersion.HTTP_1_1)
        .poolLimits(HeddleSettings.limits(wire, waiting).toBuilder()
            .acquireTimeout(timeout)
            .build())
        .timeouts(timeouts(timeout))
        .tls(tls)
        .build();
    return new HttpTarget(client, List.copyOf(requests));
  }

  /** No other timeout may end a request earlier, and no connection attempt may take longer. */
  private static Timeouts timeouts(Duration timeout) {
    Timeouts defaults = Timeouts.DEFAULTS;
    Duration connect = timeout.compareTo(defaults.connect()) < 0 ? timeout : defaults.connect();
    return defaults.toBuilder()
        .call(timeout)
        .connect(connect)
        .tls(connect)
        .silence(timeout)
        .close(Duration.ZERO)
        .build();
  }

  /**
   * Sends the next request of a share of a load each time that it is called. Of those that a whole
   * load would send one after the other, each segment sends its own, and all segments together send
   * each as often as the whole would.
   */
  public Exchange exchange(Segment segment) {
    if (requests.size() == 1) {
      Request only = requests.getFirst();
      return () -> send(only);
    }
    return () -> {
      long number = segment.numberOf(next.getAndIncrement());
      return send(requests.get((int) (number % requests.size())));
    };
  }

  private Answer send(Request request) throws IOException {
    try (Response response = client.send(request)) {
      return new Answer(response.status().code(), response.body().discard());
    }
  }

  /** Classifies failures by the kind and the call phase of Heddle's exceptions. */
  public static FailureClassifier classifier() {
    return HeddleFailures::classify;
  }

  /** How many connections are open, or being opened. */
  public int connections() {
    return client.pool().open();
  }

  /** Closes the client; requests under way fail. */
  @Override
  public void close() {
    client.close();
  }
}
