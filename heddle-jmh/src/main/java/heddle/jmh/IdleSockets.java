package heddle.jmh;

import heddle.client.HttpClient;
import heddle.client.settings.PoolLimits;
import heddle.websocket.Message;
import heddle.websocket.WebSocket;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Prints the heap of WebSockets that wait for a message, each with a virtual thread that receives.
 * Each has exchanged a message before; other sockets have warmed up the code.
 *
 * <p>Argument: the number of sockets (default 10,000).
 */
public final class IdleSockets {
  private static final int WARM_UP_SOCKETS = 2_000;
  private static final int GOAL_BYTES = 4_096;

  private IdleSockets() {}

  public static void main(String[] args) throws Exception {
    int count;
    try {
      count = Arguments.number(args, 0, 10_000, 1_000_000, "[SOCKETS]");
    } catch (IllegalArgumentException e) {
      System.err.println("sockets: " + e.getMessage());
      System.exit(2);
      return;
    }
    PoolLimits limits = PoolLimits.builder().maxPerRoute(count).maxTotal(count).build();
    try (ServerProcess server = ServerProcess.start(EchoServer.class)) {
      String url = "ws://127.0.0.1:" + server.port() + "/";
      try (HttpClient client = HttpClient.builder().poolLimits(limits).build()) {
        for (int round = 0; round < 3; round++) {
          for (WebSocket socket : open(client, url, Math.min(count, WARM_UP_SOCKETS))) {
            socket.close();
          }
        }
      }
      HttpClient client = HttpClient.builder().poolLimits(limits).build();
      long before = Heap.live();
      List<WebSocket> sockets = open(client, url, count);
      long each = (Heap.live() - before) / count;
      System.out.printf("%-50s %,10d%n", "sockets that wait", sockets.size());
      System.out.printf(
          "%-50s %,10d bytes%n", "heap for each of them (goal %,d)".formatted(GOAL_BYTES), each);
    }
    System.exit(0);
  }

  /** Returns when each socket has got a message back, and waits for another. */
  private static List<WebSocket> open(HttpClient client, String url, int count) throws Exception {
    List<WebSocket> sockets = new ArrayList<>(count);
    CountDownLatch idle = new CountDownLatch(count);
    AtomicInteger failed = new AtomicInteger();
    for (int i = 0; i < count; i++) {
      WebSocket socket = WebSocket.open(client, url);
      sockets.add(socket);
      Thread.ofVirtual().start(() -> {
        try {
          socket.send(WebSocketEcho.MESSAGE);
          for (Message message = socket.receive(); message != null; message = socket.receive()) {
            idle.countDown();
          }
        } catch (IOException e) {
          failed.incrementAndGet();
          idle.countDown();
        }
      });
    }
    idle.await();
    if (failed.get() > 0) {
      throw new IllegalStateException(failed.get() + " sockets have failed");
    }
    return sockets;
  }
}
