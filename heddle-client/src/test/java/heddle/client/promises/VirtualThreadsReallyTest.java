package heddle.client.promises;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import heddle.client.HttpClient;
import heddle.http.Body;
import heddle.http.Request;
import heddle.http.Response;
import heddle.testkit.RawConnection;
import heddle.testkit.ScriptedPeer;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Promise 1: virtual threads, really")
@Timeout(60)
class VirtualThreadsReallyTest {
  private static final Pattern NAME = Pattern.compile("\"name\": \"(heddle-(?!script|file)[a-z]+)");

  private final TcpNetwork servers = TcpNetwork.create();

  @AfterEach
  void endServers() {
    servers.close();
  }

  /** Answers all but the requests for /silence. */
  private static void answerAll(RawConnection c) throws IOException {
    c.patience(Duration.ofMinutes(1));
    while (c.hasMore()) {
      if (!c.expectMessage().startsWith("GET /silence")) {
        c.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndone");
      }
    }
  }

  /** The kinds of threads of ours, one entry for each thread, virtual ones too. */
  private static List<String> threads(Path folder) {
    try {
      Path dump = folder.resolve("threads.json");
      Files.deleteIfExists(dump);
      ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
          .dumpThreads(dump.toString(), ThreadDumpFormat.JSON);
      return NAME.matcher(Files.readString(dump))
          .results()
          .map(name -> name.group(1))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
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
      callers.submit(() -> client.send(Request.builder(peer.url("/silence"))
          .deadline(Duration.ofMinutes(1))
          .build()));
    }
    return client;
  }

  @Test
  void clientsPoolsTimeoutsAndIdleConnectionsHaveNoThreadsOfTheirOwn(@TempDir Path folder)
      throws Exception {
    List<HttpClient> clients = new ArrayList<>();
    try (ScriptedPeer peer = ScriptedPeer.each(servers, VirtualThreadsReallyTest::answerAll);
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      clients.add(used(peer, callers));
      until(() -> clients.getFirst().pool().open() == 2);
      List<String> ofOne = threads(folder);
      assertTrue(ofOne.contains("heddle-loop"), ofOne.toString());
      for (int i = 0; i < 20; i++) {
        clients.add(used(peer, callers));
      }
      until(() -> clients.stream().allMatch(client -> client.pool().open() == 2));
      List<String> ofAll = threads(folder);
      assertEquals(ofOne, ofAll);
      callers.shutdownNow();
    } finally {
      clients.forEach(HttpClient::close);
    }
  }

  @Test
  void callsOfAllKindsPinNoCarrier(@TempDir Path folder) throws Exception {
    Path file = Files.write(folder.resolve("content"), new byte[100_000]);
    try (PinnedCarriers pinned = new PinnedCarriers();
        ScriptedPeer peer = ScriptedPeer.each(servers, VirtualThreadsReallyTest::answerAll);
        HttpClient client = HttpClient.create();
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<String>> calls = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        Body body =
            switch (i % 3) {
              case 0 -> Body.empty();
              case 1 -> Body.of(new byte[200_000]);
              default -> Body.of(file);
            };
        Request request = Request.post(peer.url("/"), body);
        calls.add(callers.submit(() -> {
          try (Response response = client.send(request)) {
            return response.string();
          }
        }));
      }
      Future<Response> silent =
          callers.submit(() -> client.send(Request.get(peer.url("/silence"))));
      for (Future<String> call : calls) {
        assertEquals("done", call.get());
      }
      silent.cancel(true);
      pinned.check();
    }
  }
}
