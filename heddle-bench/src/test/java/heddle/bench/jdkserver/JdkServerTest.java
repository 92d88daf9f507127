package heddle.bench.jdkserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.driver.Profile;
import heddle.bench.driver.ServerConfig;
import heddle.bench.driver.ServerDriver.Running;
import heddle.bench.routes.ExperimentRoutes;
import heddle.bench.routes.HandlerRoutes;
import heddle.bench.server.RequestThreads;
import heddle.http.Response;
import heddle.load.cluster.json.Json;
import heddle.load.schedule.Strand;
import heddle.server.spi.Handler;
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
import java.util.concurrent.ExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The JDK's server with the routes of experiments, asked by the JDK's client. */
class JdkServerTest {

  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private final HttpClient client = HttpClient.newHttpClient();
  private final Queue<Running> servers = new ConcurrentLinkedQueue<>();

  private final Queue<ExecutorService> executors = new ConcurrentLinkedQueue<>();

  @AfterEach
  void stop() {
    // Before the client: a connection that closes meanwhile looks to the server like a request that
    // begins, for which it waits.
    servers.forEach(Running::close);
    client.shutdownNow();
    executors.forEach(ExecutorService::shutdownNow);
  }

  @Test
  void answersAsTheRoutesDo() throws Exception {
    Running server = started();
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
    Running server = started();
    String content = "x".repeat(200_000);
    assertEquals(content, post(server, "/echo", content).body());
    assertEquals("", post(server, "/sink", content).body());
  }

  @Test
  void headTellsTheLengthAlone() throws Exception {
    Running server = started();
    HttpRequest head = HttpRequest.newBuilder(uri(server, "/hello")).HEAD().build();
    HttpResponse<String> response = client.send(head, BodyHandlers.ofString());
    assertEquals("6", response.headers().firstValue("content-length").orElse(""));
    assertEquals("", response.body());
  }

  @Test
  void itCountsByItself() throws Exception {
    Running server = started();
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
    Running server = started(
        _ -> {
          threads.add(Thread.currentThread());
          return Response.ok("yes");
        },
        size == 0 ? Strand.VIRTUAL : new Strand.Pool(size));
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
    Running server = started(
        _ -> {
          throw new IllegalStateException("broken on purpose");
        },
        Strand.VIRTUAL);
    assertEquals(500, get(server, "/").statusCode());
  }

  private Running started() throws Exception {
    return started(new ExperimentRoutes(), Strand.VIRTUAL);
  }

  private Running started(Handler handler, Strand threads) throws Exception {
    ExecutorService executor = RequestThreads.of(threads);
    executors.add(executor);
    Running server = JdkServer.own()
        .start(new ServerConfig(
            ANY_PORT, null, executor, 0, Profile.TUNED, new HandlerRoutes(handler)));
    servers.add(server);
    return server;
  }

  private HttpResponse<String> get(Running server, String path) throws Exception {
    return client.send(HttpRequest.newBuilder(uri(server, path)).build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> post(Running server, String path, String content) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(uri(server, path))
        .POST(BodyPublishers.ofString(content))
        .build();
    return client.send(request, BodyHandlers.ofString());
  }

  private static URI uri(Running server, String path) {
    return URI.create("http://127.0.0.1:" + server.port() + path);
  }
}
