package heddle.client.promises;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.HttpClient;
import heddle.http.Request;
import heddle.testkit.RawConnection;
import heddle.testkit.ScriptedPeer;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("Promise 1: virtual threads, really")
@Timeout(60)
class VirtualThreadsReallyTest {
  @AutoClose
  private final TcpNetwork servers = TcpNetwork.create();

  /** Answers all but the requests for /silence. */
  private static void answerAll(RawConnection c) throws IOException {
    c.patience(Duration.ofMinutes(1));
    while (c.hasMore()) {
      if (!c.expectMessage().startsWith("GET /silence")) {
        c.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndone");
      }
    }
  }

  /** The platform threads of ours, but for those that read files and end when idle. */
  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("heddle-") && !name.startsWith("heddle-file"))
        .sorted()
        .toList();
  }

  private static void until(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      Thread.onSpinWait();
    }
  }

  /** A client with an idle connection, and with a call that waits for an answer within its time. */
  private static HttpClient used(ScriptedPeer peer, ExecutorService callers) throws IOException {
    HttpClient client = HttpClient.create();
    client.send(Request.get(peer.url("/"))).close();
    for (int i = 0; i < 2; i++) {
      Request request =
          Request.builder(peer.url("/silence")).deadline(Duration.ofMinutes(1)).build();
      callers.execute(() -> waitInVain(client, request));
    }
    return client;
  }

  private static void waitInVain(HttpClient client, Request request) {
    try {
      client.send(request).close();
      throw new AssertionError("it was answered");
    } catch (InterruptedIOException e) {
      // The test is over.
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void clientsPoolsTimeoutsAndIdleConnectionsHaveNoThreadsOfTheirOwn() throws Exception {
    List<HttpClient> clients = new ArrayList<>();
    try (ScriptedPeer peer = ScriptedPeer.each(servers, VirtualThreadsReallyTest::answerAll);
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      clients.add(used(peer, callers));
      until(() -> clients.getFirst().pool().open() == 2);
      List<String> ofOne = threads();
      assertTrue(ofOne.stream().anyMatch(name -> name.startsWith("heddle-loop")), ofOne.toString());
      for (int i = 0; i < 20; i++) {
        clients.add(used(peer, callers));
      }
      until(() -> clients.stream().allMatch(client -> client.pool().open() == 2));
      assertEquals(ofOne, threads());
      callers.shutdownNow();
    } finally {
      clients.forEach(HttpClient::close);
    }
  }
}
