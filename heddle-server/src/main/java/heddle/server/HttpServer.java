package heddle.server;

import heddle.codec.Limits;
import heddle.connection.MemoryBudget;
import heddle.connection.MinimumRate;
import heddle.connection.ServerLimits;
import heddle.server.accept.Acceptor;
import heddle.server.accept.AdmissionLimit;
import heddle.server.accept.Capacity;
import heddle.server.dispatch.Dispatcher;
import heddle.server.spi.Handler;
import heddle.transport.Descriptors;
import heddle.transport.Network;
import heddle.transport.tcp.TcpNetwork;
import heddle.transport.tls.JsseTls;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP server. Each request is answered by a {@link Handler} on a virtual thread of its own.
 * Clients choose between HTTP/1.1 and HTTP/2, in cleartext by what they begin with (RFC 9113 §3.3);
 * handlers need not know which it was.
 *
 * <pre>{@code
 * try (HttpServer server = HttpServer.builder()
 *     .port(8080)
 *     .handler(request -> Response.ok("Hello!"))
 *     .start()) {
 *   Thread.sleep(Duration.ofHours(1));
 * }
 * }</pre>
 *
 * <p>Safe for use by many threads.
 */
public final class HttpServer implements AutoCloseable {
  private final Network network;
  private final boolean ownsNetwork;
  private final Network.Listening listening;
  private final Acceptor acceptor;
  private final MemoryBudget budget;
  private final AdmissionLimit connections;
  private final AdmissionLimit requests;
  private final Duration closeTimeout;

  /** Held while closing, so that every caller of close returns when the server is closed. */
  private final ReentrantLock closing = new ReentrantLock();

  /** Guarded by closing. */
  private boolean closed;

  private HttpServer(Builder builder, Handler handler) throws IOException {
    TlsOptions tls = builder.tls;
    long bytes = builder.memoryBudget == 0 ? MemoryBudget.defaultBytes() : builder.memoryBudget;
    Capacity capacity = Capacity.of(bytes, Descriptors.limit(), tls != null);
    budget = new MemoryBudget(bytes);
    connections = new AdmissionLimit(
        builder.maxConnections == 0 ? capacity.connections() : builder.maxConnections);
    requests =
        new AdmissionLimit(builder.maxRequests == 0 ? capacity.requests() : builder.maxRequests);
    Executor executor = builder.executor != null ? builder.executor : Dispatcher.virtualThreads();
    acceptor = new Acceptor(
        tls == null ? null : new JsseTls(tls),
        builder.limits(),
        budget,
        connections,
        requests,
        new AdmissionLimit(capacity.refusals()),
        new Dispatcher(handler, executor, this::onAnswered));
    closeTimeout = builder.closeTimeout;
    Network given = builder.network;
    ownsNetwork = given == null;
    network = given != null ? given : TcpNetwork.builder().loops(builder.loops).build();
    try {
      listening = network.listen(builder.address, builder.backlog, acceptor);
      listening.onExhausted(acceptor::makeRoom);
    } catch (IOException | RuntimeException | Error e) {
      if (ownsNetwork) {
        network.close();
      }
      throw e;
    }
  }

  private void onAnswered() {
    requests.leave();
    acceptor.drain().onProgress();
  }

  /** A builder with the defaults that its methods name. */
  public static Builder builder() {
    return new Builder();
  }

  /** Where the server listens, with the port that the system chose if it was asked to. */
  public SocketAddress address() {
    return listening.address();
  }

  /**
   * The port on which the server listens.
   *
   * @throws IllegalStateException when its network has no ports
   */
  public int port() {
    if (listening.address() instanceof InetSocketAddress inet) {
      return inet.getPort();
    }
    throw new IllegalStateException(listening.address() + " has no port");
  }

  /** How many requests are being answered. */
  public int active() {
    return requests.inside();
  }

  /** The most requests that were being answered at once so far. */
  public int peakActive() {
    return requests.peak();
  }

  /** How many connections are open. */
  public int connections() {
    return acceptor.openConnections();
  }

