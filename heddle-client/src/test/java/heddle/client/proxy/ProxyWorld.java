package heddle.client.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.ClientWorld;
import heddle.client.HttpClient;
import heddle.client.spi.Proxy;
import heddle.http.HttpException;
import heddle.http.HttpVersion;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Sent;
import heddle.http.failure.ProxyException;
import heddle.http.syntax.Host;
import heddle.testkit.RawConnection;
import heddle.testkit.ScriptedPeer;
import heddle.testkit.ScriptedPeer.Script;
import heddle.testkit.SimNetwork;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** A client and the proxies that it talks to, in virtual time. Every host has the same address. */
final class ProxyWorld implements AutoCloseable {
  static final int PORT = 3128;
  static final Proxy HTTP = Proxy.http("proxy.test", PORT);
  static final Proxy SOCKS = Proxy.socks5("proxy.test", PORT);
  static final String ESTABLISHED = "HTTP/1.1 200 Connection established\r\n\r\n";
  static final String HELLO = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
  private static final InetAddress HERE = Host.address("127.0.0.1");

  final ClientWorld world;
  final List<String> lookedUp = new CopyOnWriteArrayList<>();

  /** Of the next visit. */
  private final List<ScriptedPeer.Script> scripts = new ArrayList<>();

  /** What a test does with the client. */
  @FunctionalInterface
  interface Visit {
    void run() throws Exception;
  }

  ProxyWorld(UnaryOperator<HttpClient.Builder> settings) {
    world = new ClientWorld(
        SimNetwork.builder(),
        builder -> settings.apply(builder.resolver((host, deadline) -> {
          lookedUp.add(host);
          return List.of(HERE);
        })));
  }

  ProxyWorld(Proxy proxy) {
    this(builder -> builder.proxy(proxy));
  }

  static InetSocketAddress at(int port) {
    return new InetSocketAddress(HERE, port);
  }

  /** The next connections of the proxy that is there then follow these scripts, in order. */
  void serve(ScriptedPeer.Script... next) {
    scripts.addAll(List.of(next));
  }

  /** Runs a visit with a proxy that serves these scripts too, each on a connection. */
  void visit(Visit visit, ScriptedPeer.Script... next) throws Exception {
    visit(PORT, visit, next);
  }

  /** As {@link #visit(Visit, ScriptedPeer.Script...)}, at another port. */
  void visit(int port, Visit visit, ScriptedPeer.Script... next) throws Exception {
    serve(next);
    List<ScriptedPeer.Script> all = List.copyOf(scripts);
    scripts.clear();
    AtomicInteger begun = new AtomicInteger();
    AtomicInteger done = new AtomicInteger();
    world.network.run(() -> {
      try (ScriptedPeer proxy = ScriptedPeer.each(world.network, at(port), c -> {
        int index = begun.getAndIncrement();
        assertTrue(index < all.size(), "connection " + (index + 1) + " is one too many");
        all.get(index).run(c);
        done.incrementAndGet();
      })) {
        visit.run();
        world.client.close();
        world.until(() -> done.get() >= all.size());
      }
      assertEquals(all.size(), begun.get());
    });
  }

  String get(String url) throws IOException {
    try (Response response = world.client.send(Request.get(url))) {
      assertEquals(200, response.status().code());
      return response.string();
    }
  }

  <T extends HttpException> T failure(Class<T> type, String url) {
    return assertThrows(type, () -> world.client.send(Request.get(url)).close());
  }

  /** What a request fails with that needs a tunnel, on connections that follow these scripts. */
  static ProxyException refusal(Proxy proxy, Script... scripts) throws Exception {
    List<ProxyException> failure = new ArrayList<>();
    try (ProxyWorld world =
        new ProxyWorld(builder -> builder.proxy(proxy).version(HttpVersion.HTTP_2))) {
      world.serve(scripts);
      world.visit(() -> {
        failure.add(world.failure(ProxyException.class, "http://a.test/"));
        assertEquals(0, world.world.pool().open());
        world.world.assertNothingIsOpen();
      });
    }
    ProxyException refusal = failure.getFirst();
    assertEquals("http://proxy.test:3128", refusal.proxy());
    assertEquals(Phase.CONNECT, refusal.at().phase());
    assertEquals(Sent.NO, refusal.at().sent());
    return refusal;
  }

  static void assertSays(HttpException failure, String... parts) {
    for (String part : parts) {
      assertTrue(failure.getMessage().contains(part), failure.getMessage());
    }
  }

  /** The rest of a connection: bytes go to and fro between the client and an address. */
  static void relay(
      heddle.transport.Network network, ThreadFactory threads, RawConnection c, SocketAddress to)
      throws Exception {
    try (RawConnection origin = RawConnection.connect(network, to)) {
      Thread back = threads.newThread(() -> pass(origin, c));
      back.start();
      pass(c, origin);
      back.join();
    }
  }

  private static void pass(RawConnection from, RawConnection to) {
    try {
      while (from.hasMore()) {
        to.send(from.expectBytes(from.peek().length()));
      }
      to.shutdownOutput();
    } catch (IOException e) {
      // One side has closed, so the other is closed too.
      to.close();
    }
  }

  void relay(RawConnection c, int port) throws Exception {
    relay(world.network, world.network.threadFactory(), c, at(port));
  }

  @Override
  public void close() {
    world.close();
  }
}
