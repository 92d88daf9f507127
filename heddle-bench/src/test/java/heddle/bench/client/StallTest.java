package heddle.bench.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.driver.Answer;
import heddle.client.HttpClient;
import heddle.client.settings.PoolLimits;
import heddle.http.Request;
import heddle.http.Response;
import heddle.load.Load;
import heddle.load.LoadReport;
import heddle.load.schedule.Strand;
import heddle.load.schedule.Timing;
import heddle.testkit.RawConnection;
import heddle.testkit.ScriptedPeer;
import heddle.testkit.SimNetwork;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A server that stands still for a second in an open load of 10 s, at 100 requests a second and a
 * millisecond each way: what is measured is what can be worked out on paper.
 */
@Timeout(60)
class StallTest {

  private static final double RATE = 100;
  private static final int REQUESTS = 1_000;
  private static final Duration STILL_FROM = Duration.ofSeconds(4);
  private static final Duration STILL_TO = Duration.ofSeconds(5);

  /** Three digits of a histogram, in microseconds, of a second. */
  private static final double DIGITS = 1_100;

  @AutoClose
  private final SimNetwork network = SimNetwork.builder()
      .latency(Duration.ofMillis(1), Duration.ofMillis(1))
      .virtualTime()
      .build();

  @Test
  void stallShowsInTheLatencyOfAllWhoWouldHaveComeMeanwhile() throws Exception {
    LoadReport report = run(Strand.VIRTUAL, 1_000);
    assertEquals(REQUESTS, report.answered(), () -> report.errors().toString());
    // The 100 requests of the second 4.00 to 4.99 are answered at 5.001: they took 1.001 s,
    // 0.991 s and so on. A hundredth of all are 10 of them, so that the 99th percentile is the
    // 11th longest: 1.001 - 10 × 0.01.
    assertEquals(1_001_000, report.latency().max(), DIGITS);
    assertEquals(901_000, report.latency().p99(), DIGITS);
    // Nine in ten did not meet it; they took a round trip, and another one on a new connection.
    assertTrue(report.latency().p50() < 4_100, () -> report.latency().toString());
    // And what took so long was no fault of the generator.
    assertTrue(report.sendLag().max() < 100, () -> report.sendLag().toString());
    assertFalse(isLate(report), () -> report.doubts().toString());
  }

  @Test
  void timeInServiceAloneDoesNotShowTheStall() throws Exception {
    LoadReport report = run(new Strand.Pool(1), 1);
    assertEquals(REQUESTS, report.answered(), () -> report.errors().toString());
    // One thread sends one request at a time. Only the one of 4.000 is in service while the server
    // stands still.
    assertEquals(1_001_000, report.service().max(), DIGITS);
    assertEquals(2_000, report.service().p99(), 10);
    // The others wait for the thread: it sends one every 2 ms from 5.001 on, so that the k-th after
    // the first takes 1.001 - k × 0.010 + k × 0.002. The 99th percentile is that of k = 10.
    assertEquals(1_001_000, report.latency().max(), DIGITS);
    assertEquals(921_000, report.latency().p99(), DIGITS);
    // They were handed over in time: it is the target that was late, not the generator.
    assertTrue(report.sendLag().p99() > 900_000, () -> report.sendLag().toString());
    assertFalse(isLate(report), () -> report.doubts().toString());
  }

  /** That this machine stood still while the world's time did not is no matter here. */
  private static boolean isLate(LoadReport report) {
    return report.doubts().stream().anyMatch(doubt -> doubt.contains(" late"));
  }

  private LoadReport run(Strand strand, int connections) throws Exception {
    PoolLimits limits =
        PoolLimits.builder().maxTotal(1_000).maxPerRoute(connections).build();
    try (ScriptedPeer peer = ScriptedPeer.each(network, this::serve);
        HttpClient client =
            HttpClient.builder().network(network.lasting()).poolLimits(limits).build()) {
      Request request = Request.get(peer.url("/"));
      return network.call(() -> Load.of(() -> send(client, request))
          .rate(RATE)
          .requests(REQUESTS)
          .strand(strand)
          .timing(new WorldTiming())
          .run());
    }
  }

  private static Answer send(HttpClient client, Request request) throws IOException {
    try (Response response = client.send(request)) {
      return new Answer(response.status().code(), response.bytes().length);
    }
  }

  private void serve(RawConnection connection) throws Exception {
    while (connection.hasMore()) {
      connection.expectHead();
      Duration now = Duration.ofNanos(network.clock().nanoTime());
      if (now.compareTo(STILL_FROM) >= 0 && now.compareTo(STILL_TO) < 0) {
        connection.sleep(STILL_TO.minus(now));
      }
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    }
  }

  /** The time of the simulated world. */
  private final class WorldTiming implements Timing {

    @Override
    public long nanoTime() {
      return network.clock().nanoTime();
    }

    @Override
    public void sleepUntil(long nanos) throws InterruptedException {
      try {
        network.sleep(Duration.ofNanos(Math.max(0, nanos - nanoTime())));
      } catch (InterruptedIOException e) {
        throw new InterruptedException("no longer paced");
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public Thread startPacing(Runnable pacing) {
      Thread thread = network.threadFactory().newThread(pacing);
      thread.start();
      return thread;
    }

    @Override
    public ThreadFactory poolThreads() {
      return network.threadFactory();
    }
  }
}
