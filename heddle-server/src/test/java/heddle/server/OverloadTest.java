package heddle.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.server.spi.Handler;
import heddle.testkit.SimNetwork;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@DisplayName("Promise 19: overload is survived")
class OverloadTest {
  private static final int REQUESTS = 50;

  private final CountDownLatch mayAnswer = new CountDownLatch(1);
  private final Handler handler = Http2World.answeringAfter(mayAnswer, "done");

  /** What happens once all requests have reached the server. */
  @FunctionalInterface
  private interface Meanwhile {
    void run(SimNetwork network, HttpServer server) throws Exception;
  }

  /** The statuses with which the requests of as many connections are answered. */
  private List<Integer> play(UnaryOperator<HttpServer.Builder> options, Meanwhile meanwhile)
      throws Exception {
    List<Integer> statuses = new ArrayList<>();
    try (SimNetwork network = SimNetwork.builder().virtualTime().build()) {
      network.run(() -> {
        HttpServer.Builder builder = HttpServer.builder()
            .network(network)
            .executor(network.executor())
            .address(InetSocketAddress.createUnresolved("server", 80))
            .handler(handler);
        try (HttpServer server = options.apply(builder).start()) {
          List<RawPeer> peers = new ArrayList<>();
          for (int i = 0; i < REQUESTS; i++) {
            peers.add(RawPeer.connect(server, network).get("/"));
          }
          network.sleep(Duration.ofSeconds(1));
          meanwhile.run(network, server);
          network.sleep(Duration.ofSeconds(1));
          mayAnswer.countDown();
          for (RawPeer peer : peers) {
            statuses.add(peer.answer().status());
            peer.close();
          }
        }
      });
    }
    return statuses;
  }

  private static long count(List<Integer> statuses, int status) {
    return statuses.stream().filter(each -> each == status).count();
  }

  @Test
  void everyRequestThatWasAcceptedIsAnsweredThoughTheServerCloses() throws Exception {
    List<Integer> statuses = play(UnaryOperator.identity(), (network, server) -> {
      assertEquals(REQUESTS, server.active());
      network.threadFactory().newThread(server::close).start();
    });
    assertEquals(REQUESTS, count(statuses, 200));
  }

  @Test
  void everyRequestIsAnsweredThoughThereAreMoreThanTheServerAdmits() throws Exception {
    List<Integer> statuses = play(
        options -> options.maxRequests(5), (network, server) -> assertEquals(5, server.active()));
    assertEquals(5, count(statuses, 200));
    assertEquals(REQUESTS - 5, count(statuses, 503));
  }

  @Test
  void whatIsAdmittedIsAnsweredThoughAnOverloadedServerCloses() throws Exception {
    List<Integer> statuses = play(
        options -> options.maxRequests(5),
        (network, server) -> network.threadFactory().newThread(server::close).start());
    assertEquals(5, count(statuses, 200));
    assertEquals(REQUESTS - 5, count(statuses, 503));
  }
}
