package heddle.server;

import static heddle.server.MemoryBudgetTest.KIB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What content of requests adds to what a server holds for its peers. */
@Timeout(60)
class ContentMemoryTest {
  private static String head(int length) {
    return "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: " + length + "\r\n\r\n";
  }

  @Test
  void readsFromSocketsBecomeShorterAsTheBudgetIsUsedUp() throws Exception {
    int count = 64;
    int length = 256 * KIB;
    CountDownLatch mayRead = new CountDownLatch(1);
    try (HttpServer server = HttpServer.builder()
            .memoryBudget(1024 * KIB)
            .maxConnections(1000)
            .maxRequests(1000)
            .handler(request -> {
              mayRead.await();
              return Response.ok("" + request.body().discard());
            })
            .start();
        ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor()) {
      List<RawPeer> peers = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        peers.add(RawPeer.connect(server).send(head(length)));
      }
      Conditions.await("all requests have come", () -> server.active() == count);
      List<Future<?>> sending = new ArrayList<>();
      for (RawPeer peer : peers) {
        sending.add(senders.submit(() -> peer.send("x".repeat(length))));
      }
      Conditions.await("the budget is used up", () -> server.memoryHeld() >= server.memoryBudget());
      mayRead.countDown();
      for (RawPeer peer : peers) {
        assertEquals("" + length, peer.answer().body());
        peer.close();
      }
      for (Future<?> each : sending) {
        each.get();
      }
      long most = server.memoryBudget() + count * 8L * KIB;
      assertTrue(server.peakMemoryHeld() <= most, server.peakMemoryHeld() + " of " + most);
    }
  }
}
