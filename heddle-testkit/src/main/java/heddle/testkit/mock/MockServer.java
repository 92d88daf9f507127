package heddle.testkit.mock;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import heddle.testkit.RawConnection;
import heddle.testkit.ScriptedPeer;
import heddle.testkit.SimNetwork;
import heddle.testkit.TlsNetwork;
import heddle.transport.Network;
import heddle.transport.tcp.TcpNetwork;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A server for tests of code that calls servers: it answers as the test says, records requests, and
 * fails in the ways that servers and networks fail. Speaks HTTP/1.1, and HTTP/2 to clients that
 * begin with its preface; on TCP's loopback, or on any {@link Network}. Safe for use by many
 * threads.
 *
 * <pre>{@code
 * try (MockServer server = MockServer.start()) {
 *   server.enqueue(MockResponse.of(503).header("Retry-After", "1"));
 *   server.enqueue(MockResponse.ok("hello").with(MockFault.cutInBody(3)));
 *   server.answer("/slow", MockResponse.ok("hello").after(Duration.ofSeconds(1)));
 *   ... call server.url("/greeting") ...
 *   assertEquals("/greeting", server.takeRequest().target());
 * }
 * }</pre>
 *
 * <p>A request gets the first answer that exists of: those queued for its path, those queued for
 * any path, the standing answer for its path, the handler's; otherwise 404.
 */
