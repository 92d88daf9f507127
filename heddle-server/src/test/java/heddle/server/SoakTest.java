package heddle.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.http.Body;
import heddle.http.Response;
import heddle.server.spi.Handler;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
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
      Thread.sleep(1);
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

  private static Void talk(HttpServer server, Random random) throws IOException {
    try (RawPeer peer = RawPeer.connect(server)) {
      for (int batch = 0; batch < BATCHES; batch++) {
        StringBuilder requests = new StringBuilder();
        List<String> expected = new ArrayList<>();
        int count = 1 + random.nextInt(6);
        for (int i = 0; i < count; i++) {
          expected.add(addRequest(requests, random));
        }
        send(peer, requests.toString(), random);
        for (String body : expected) {
          assertEquals(body, peer.answer().body());
        }
      }
    }
    return null;
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

  private static void send(RawPeer peer, String text, Random random) throws IOException {
    for (int at = 0; at < text.length(); ) {
      int size = Math.min(1 + random.nextInt(text.length()), text.length() - at);
      peer.send(text.substring(at, at + size));
      at += size;
    }
  }
}
