package heddle.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Response;
import heddle.server.spi.Handler;
import heddle.testwatch.Conditions;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class CloseTest {
  @Test
  void aRunningRequestIsAnsweredWithCloseAndIdleConnectionsEnd() throws Exception {
    CountDownLatch mayAnswer = new CountDownLatch(1);
    Handler handler = request -> {
      if (request.path().equals("/slow")) {
        mayAnswer.await();
      }
      return Response.ok("done");
    };
    HttpServer server = HttpServer.builder().handler(handler).start();
    try (RawPeer busy = RawPeer.connect(server);
        RawPeer idle = RawPeer.connect(server);
        RawPeer fresh = RawPeer.connect(server)) {
      assertEquals("done", idle.get("/").answer().body());
      busy.get("/slow");
      Conditions.await("the request runs", () -> server.active() == 1);
      Conditions.await("all are accepted", () -> server.connections() == 3);
      Thread closer = Thread.ofPlatform().start(server::close);
      assertEquals("", idle.rest());
      assertEquals("", fresh.rest());
      // Only when it waits for the requests has it told every connection.
      Conditions.await("it waits", () -> waitsForConnections(closer));
      assertThrows(ConnectException.class, () -> RawPeer.connect(server).close());
      assertTrue(closer.isAlive());
      mayAnswer.countDown();
      RawPeer.Answer answer = busy.answer();
      assertEquals("done", answer.body());
      assertTrue(answer.hasLine("Connection: close"), answer.head());
      assertEquals("", busy.rest());
      idle.hangUp();
      fresh.hangUp();
      busy.hangUp();
      closer.join();
    }
  }

  private static boolean waitsForConnections(Thread thread) {
    List<String> stack = Arrays.stream(thread.getStackTrace())
        .map(StackTraceElement::getClassName)
        .toList();
    return stack.contains("heddle.server.accept.Acceptor")
        && stack.contains("heddle.transport.Waiting")
        && stack.contains("java.util.concurrent.locks.LockSupport");
  }

  @Test
  void whatDoesNotEndInTimeIsCutAndItsThreadInterrupted() throws Exception {
    UntilInterrupted handler = new UntilInterrupted();
    HttpServer server = HttpServer.builder()
        .handler(handler)
        .closeTimeout(Duration.ofMillis(50))
        .start();
    try (RawPeer peer = RawPeer.connect(server)) {
      peer.get("/");
      handler.awaitRunning();
      assertEquals(1, server.active());
      server.close();
      assertTrue(handler.isInterrupted());
      assertEquals(0, server.active());
      assertEquals(0, server.connections());
      assertEquals("", peer.rest());
    }
  }

  @Test
  void anInterruptOfTheClosingThreadEndsThePatience() throws Exception {
    UntilInterrupted handler = new UntilInterrupted();
    HttpServer server =
        HttpServer.builder().handler(handler).closeTimeout(Duration.ofHours(1)).start();
    try (RawPeer peer = RawPeer.connect(server)) {
      peer.get("/");
      handler.awaitRunning();
      assertEquals(1, server.active());
      AtomicBoolean flag = new AtomicBoolean();
      Thread closer = Thread.ofPlatform().start(() -> {
        server.close();
        flag.set(Thread.currentThread().isInterrupted());
      });
      closer.interrupt();
      closer.join();
      assertTrue(flag.get());
      assertEquals(0, server.active());
    }
  }

  @Test
  void closingTwiceIsClosingOnce() throws IOException {
    HttpServer server = HttpServer.builder().handler(request -> Response.ok("")).start();
    server.close();
    server.close();
    assertThrows(ConnectException.class, () -> RawPeer.connect(server).close());
  }

  @Test
  void noThreadSurvives() throws Exception {
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
      HttpServer server = HttpServer.builder()
          .handler(request -> Response.ok(Thread.currentThread().getName()))
          .executor(pool)
          .loops(2)
          .start();
      try (RawPeer peer = RawPeer.connect(server)) {
        assertTrue(peer.get("/").answer().body().startsWith("pool-"));
      }
      server.close();
    }
    Conditions.await(
        "only the JVM's own threads are left", () -> newThreads(before).isEmpty());
  }

  private static Set<String> newThreads(Set<Thread> before) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> !before.contains(thread))
        .map(Thread::getName)
        .filter(name -> name.startsWith("heddle") || name.startsWith("pool"))
        .collect(Collectors.toSet());
  }
}
