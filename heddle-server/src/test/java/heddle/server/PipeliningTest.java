package heddle.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import heddle.http.Response;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many requests of HTTP/1.1 that are sent before the first of them is answered. */
@Timeout(60)
class PipeliningTest {
  private static final String GET = "GET /%04d HTTP/1.1\r\nHost: t\r\n\r\n";

  /** How many bytes may wait behind a request before the server reads no more. */
  private static final int BOUND = 64 * 1024;

  /** The length of {@link #GET}. */
  private static final int REQUEST = 31;

  /** How many answers a client reads before it sends as many requests more. */
  private static final int BURST = 4;

  /**
   * A client sends a request for each answer, with always about as many waiting: none of them may
   * cost a copy of all the others.
   */
  @ParameterizedTest
  @ValueSource(ints = {100, 1_000, BOUND / REQUEST})
  void aRequestAllocatesNoMoreBecauseManyWaitBehindIt(int many) throws Exception {
    long alone = allocatedPerRequest(BURST);
    long withOthers = allocatedPerRequest(many);
    assertTrue(
        withOthers < alone + 1_000,
        withOthers + " bytes for each request with " + many + " behind it, " + alone + " with few");
  }

  /** What the loop allocates for each request while others wait behind it. */
  private static long allocatedPerRequest(int waiting) throws Exception {
    assertEquals(REQUEST, GET.formatted(0).length());
    Semaphore mayAnswer = new Semaphore(0);
    try (TcpNetwork network = TcpNetwork.builder().build();
        HttpServer server = HttpServer.builder()
            .network(network)
            .handler(request -> {
              mayAnswer.acquire();
              return Response.ok(request.path());
            })
            .start();
        RawPeer peer = RawPeer.connect(server)) {
      CompletableFuture<Thread> loop = new CompletableFuture<>();
      network.loop().execute(() -> loop.complete(Thread.currentThread()));
      StringBuilder all = new StringBuilder();
      for (int i = 0; i <= waiting; i++) {
        all.append(GET.formatted(i));
      }
      peer.send(all.toString());
      int warmUp = 1_000;
      int measured = 2_000;
      long before = 0;
      for (int i = 0; i < warmUp + measured; i += BURST) {
        if (i == warmUp) {
          before = allocated(loop.get());
        }
        mayAnswer.release(BURST);
        StringBuilder next = new StringBuilder();
        for (int j = i; j < i + BURST; j++) {
          assertEquals("/%04d".formatted(j), peer.answer().body());
          next.append(GET.formatted(waiting + 1 + j));
        }
        peer.send(next.toString());
      }
      long per = (allocated(loop.get()) - before) / measured;
      mayAnswer.release(waiting + BURST);
      return per;
    }
  }

  private static long allocated(Thread thread) {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getThreadAllocatedBytes(thread.threadId());
  }

  @Test
  void requestsThatComeByteByByteWhileOneIsAnsweredAreAnsweredInOrder() throws Exception {
    CompletableFuture<Void> mayAnswer = new CompletableFuture<>();
    Http2World.play(
        request -> {
          mayAnswer.join();
          return Response.ok(request.path() + request.body().string());
        },
        (world, client) -> {
          int count = 40;
          try (RawPeer peer = RawPeer.connect(world.server, world.network)) {
            for (int i = 0; i < count; i++) {
              sendByteByByte(peer, GET.formatted(i));
              sendByteByByte(
                  peer,
                  "POST /%04d HTTP/1.1\r\nHost: t\r\nContent-Length: 2\r\n\r\n:p".formatted(i));
            }
            mayAnswer.complete(null);
            for (int i = 0; i < count; i++) {
              assertEquals("/%04d".formatted(i), peer.answer().body());
              assertEquals("/%04d:p".formatted(i), peer.answer().body());
            }
          }
          world.await("nothing is held", () -> world.server.memoryHeld() <= 20 * 1024);
        });
  }

  private static void sendByteByByte(RawPeer peer, String text) throws IOException {
    for (int i = 0; i < text.length(); i++) {
      peer.send(text.substring(i, i + 1));
    }
  }

  /** The server reads no more than a bound ahead, holds it within its budget, and answers all. */
  @Test
  void whatWaitsBehindARequestIsBoundedAndCounted() throws Exception {
    CompletableFuture<Void> mayAnswer = new CompletableFuture<>();
    MemoryBudgetTest.play(
        request -> {
          mayAnswer.join();
          return Response.ok(request.path());
        },
        (world, client) -> {
          int count = 9_000;
          int peers = 12;
          for (int n = 0; n < peers; n++) {
            RawPeer peer = RawPeer.connect(world.server, world.network);
            MemoryBudgetTest.inBackground(world, () -> {
              for (int i = 0; i < count; i += 100) {
                StringBuilder some = new StringBuilder();
                for (int j = i; j < i + 100; j++) {
                  some.append(GET.formatted(j));
                }
                peer.send(some.toString());
              }
            });
          }
          world.await("the budget is used up", () -> MemoryBudgetTest.isUsedUp(world.server));
          world.network.sleep(Duration.ofSeconds(1));
          // Beyond the budget: what one read of each brings, and the room that it is put into.
          long most = MemoryBudgetTest.BUDGET + peers * 4L * MemoryBudgetTest.BEYOND;
          long peak = world.server.peakMemoryHeld();
          assertTrue(peak <= most, peak + " were held of " + most);
          mayAnswer.complete(null);
        });
  }
}
