package heddle.bench.jdkserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.routes.ExperimentRoutes;
import heddle.bench.server.RequestThreads;
import heddle.http.Response;
import heddle.load.cluster.json.Json;
import heddle.load.schedule.Strand;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The JDK's server with the routes of experiments, asked by the JDK's client. */
class JdkServerTest {

  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private final HttpClient client = HttpClient.newHttpClient();
  private final Queue<JdkServer> servers = new ConcurrentLinkedQueue<>();

  @AfterEach
  void stop() {
    client.shutdownNow();
    servers.forEach(JdkServer::close);
  }

  @Test
  void answersAsTheRoutesDo() throws Exception {
    JdkServer server = started();
    HttpResponse<String> hello = get(server, "/hello");
    assertEquals("Hello!", hello.body());
    assertEquals("6", hello.headers().firstValue("content-length").orElse(""));
    assertEquals("Ping_0", get(server, "/ping/1").body());
    assertEquals("Ping_1", get(server, "/locked").body());
    assertEquals(3_000_000, get(server, "/bytes/3000000").body().length());
    assertEquals(400, get(server, "/delay/soon").statusCode());
    assertEquals(404, get(server, "/nowhere").statusCode());
    HttpResponse<String> wrong = get(server, "/echo");
    assertEquals(405, wrong.statusCode());
    assertEquals("POST", wrong.headers().firstValue("allow").orElse(""));
  }

  @Test
  void contentIsReadAndGivenBack() throws Exception {
    JdkServer server = started();
    String content = "x".repeat(200_000);
    assertEquals(content, post(server, "/echo", content).body());
    assertEquals("", post(server, "/sink", content).body());
  }

  @Test
  void headTellsTheLengthAlone() throws Exception {
    JdkServer server = started();
    HttpRequest head = HttpRequest.newBuilder(uri(server, "/hello")).HEAD().build();
    HttpResponse<String> response = client.send(head, BodyHandlers.ofString());
    assertEquals("6", response.headers().firstValue("content-length").orElse(""));
    assertEquals("", response.body());
  }

  @Test
  void itCountsByItself() throws Exception {
    JdkServer server = started();
    get(server, "/hello");
    get(server, "/hello");
    Map<String, Object> counts = Json.object(post(server, "/counters", "").body());
    assertEquals(2, counts.get("requests"));
    assertEquals(1, counts.get("peak"));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void handlersRunOnThePoolOrOnThreadsOfTheirOwn(int size) throws Exception {
    Queue<Thread> threads = new ConcurrentLinkedQueue<>();
    JdkServer server = JdkServer.start(
        ANY_PORT,
        _ -> {
          threads.add(Thread.currentThread());
          return Response.ok("yes");
        },
        RequestThreads.of(size == 0 ? Strand.VIRTUAL : new Strand.Pool(size)),
        null);
    servers.add(server);
    List<CompletableFuture<?>> all = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      HttpRequest request = HttpRequest.newBuilder(uri(server, "/")).build();
      all.add(client.sendAsync(request, BodyHandlers.ofString()));
    }
    CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).join();
    if (size == 0) {
      assertTrue(threads.stream().allMatch(Thread::isVirtual), threads::toString);
    } else {
      assertFalse(threads.stream().anyMatch(Thread::isVirtual), threads::toString);
      assertTrue(threads.stream().distinct().count() <= size, threads::toString);
    }
  }

  @Test
  void handlerThatFailsIsAnswered500() throws Exception {
    JdkServer server = JdkServer.start(
        ANY_PORT,
        _ -> {
          throw new IllegalStateException("broken on purpose");
        },
        RequestThreads.of(Strand.VIRTUAL),
        null);
    servers.add(server);
    assertEquals(500, get(server, "/").statusCode());
  }

  private JdkServer started() throws Exception {
    JdkServer server =
        JdkServer.start(ANY_PORT, new ExperimentRoutes(), RequestThreads.of(Strand.VIRTUAL), null);
    servers.add(server);
    return server;
  }

  private HttpResponse<String> get(JdkServer server, String path) throws Exception {
    return client.send(HttpRequest.newBuilder(uri(server, path)).build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> post(JdkServer server, String path, String content)
      throws Exception {
    HttpRequest request = HttpRequest.newBuilder(uri(server, path))
        .POST(BodyPublishers.ofString(content))
        .build();
    return client.send(request, BodyHandlers.ofString());
  }

  private static URI uri(JdkServer server, String path) {
    return URI.create("http://127.0.0.1:" + server.port() + path);
  }
}
