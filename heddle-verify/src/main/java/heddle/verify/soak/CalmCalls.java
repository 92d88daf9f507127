package heddle.verify.soak;

import heddle.client.HttpClient;
import heddle.http.Body;
import heddle.http.HttpVersion;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.testkit.SimNetwork;
import heddle.testkit.SimWorld;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Calls that a client must still be able to make after the last fault: if an earlier failure leaked
 * a connection permit, a window or a waiter's turn, they fail.
 */
final class CalmCalls {
  /** More than the windows of a stream and of a connection, if the world is fast enough. */
  private static final int LARGE = 700_000;

  private static final Duration DEADLINE = Duration.ofSeconds(60);

  private final SimWorld world;
  private final HttpClient client;
  private final Ledger ledger;
  private final int large;
  private int lastId;

  /** @param lastId numbers above this one are free */
  CalmCalls(SimWorld world, HttpClient client, Ledger ledger, int lastId) {
    this.world = world;
    this.client = client;
    this.ledger = ledger;
    this.large = Math.min(LARGE, 1_000 * world.faults().smallestPiece());
    this.lastId = lastId;
  }

  /**
   * @param atOnce how many calls may be made at the same time
   */
  void run(int atOnce) throws IOException {
    // One version after the other, so that no connection is idle long enough to be closed by its
    // server at the moment when it is used again.
    for (HttpVersion version : List.of(HttpVersion.HTTP_1_1, HttpVersion.HTTP_2)) {
      call(version, Method.GET, 0, 10, true);
      call(version, Method.POST, 100, 100, true);
      for (int i = 0; i < 3; i++) {
        call(version, Method.GET, 0, large, i == 2);
      }
      call(version, Method.POST, large / 2, large, true);
      allAtOnce(version, atOnce);
    }
    callsThatAreRefusedFirst();
  }

  private Request request(String host, HttpVersion version, Method method, int id, int up, int down)
      throws IOException {
    Request.Builder builder = Request.builder(host + "/calm")
        .method(method)
        .version(version)
        .deadline(DEADLINE)
        .header("X-Calm", "yes")
        .header("X-Id", Integer.toString(id))
        .header("X-Up", Integer.toString(up))
        .header("X-Down", Integer.toString(down));
    return up == 0
        ? builder.build()
        : builder.body(Body.of(Ledger.content(id, up))).build();
  }

  private void call(HttpVersion version, Method method, int up, int down, boolean reads)
      throws IOException {
    int id = ++lastId;
    send(
        request("http://real.test:" + SoakServers.REAL_PORT, version, method, id, up, down),
        id,
        down,
        reads);
  }

  private void send(Request request, int id, int down, boolean reads) {
    String what = "in a calm world, " + request + " over " + request.version();
    try (Response response = client.send(request)) {
      int status = response.status().code();
      if (status == 503) {
        return; // The server is still busy with earlier requests.
      }
      if (status != 200) {
        ledger.broken(what + " was answered " + status);
      } else if (reads && !Arrays.equals(Ledger.content(-id, down), response.bytes())) {
        ledger.broken(what + " got other content than was sent");
      }
    } catch (IOException | RuntimeException e) {
      ledger.broken(what + " failed: " + e + " with " + client.pool().routes(), e);
    }
  }

  private void allAtOnce(HttpVersion version, int atOnce) throws IOException {
    SimNetwork network = world.network();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < atOnce; i++) {
      int id = ++lastId;
      Request request =
          request("http://real.test:" + SoakServers.REAL_PORT, version, Method.GET, id, 0, 50);
      Thread thread = network.threadFactory().newThread(() -> send(request, id, 50, true));
      threads.add(thread);
      thread.start();
    }
    Duration end = DEADLINE.multipliedBy(3).plusNanos(network.clock().nanoTime());
    while (threads.stream().anyMatch(Thread::isAlive)) {
      if (network.clock().nanoTime() > end.toNanos()) {
        ledger.broken("in a calm world, calls never end:" + SoakSeed.describe(threads));
        return;
      }
      network.sleep(Duration.ofMillis(10));
    }
  }

  /** GOAWAY and refused streams cost a client a connection, never a call. */
  private void callsThatAreRefusedFirst() throws IOException {
    for (int i = 0; i < 4; i++) {
      int id = ++lastId;
      send(
          request(
              "http://mock.test:" + SoakServers.MOCK_PORT,
              HttpVersion.HTTP_2,
              Method.POST,
              id,
              50,
              50),
          id,
          50,
          true);
    }
  }
}
