package heddle.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.http.Body;
import heddle.http.Response;
import heddle.server.spi.Handler;
import heddle.testkit.SimNetwork;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Random requests, pipelined in random batches and cut at random bytes, on several connections. */
class SoakTest {
  private static final int CONNECTIONS = 8;
  private static final int BATCHES = 60;

  /** Echoes: from memory or as a stream, or without reading the body at all. */
  private static final Handler ECHO = request -> switch (request.path()) {
    case "/ignore" -> Response.ok("");
    case "/stream" -> Response.ok(request.body());
    case "/late" -> {
      // Parks until another thread has run: the loop goes on meanwhile.
      CompletableFuture.runAsync(() -> {}, Thread::startVirtualThread).join();
      yield Response.ok(request.body().string());
    }
    default ->
      Response.ok(Body.of(
          new ByteArrayInputStream(request.body().string().getBytes(StandardCharsets.ISO_8859_1))));
  };

  @Test
  void everyRequestGetsItsOwnAnswer() throws Exception {
    long seed = System.nanoTime();
    try (HttpServer server = HttpServer.builder().handler(ECHO).loops(2).start();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> runs = new ArrayList<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        Random random = new Random(seed + i);
        runs.add(threads.submit(() -> talk(server, random)));
      }
      for (Future<?> run : runs) {
        try {
          run.get();
        } catch (ExecutionException e) {
          throw new AssertionError("seed " + seed, e);
        }
      }
      assertEquals(0, server.active());
    }
  }

  @Test
  void everyRequestGetsItsOwnAnswerThoughTheNetworkCutsAllIntoPieces() throws Exception {
    long seed = System.nanoTime();
    try (SimNetwork network = SimNetwork.builder()
        .seed(seed)
        .maxReadBytes(700)
        .maxWriteBytes(700)
        .sendBuffer(3_000)
        .latency(Duration.ZERO, Duration.ofMillis(20))
        .virtualTime()
        .build()) {
      network.run(() -> {
        try (HttpServer server = HttpServer.builder()
                .handler(request -> {
                  network.sleep(Duration.ofMillis(1));
                  return Response.ok(
                      request.path().equals("/ignore") ? Body.empty() : request.body());
                })
                .network(network)
                .executor(network.executor())
                .start();
            RawPeer peer = RawPeer.connect(server, network)) {
          // One connection, so that batches are small enough for its buffers.
          talk(peer, new Random(seed), 20, network.executor());
          assertEquals(0, server.active());
        } catch (AssertionError | IOException e) {
          throw new AssertionError("seed " + seed, e);
        }
      });
    }
  }

  private static Void talk(HttpServer server, Random random) throws IOException {
    try (RawPeer peer = RawPeer.connect(server)) {
      talk(peer, random, BATCHES, Runnable::run);
    }
    return null;
  }

  /** Sends on another thread where neither side has room for all that is under way. */
  private static void talk(RawPeer peer, Random random, int batches, Executor sender)
      throws IOException {
    for (int batch = 0; batch < batches; batch++) {
      StringBuilder requests = new StringBuilder();
      List<String> expected = new ArrayList<>();
      int count = 1 + random.nextInt(6);
      for (int i = 0; i < count; i++) {
        expected.add(addRequest(requests, random));
      }
      Random cuts = new Random(random.nextLong());
      CompletableFuture<Void> sent =
          CompletableFuture.runAsync(() -> send(peer, requests.toString(), cuts), sender);
      for (String body : expected) {
        assertEquals(body, peer.answer().body());
      }
      // The last answer may come before the sending thread has returned from its last write.
      sent.join();
    }
  }

  private static String addRequest(StringBuilder requests, Random random) {
    String[] paths = {"/ignore", "/stream", "/late", "/other"};
    String path = paths[random.nextInt(paths.length)];
    String body = body(random);
    requests.append("POST ").append(path).append(" HTTP/1.1\r\nHost: t\r\n");
    if (random.nextBoolean()) {
      requests
          .append("Content-Length: ")
          .append(body.length())
          .append("\r\n\r\n")
          .append(body);
    } else {
      requests.append("Transfer-Encoding: chunked\r\n\r\n");
      addChunks(requests, body, random);
    }
    return path.equals("/ignore") ? "" : body;
  }

  private static String body(Random random) {
    int length = random.nextInt(10) == 0 ? random.nextInt(50_000) : random.nextInt(100);
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < length; i++) {
      body.append((char) ('a' + random.nextInt(26)));
    }
    return body.toString();
  }

  private static void addChunks(StringBuilder requests, String body, Random random) {
    for (int at = 0; at < body.length(); ) {
      int size = Math.min(1 + random.nextInt(body.length()), body.length() - at);
      requests.append(Integer.toHexString(size)).append("\r\n");
      requests.append(body, at, at + size).append("\r\n");
      at += size;
    }
    requests.append("0\r\n\r\n");
  }

  private static void send(RawPeer peer, String text, Random random) {
    try {
      for (int at = 0; at < text.length(); ) {
        int size = Math.min(1 + random.nextInt(text.length()), text.length() - at);
        peer.send(text.substring(at, at + size));
        at += size;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
