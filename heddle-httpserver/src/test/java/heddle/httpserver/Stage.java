package heddle.httpserver;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.spi.HttpServerProvider;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A server of one provider and its client, and what is noted of both in a scene. */
final class Stage implements AutoCloseable {
  /** What happens on a stage. */
  interface Scene {
    void play(Stage stage) throws Exception;
  }

  interface Step {
    void run() throws Exception;
  }

  final HttpServerProvider provider;
  final HttpServer server;
  private final List<String> notes = Collections.synchronizedList(new ArrayList<>());
  private final Thread client = Thread.currentThread();
  private final List<String> clientNotes = new ArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  private Stage(HttpServerProvider provider) throws IOException {
    this.provider = provider;
    server =
        provider.createHttpServer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads); // as most programs have one; the JDK's default has one thread
  }

  /** What a scene notes with this provider: first the client, then the handlers. */
  static List<String> notes(HttpServerProvider provider, Scene scene) throws Exception {
    try (Stage stage = new Stage(provider)) {
      scene.play(stage);
      stage.threads.shutdown(); // The handlers may still take notes.
      assertTrue(stage.threads.awaitTermination(20, TimeUnit.SECONDS));
      List<String> all = new ArrayList<>(stage.clientNotes);
      all.addAll(stage.notes);
      return all;
    }
  }

  /** Starts with one handler for everything. */
  Stage serve(HttpHandler handler) {
    server.createContext("/", handler);
    server.start();
    return this;
  }

  ExecutorService threads() {
    return threads;
  }

  Peer peer() throws IOException {
    return new Peer(server.getAddress());
  }

  void note(Object text) {
    boolean byClient = Thread.currentThread() == client;
    (byClient ? clientNotes : notes).add(String.valueOf(text));
  }

  /** Notes a response, without what may differ: the time, and how a connection is kept. */
  void note(Peer.Answer answer) {
    List<String> fields = answer.fields().stream()
        .filter(each -> !each.startsWith("date: ") && !each.startsWith("connection: "))
        .toList();
    note(answer.status() + " " + fields + " " + answer.body());
  }

  void noteAnswer(Peer peer) {
    noteAnswer(peer, false);
  }

  void noteAnswer(Peer peer, boolean head) {
    try {
      note(peer.answer(head));
    } catch (EOFException | SocketException e) {
      note("the connection has ended");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Notes the type of what a step throws. */
  void noteFailure(String what, Step step) {
    try {
      step.run();
      note(what + ": done");
    } catch (Exception e) {
      note(
          what + ": " + (e instanceof IOException ? "IOException" : e.getClass().getName()));
    }
  }

  /** In a handler: waits until the latch is at 0. */
  static void await(CountDownLatch latch) throws IOException {
    try {
      if (!latch.await(20, TimeUnit.SECONDS)) {
        throw new IOException("the latch is still at " + latch.getCount() + " after 20 s");
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  static void reply(HttpExchange exchange, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, bytes.length == 0 ? -1 : bytes.length);
    if (bytes.length > 0) {
      exchange.getResponseBody().write(bytes);
    }
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