  /** How many connections may be open: what the builder was given, or what was derived. */
  public int maxConnections() {
    return connections.most();
  }

  /** How many requests may be answered at once: what the builder was given, or what was derived. */
  public int maxRequests() {
    return requests.most();
  }

  /** How many bytes the server may hold for all its peers together. */
  public long memoryBudget() {
    return budget.bytes();
  }

  /**
   * How many bytes the server holds for its peers now, counted in steps of a few KiB: connections,
   * heads of requests that are open, content that no handler has read or that was collected for
   * one, and output under way.
   */
  public long memoryHeld() {
    return budget.held();
  }

  /** The most bytes that the server has held for its peers at once so far. */
  public long peakMemoryHeld() {
    return budget.peak();
  }

  /** How many connections were told so far that there is no room for them. */
  public long refusedConnections() {
    return acceptor.refusedConnections();
  }

  /**
   * How many connections were closed so far without a word, because too many others were being told
   * already that there is no room.
   */
  public long droppedConnections() {
    return acceptor.droppedConnections();
  }

  /**
   * Ends the server: no connection is accepted from now on, idle ones are closed, requests that run
   * are answered with {@code Connection: close}, HTTP/2 connections end with GOAWAY. After the
   * {@linkplain Builder#closeTimeout close timeout}, or when the calling thread is interrupted, the
   * others are cut and their handlers' threads interrupted. Returns when all that is done;
   * idempotent.
   */
  @Override
  public void close() {
    closing.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      closeAll();
    } finally {
      closing.unlock();
    }
  }

  /** Takes each step whatever those before it throw, because a second call takes none. */
  private void closeAll() {
    try {
      listening.close();
    } finally {
      try {
        acceptor.drain().run(closeTimeout, network.loop());
      } finally {
        if (ownsNetwork) {
          network.close();
        }
      }
    }
  }

  /** What a server is made with. Not safe for use by several threads. */
  public static final class Builder {
    private static final int MAX_PORT = 65_535;

    private SocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private @Nullable Handler handler;
    private @Nullable Executor executor;
    private @Nullable Network network;
    private @Nullable TlsOptions tls;
    private int loops = 1;
    private int backlog = 1024;

    /** 0 where it is derived, as in the next two. */
    private long memoryBudget;

    private int maxConnections;
    private int maxRequests;
    private Duration closeTimeout = Duration.ofSeconds(10);
    private Limits headLimits = ServerLimits.DEFAULTS.codec();
    private Duration headTimeout = ServerLimits.DEFAULTS.headTimeout();
    private Duration bodyTimeout = ServerLimits.DEFAULTS.bodyTimeout();
    private Duration writeTimeout = ServerLimits.DEFAULTS.writeTimeout();
    private Duration idleTimeout = ServerLimits.DEFAULTS.idleTimeout();
    private MinimumRate minRate = ServerLimits.DEFAULTS.minRate();
    private long maxBodyBytes = ServerLimits.DEFAULTS.maxBodyBytes();

    private Builder() {}

    /**
     * Listens at a port of the loopback address, which this machine alone can reach; for others use
     * {@link #address}.
     *
     * @param port 0 to 65535; 0, the default, lets the system choose
     */
    public Builder port(int port) {
      if (port < 0 || port > MAX_PORT) {
        throw new IllegalArgumentException("port must be 0 to " + MAX_PORT + ", not " + port);
      }
      return address(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    /** Listens at this address; {@code new InetSocketAddress(8080)} is reached from everywhere. */
    public Builder address(SocketAddress newAddress) {
      address = Objects.requireNonNull(newAddress, "address");
      return this;
    }

    /** Who answers the requests. Required. */
    public Builder handler(Handler newHandler) {
      handler = Objects.requireNonNull(newHandler, "handler");
      return this;
    }

    /**
     * Runs the requests; the default is a virtual thread for each. It must not run them on the
     * thread that calls it. A request that it rejects is answered 503. It remains the caller's to
     * shut down.
     */
    public Builder executor(Executor newExecutor) {
      executor = Objects.requireNonNull(newExecutor, "executor");
      return this;
    }

    /** The network to listen on, which remains the caller's; the default is TCP of its own. */
    public Builder network(Network newNetwork) {
      network = Objects.requireNonNull(newNetwork, "network");
      return this;
    }

    /**
     * Speaks TLS, with the identity in the options; a client has the {@linkplain #headTimeout time
     * of a head} for its handshake. Without this the server speaks cleartext.
     *
     * @throws IllegalArgumentException if the options hold no identity
     */
    public Builder tls(TlsOptions options) {
      if (!options.hasIdentity()) {
        throw new IllegalArgumentException(
            "a server needs a certificate: give its TlsOptions an identity");
      }
      tls = options;
      return this;
    }

    /** How many loops, each a platform thread, when no network is given: 1 to 64, 1 by default. */
    public Builder loops(int count) {
      loops = atLeastOne("loops", count);
      return this;
    }

    /** How many connections the system may hold until they are accepted: 1,024 by default. */
    public Builder backlog(int connections) {
      backlog = atLeastOne("backlog", connections);
      return this;
    }

    /**
     * How many bytes the server may hold for all its peers together: a quarter of the heap ({@code
     * -Xmx}) by default. Counted are connections at a fixed cost (4 KiB, under TLS 24 KiB, over
     * HTTP/2 12 KiB more), heads of requests that are open, content that no handler has read or
     * that {@code request.body().bytes()} and {@code string()} have collected for one, until the
     * request is answered, and output of HTTP/2 that a peer does not read. What a handler makes
     * itself, such as an array that it copies content to, is the handler's.
     *
     * <p>When it is used up, {@code bytes()} and {@code string()} of a request's body fail with a
     * {@link heddle.http.failure.ServerOverloadedException}, which is answered 503 with Retry-After
     * if the handler lets it pass. New requests are answered 503 with Retry-After, over HTTP/2
     * REFUSED_STREAM; new connections are refused as beyond {@link #maxConnections}; and
     * connections with content that waits for its handler are not read. All that ends by itself as
     * memory is returned.
     *
     * @param bytes at least 65,536
     */
    public Builder memoryBudget(long bytes) {
      if (bytes < MemoryBudget.LEAST_BYTES) {
        throw new IllegalArgumentException("memoryBudget must be at least "
            + MemoryBudget.LEAST_BYTES + " bytes, but was " + bytes);
      }
      memoryBudget = bytes;
      return this;
    }

    /**
     * How many connections may be open. By default as many as half of the {@linkplain #memoryBudget
     * memory budget} carries at the fixed cost of a connection, and three quarters of the
     * descriptors of the process at least: 8,192 with a heap of 256 MiB, 64,512 with 4 GiB and
     * 65,536 descriptors. {@link HttpServer#maxConnections} tells.
     *
     * <p>One more is told to come again later, with 503 and Retry-After, over HTTP/2 with GOAWAY,
     * and closed; {@link HttpServer#refusedConnections} counts these. It takes up to 2 s until such
     * a peer has closed its side. As many are told at a time as an eighth of the memory budget and
     * a quarter of the descriptors carry, at most 8,192, under TLS 256; what comes beyond that is
     * closed without a word and counted by {@link HttpServer#droppedConnections}.
     */
    public Builder maxConnections(int count) {
      maxConnections = atLeastOne("maxConnections", count);
      return this;
    }

    /**
     * How many requests may be answered at once. By default one for each 16 KiB of the {@linkplain
     * #memoryBudget memory budget}, which a request takes with its thread: 4,096 with a heap of 256
     * MiB, 65,536 with 4 GiB. {@link HttpServer#maxRequests} tells. One more is answered 503 with
     * Retry-After.
     */
    public Builder maxRequests(int count) {
      maxRequests = atLeastOne("maxRequests", count);
      return this;
    }

    /** The longest body of a request: 64 MiB by default. A longer one is answered 413. */
    public Builder maxBodyBytes(long bytes) {
      if (bytes < 0) {
        throw new IllegalArgumentException("maxBodyBytes is negative: " + bytes);
      }
      maxBodyBytes = bytes;
      return this;
    }

    /** Bounds of a request's head: {@link Limits#SERVER_DEFAULTS} by default, 16 KiB in all. */
    public Builder headLimits(Limits limits) {
      headLimits = Objects.requireNonNull(limits, "headLimits");
      return this;
    }

    /**
     * How long a head may take from its first byte to its last: 10 s by default, then 408. In
     * HTTP/2 a client has as long to send its SETTINGS and to acknowledge ours, and is told
     * SETTINGS_TIMEOUT then (RFC 9113 section 6.5.3).
     */
    public Builder headTimeout(Duration timeout) {
      headTimeout = positive("headTimeout", timeout);
      return this;
    }

    /** The longest silence within a request's body: 30 s by default, then 408. */
    public Builder bodyTimeout(Duration timeout) {
      bodyTimeout = positive("bodyTimeout", timeout);
      return this;
    }

    /**
     * How long a peer may take to read a piece of a response, at most 256 KiB: 30 s by default,
     * then its connection is cut.
     */
    public Builder writeTimeout(Duration timeout) {
      writeTimeout = positive("writeTimeout", timeout);
      return this;
    }

    /**
     * How fast a peer must send the content of a request and read responses: 240 bytes per second
     * by default, after a grace of 5 s. Only the time counts in which the server waits for the
     * peer, not the time in which a handler does not read or write, or in which the memory budget
     * is used up. A peer that was fast may fall behind for up to a minute. Content is measured per
     * request, responses per connection. A request whose content is slower is answered 408. A
     * connection that reads responses more slowly is closed; over HTTP/2, if it is the peer's
     * windows that hold responses back, their streams are reset. {@link #bodyTimeout} and {@link
     * #writeTimeout} hold besides.
     *
     * @param bytesPerSecond 0 for no limit
     * @param grace how long a peer may be waited for before the rate counts
     * @throws IllegalArgumentException if the rate is negative, or the grace is not positive
     *     although there is a rate
     */
    public Builder minRate(int bytesPerSecond, Duration grace) {
      minRate = new MinimumRate(bytesPerSecond, grace);
      return this;
    }

    /** How long a connection without a request is kept: 60 s by default. */
    public Builder idleTimeout(Duration timeout) {
      idleTimeout = positive("idleTimeout", timeout);
      return this;
    }

    /** How long {@link HttpServer#close} waits for running requests: 10 s by default. */
    public Builder closeTimeout(Duration timeout) {
      if (timeout.isNegative()) {
        throw new IllegalArgumentException("closeTimeout is negative: " + timeout);
      }
      closeTimeout = timeout;
      return this;
    }

    /**
     * Binds the address and begins to accept.
     *
     * @throws java.net.BindException when the address is in use
     * @throws IllegalStateException when there is no handler
     */
    public HttpServer start() throws IOException {
      if (handler == null) {
        throw new IllegalStateException("a server needs a handler: call handler(...) before start");
      }
      return new HttpServer(this, handler);
    }

    private ServerLimits limits() {
      return new ServerLimits(
          headLimits,
          headTimeout,
          bodyTimeout,
          writeTimeout,
          idleTimeout,
          ServerLimits.DEFAULTS.lingerTimeout(),
          maxBodyBytes,
          ServerLimits.DEFAULTS.maxDiscardBytes(),
          minRate);
    }

    private static int atLeastOne(String what, int count) {
      if (count < 1) {
        throw new IllegalArgumentException(what + " must be at least 1, not " + count);
      }
      return count;
    }

    private static Duration positive(String what, Duration timeout) {
      if (timeout.isNegative() || timeout.isZero()) {
        throw new IllegalArgumentException(what + " must be longer than 0, not " + timeout);
      }
      return timeout;
    }
  }
}
