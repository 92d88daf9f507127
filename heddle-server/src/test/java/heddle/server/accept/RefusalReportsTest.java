package heddle.server.accept;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Headers;
import heddle.server.spi.RefusedRequest;
import heddle.testwatch.Conditions;
import java.net.InetSocketAddress;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A listener that is slow. */
class RefusalReportsTest {
  private static final int MOST_BYTES = 1 << 20;

  private final Queue<String> seen = new ConcurrentLinkedQueue<>();
  private final CountDownLatch mayGoOn = new CountDownLatch(1);
  private final CountDownLatch idle = new CountDownLatch(1);
  private final RefusalReports reports = new RefusalReports(this::slow, idle::countDown);

  private void slow(RefusedRequest request) {
    try {
      mayGoOn.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    seen.add(request.requestLine());
  }

  private void add(String line) {
    InetSocketAddress peer = InetSocketAddress.createUnresolved("peer", 1);
    reports.add(new RefusedRequest(peer, line, Headers.empty(), null));
  }

  @Test
  void atMostOneMebibyteWaits() throws Exception {
    String line = "x".repeat(2_000);
    for (int i = 0; i < 10_000; i++) {
      add(line);
    }
    assertFalse(reports.isIdle());
    mayGoOn.countDown();
    idle.await();
    assertTrue(reports.isIdle());
    int most = MOST_BYTES / line.length();
    assertTrue(seen.size() > most * 0.9 && seen.size() <= most + 1, seen.size() + " were kept");
    add("later");
    Conditions.await("it is seen", () -> seen.contains("later"));
  }

  @Test
  void theOrderIsKept() throws Exception {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < 100; i++) {
      add("" + i);
      all.append(i).append(' ');
    }
    mayGoOn.countDown();
    idle.await();
    assertEquals(all.toString().trim(), String.join(" ", seen));
  }
}