public final class MockServer implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofHours(1);

  private final ScriptedPeer peer;
  private final Network network;
  private final boolean ownsNetwork;
  private final boolean secure;
  private final AtomicInteger connections = new AtomicInteger();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition came = lock.newCondition();

  // All guarded by lock.
  private final Deque<MockResponse> queued = new ArrayDeque<>();
  private final Map<String, Deque<MockResponse>> queuedByPath = new HashMap<>();
  private final Map<String, MockResponse> byPath = new HashMap<>();
  private final List<RecordedRequest> requests = new ArrayList<>();
  private int taken;
  private MockHandler handler;

  private MockServer(Builder builder) throws IOException {
    Network given = builder.network;
    ownsNetwork = given == null;
    network = given == null ? TcpNetwork.create() : given;
    handler = builder.handler;
    TlsOptions tls = builder.tls;
    secure = tls != null;
    Network listens = tls == null ? network : TlsNetwork.over(network, tls, "h2", "http/1.1");
    try {
      peer = ScriptedPeer.each(listens, builder.address, this::serve);
    } catch (IOException | RuntimeException e) {
      closeNetwork();
      throw e;
    }
  }

  /** A server on TCP's loopback at a port that the system chooses. */
  public static MockServer start() throws IOException {
    return builder().start();
  }

  /** A builder with the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** Describes a server. Not safe for use by several threads. */
  public static final class Builder {
    private @Nullable Network network;
    private @Nullable TlsOptions tls;
    private InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private MockHandler handler =
        request -> MockResponse.of(404).body("nothing was prepared for " + request.target());

    private Builder() {}

    /** Where to listen, such as a {@link SimNetwork}; not closed with the server. */
    public Builder network(Network newNetwork) {
      network = newNetwork;
      return this;
    }

    /** The loopback address and a port that the system chooses, by default. */
    public Builder address(InetSocketAddress newAddress) {
      address = newAddress;
      return this;
    }

    /** The server's TLS options, for https; uses HTTP/2 with clients that offer it. */
    public Builder tls(TlsOptions options) {
      tls = options;
      return this;
    }

    /** Answers requests for which nothing was prepared; 404 by default. */
    public Builder handler(MockHandler newHandler) {
      handler = newHandler;
      return this;
    }

    /**
     * Starts to listen.
     *
     * @throws java.net.BindException when the address is in use
     */
    public MockServer start() throws IOException {
      return new MockServer(this);
    }
  }

  // ---- what to answer

  /** Answers one request, after all that was queued before. */
  public void enqueue(MockResponse response) {
    locked(() -> queued.add(response));
  }

  /** Answers one request for a path, after all that was queued for it before. */
  public void enqueue(String path, MockResponse response) {
    locked(() -> queuedByPath.computeIfAbsent(path, key -> new ArrayDeque<>()).add(response));
  }

  /** Answers every request for a path, whatever its query. */
  public void answer(String path, MockResponse response) {
    locked(() -> byPath.put(path, response));
  }

  /** Sets the handler for requests for which nothing else was prepared. */
  public void handler(MockHandler newHandler) {
    locked(() -> handler = newHandler);
  }

  /** Forgets what was prepared and what was recorded, so that the next test begins afresh. */
  public void reset() {
    locked(() -> {
      queued.clear();
      queuedByPath.clear();
      byPath.clear();
      requests.clear();
      taken = 0;
    });
  }

  private void locked(Runnable step) {
    lock.lock();
    try {
      step.run();
    } finally {
      lock.unlock();
    }
  }

  // ---- what came

  /** All requests that have come so far, in order. */
  public List<RecordedRequest> requests() {
    lock.lock();
    try {
      return List.copyOf(requests);
    } finally {
      lock.unlock();
    }
  }

  /**
   * The next request that was not taken yet; waits for it up to 10 s of real time.
   *
   * @throws AssertionError if none comes
   */
  public RecordedRequest takeRequest() throws InterruptedException {
    long left = TimeUnit.SECONDS.toNanos(10);
    lock.lockInterruptibly();
    try {
      while (taken == requests.size() && left > 0) {
        left = came.awaitNanos(left);
      }
      if (taken == requests.size()) {
        throw new AssertionError("no request came in 10 s; " + taken + " had come before");
      }
      return requests.get(taken++);
    } finally {
      lock.unlock();
    }
  }

  /** How many connections were accepted so far. */
  public int connections() {
    return peer.connections();
  }

  /** The port at which the server listens. */
  public int port() {
    return peer.port();
  }

  /** The address at which the server listens. */
  public InetSocketAddress address() {
    return peer.address();
  }

  /** A URL of this server, such as {@code http://127.0.0.1:49152/hello}. */
  public String url(String path) {
    return secure ? "https://localhost:" + port() + path : peer.url(path);
  }

  // ---- serving

  private void serve(RawConnection connection) {
    int number = connections.incrementAndGet();
    connection.patience(PATIENCE);
    try {
      if (!connection.hasMore()) {
        return;
      }
      // No method of HTTP/1.1 that is in use begins so (RFC 9113 §3.4).
      byte[] first = connection.peekBytes(3);
      if (new String(first, ISO_8859_1).equals("PRI")) {
        new MockHttp2(this, connection, number, threads()).serve();
      } else {
        new MockHttp1(this, connection, number).serve();
      }
    } catch (IOException | AssertionError e) {
      // The client went away or sent what is not HTTP; the test checks what the client sees.
    }
  }

  private ThreadFactory threads() {
    return network instanceof SimNetwork sim
        ? sim.threadFactory()
        : Thread.ofVirtual().name("heddle-mock-", 0).factory();
  }

  void record(RecordedRequest request) {
    lock.lock();
    try {
      requests.add(request);
      came.signalAll();
    } finally {
      lock.unlock();
    }
  }

  MockResponse responseTo(RecordedRequest request) {
    MockHandler decides;
    lock.lock();
    try {
      String path = request.target().split("\\?", 2)[0];
      Deque<MockResponse> own = queuedByPath.get(path);
      if (own != null && !own.isEmpty()) {
        return own.remove();
      }
      if (!queued.isEmpty()) {
        return queued.remove();
      }
      MockResponse standing = byPath.get(path);
      if (standing != null) {
        return standing;
      }
      decides = handler;
    } finally {
      lock.unlock();
    }
    try {
      MockResponse response = decides.answer(request);
      return response == null ? failed("it answered null") : response;
    } catch (Exception | AssertionError e) {
      return failed(e.toString());
    }
  }

  private static MockResponse failed(String how) {
    return MockResponse.of(500).body("the handler failed: " + how);
  }

  /** Stops listening and closes all connections. */
  @Override
  public void close() {
    peer.close();
    closeNetwork();
  }

  private void closeNetwork() {
    if (ownsNetwork) {
      network.close();
    }
  }
}
