package heddle.server;

import heddle.connection.MemoryBudget;
import heddle.connection.MinimumRate;
import heddle.connection.ServerLimits;
import heddle.connection.ServerVersions;
import heddle.http.Limits;
import heddle.server.accept.Acceptor;
import heddle.server.accept.AdmissionLimit;
import heddle.server.accept.Capacity;
import heddle.server.accept.DrainDelay;
import heddle.server.dispatch.Dispatcher;
import heddle.server.dispatch.PlainHandler;
import heddle.server.proxy.TrustedProxies;
import heddle.server.spi.ExchangeHandler;
import heddle.server.spi.Handler;
import heddle.transport.Descriptors;
import heddle.transport.Network;
import heddle.transport.tcp.TcpNetwork;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP server. Each request is answered by a {@link Handler} on a new virtual thread. Clients
 * choose between HTTP/1.1 and HTTP/2, in cleartext by the first bytes that they send (RFC 9113
 * §3.3); handlers need not know which is used. Safe for use by many threads.
 *
 * <pre>{@code
 * try (HttpServer server = HttpServer.builder()
 *     .port(8080)
 *     .handler(request -> Response.ok("Hello!"))
 *     .start()) {
 *   Thread.sleep(Duration.ofHours(1));
 * }
 * }</pre>
 */
public final class HttpServer implements AutoCloseable {
  private final Network network;
  private final boolean ownsNetwork;
  private final Listeners listeners;
  private final Acceptor acceptor;
  private final MemoryBudget budget;
  private final AdmissionLimit connections;
  private final AdmissionLimit requests;
  private final Duration closeTimeout;
  private final DrainDelay drainDelay;

  /** Held while closing, so that every caller of close returns when the server is closed. */
  private final ReentrantLock closing = new ReentrantLock();

  private boolean closed; // guarded by closing

  private HttpServer(Builder builder, ExchangeHandler handler) throws IOException {
    List<ListenAddress> addresses = builder.addresses();
    boolean tls = addresses.stream().anyMatch(each -> each.tls() != null);
    long bytes = builder.memoryBudget == 0 ? MemoryBudget.defaultBytes() : builder.memoryBudget;
    Capacity capacity = Capacity.of(bytes, Descriptors.limit(), tls);
    connections = new AdmissionLimit(
        builder.maxConnections == 0 ? capacity.connections() : builder.maxConnections);
    requests =
        new AdmissionLimit(builder.maxRequests == 0 ? capacity.requests() : builder.maxRequests);
    budget = new MemoryBudget(bytes, requests::inside, requests.most());
    Executor executor = builder.executor != null ? builder.executor : Dispatcher.VIRTUAL_THREADS;
    acceptor = new Acceptor(
        tls,
        new ServerVersions(builder.http2, builder.upgradeToH2c, builder.hostRequired),
        builder.limits(),
        budget,
        connections,
        requests,
        new AdmissionLimit(capacity.refusals()),
        new Dispatcher(handler, executor, builder.handlerTimeout, this::onAnswered));
    closeTimeout = builder.closeTimeout;
    drainDelay = new DrainDelay(builder.drainDelay);
    Network given = builder.network;
    ownsNetwork = given == null;
    network = given != null ? given : TcpNetwork.builder().loops(builder.loops).build();
    try {
      listeners = new Listeners(network, addresses, builder.backlog, acceptor);
    } catch (IOException | RuntimeException | Error e) {
      if (ownsNetwork) {
        network.close();
      } else {
        // An address before the one that failed may have accepted connections.
        acceptor.drain(Duration.ZERO, network.loop());
      }
      throw e;
    }
  }

  private void onAnswered() {
    requests.leave();
    acceptor.onProgress();
  }

  /** A builder with the defaults that its methods document. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Where the server listens, with the port that the system chose if it was asked to; the first of
   * several.
   */
  public SocketAddress address() {
    return addresses().getFirst();
  }

  /**
   * All addresses on which the server listens: that of {@link Builder#address}, then those of
   * {@link Builder#listen} in their order.
   */
  public List<SocketAddress> addresses() {
    return listeners.addresses();
  }

  /**
   * The port of the first address.
   *
   * @throws IllegalStateException if it has no port, such as a Unix domain socket
   */
  public int port() {
    if (address() instanceof InetSocketAddress inet) {
      return inet.getPort();
    }
    throw new IllegalStateException(address() + " has no port");
  }

  /**
   * Replaces the TLS of the first address, as {@link #tls(SocketAddress, TlsOptions)} does.
   *
   * @throws IllegalArgumentException if the options hold no identity
   * @throws IllegalStateException if it was started without TLS
   */
  public void tls(TlsOptions options) {
    tls(address(), options);
  }

  /**
   * Speaks TLS with other options from now on, such as with a renewed certificate, and with it on
   * all addresses that were given the same options object. Nothing is interrupted: connections that
   * are open, and handshakes of connections that are already accepted, keep the options with which
   * they began. Sessions made under the options before are not resumed, so that each new connection
   * sees the new certificate, unless both options hold the same {@link javax.net.ssl.SSLContext}.
   * Files are read when options are built, so renewing a certificate is:
   *
   * <pre>{@code
   * server.tls(TlsOptions.builder().identity(chainPem, keyPem).build());
   * }</pre>
   *
   * @param address one of {@link #addresses}
   * @throws IllegalArgumentException if the options hold no identity, or the server does not listen
   *     at the address
   * @throws IllegalStateException if the address was started without TLS
   */
  public void tls(SocketAddress address, TlsOptions options) {
    listeners.replaceTls(address, options);
  }

  /** How many requests are being answered. */
  public int active() {
    return requests.inside();
  }

  /** The highest number of requests answered at once so far. */
  public int peakActive() {
    return requests.peak();
  }

  /** How many connections are open. */
  public int connections() {
    return acceptor.openConnections();
  }

  /** How many connections may be open: the builder's setting, or the derived default. */
  public int maxConnections() {
    return connections.most();
  }

  /** How many requests may be answered at once: the builder's setting, or the derived default. */
  public int maxRequests() {
    return requests.most();
  }

  /** How many bytes the server may hold for all its peers together. */
  public long memoryBudget() {
    return budget.bytes();
  }

  /**
   * How many bytes the server holds for its peers now, counted in steps of a few KiB; {@link
   * Builder#memoryBudget} says what for.
   */
  public long memoryHeld() {
    return budget.held();
  }

  /** The most bytes that the server has held for its peers at once so far. */
  public long peakMemoryHeld() {
    return budget.peak();
  }

  /** How many connections were refused so far, see {@link Builder#maxConnections}. */
  public long refusedConnections() {
    return acceptor.refusedConnections();
  }

  /** How many connections were closed so far without a response: too many were being refused. */
  public long droppedConnections() {
    return acceptor.droppedConnections();
  }

  /**
   * How many requests and connections ended so far because the client broke the protocol, exceeded
   * a limit of the server ({@link Builder#headLimits}, {@link Builder#maxBodyBytes}, the bounds of
   * floods), or was slower in sending than {@link Builder#headTimeout}, {@link Builder#bodyTimeout}
   * and {@link Builder#minRate} allow. A number that grows fast is a sign of an attack.
   */
  public long clientFaults() {
    return acceptor.clientFaults();
  }

  /**
   * Announces that the server will close: {@link #isDraining} is true from now on, and the {@link
   * Builder#drainDelay} begins. The server goes on to accept connections and to answer until {@link
   * #close} is called, which calls this method too. Idempotent, does not wait.
   */
  public void drain() {
    drainDelay.begin(network.loop());
  }

  /**
   * Whether {@link #drain} or {@link #close} has been called. A handler for a load balancer's
   * readiness check answers 503 (Service Unavailable) if so.
   */
  public boolean isDraining() {
    return drainDelay.isBegun();
  }

  /**
   * Closes the server. For the {@link Builder#drainDelay}, counted from the first call of {@link
   * #drain}, it goes on as before, but {@link #isDraining} is true; by default this time is 0. Then
   * it accepts no more connections, closes idle ones, answers running requests with {@code
   * Connection: close}, and ends HTTP/2 connections with GOAWAY. After the {@linkplain
   * Builder#closeTimeout close timeout}, or when the calling thread is interrupted, it cuts the
   * remaining connections and interrupts their handlers' threads; an interrupt ends the delay too.
   * Returns when all that is done; idempotent.
   */
  @Override
  public void close() {
    close(closeTimeout);
  }

  /**
   * As {@link #close()}, with another close timeout.
   *
   * @param timeout 0 cuts all connections at once
   * @throws IllegalArgumentException if it is negative
   */
  public void close(Duration timeout) {
    if (timeout.isNegative()) {
      throw new IllegalArgumentException("timeout is negative: " + timeout);
    }
    closing.lock();
    try {
      if (!closed) {
        closed = true;
        closeAll(timeout);
      }
    } finally {
      closing.unlock();
    }
  }

  /** Takes each step even if an earlier one throws, because a second call does nothing. */
  private void closeAll(Duration timeout) {
    try {
      drain();
      drainDelay.await(network.loop());
    } finally {
      try {
        listeners.close();
      } finally {
        endAll(timeout);
      }
    }
  }

  private void endAll(Duration timeout) {
    try {
      acceptor.drain(timeout, network.loop());
    } finally {
      if (ownsNetwork) {
        network.close();
      }
    }
  }

  /** Builds a server. Not safe for use by several threads. */
  public static final class Builder {
    private static final int MOST_WINDOW = (1 << 30) - 1;

    private SocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private @Nullable ExchangeHandler handler;
    private @Nullable Duration handlerTimeout;
    private @Nullable Executor executor;
    private @Nullable Network network;
    private @Nullable TlsOptions tls;
    private @Nullable TrustedProxies proxies;
    private final List<ListenAddress> others = new ArrayList<>();
    private boolean http2 = true;
    private boolean upgradeToH2c;
    private boolean hostRequired = true;
    private int loops = 1;
    private int backlog = 1024;

    private long memoryBudget; // 0 if it is derived, as for the next two
    private int maxConnections;
    private int maxRequests;
    private Duration closeTimeout = Duration.ofSeconds(10);
    private Duration drainDelay = Duration.ZERO;
    private Limits headLimits = ServerLimits.DEFAULTS.codec();
    private Duration headTimeout = ServerLimits.DEFAULTS.headTimeout();
    private Duration bodyTimeout = ServerLimits.DEFAULTS.bodyTimeout();
    private Duration writeTimeout = ServerLimits.DEFAULTS.writeTimeout();
    private Duration idleTimeout = ServerLimits.DEFAULTS.idleTimeout();
    private MinimumRate minRate = ServerLimits.DEFAULTS.minRate();
    private long maxBodyBytes = ServerLimits.DEFAULTS.maxBodyBytes();
    private int maxDiscardBytes = ServerLimits.DEFAULTS.maxDiscardBytes();
    private Duration lingerTimeout = ServerLimits.DEFAULTS.lingerTimeout();
    private int http2MaxStreams = ServerLimits.Http2.DEFAULTS.maxStreams();
    private int http2StreamWindow = ServerLimits.Http2.DEFAULTS.streamWindow();
    private int http2MaxStreamWindow = ServerLimits.Http2.DEFAULTS.maxStreamWindow();
    private int http2ConnectionWindow = ServerLimits.Http2.DEFAULTS.connectionWindow();
    private int http2MaxFrameBytes = ServerLimits.Http2.DEFAULTS.maxFrameBytes();
    private int http2HeaderTableBytes = ServerLimits.Http2.DEFAULTS.headerTableBytes();

    private Builder() {}

    /**
     * Listens on a port of the loopback address, which only this machine can reach: 0 to 65535,
     * where 0, the default, lets the system choose. For other machines use {@link #address}.
     */
    public Builder port(int port) {
      if (port < 0 || port > 65_535) {
        throw new IllegalArgumentException("port must be 0 to 65535, not " + port);
      }
      return address(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    /**
     * Listens on this address; {@code new InetSocketAddress(8080)} listens on all interfaces. For
     * more addresses see {@link #listen}.
     *
     * <p>A {@link java.net.UnixDomainSocketAddress} makes a socket file, which {@link
     * HttpServer#close} deletes. A file that a server left behind when it crashed is replaced; it
     * is an error if a process listens there, or if it is another kind of file. The permissions of
     * the folder, and of the file, which the umask of the process sets, decide who may connect: use
     * a folder that only those users may enter.
     */
    public Builder address(SocketAddress newAddress) {
      address = Objects.requireNonNull(newAddress, "address");
      return this;
    }

    /**
     * Also listens on this address, with its own TLS or none; may be called several times. All
     * addresses have the same handler and limits. {@link #tls} and {@link #proxyProtocol} do not
     * apply to it.
     */
    public Builder listen(ListenAddress another) {
      others.add(Objects.requireNonNull(another, "another"));
      return this;
    }

    /**
     * Expects a header of HAProxy's PROXY protocol, of version 1 or 2, in front of each connection
     * from these proxies, before TLS; off by default. The client's address and the one that it
     * connected to, which the header names, then replace those of the connection. Headers that name
     * none (LOCAL, UNKNOWN, other transports than TCP) leave it at those of the proxy. A connection
     * whose first bytes are not such a header is closed and counted by {@link
     * HttpServer#clientFaults}, as is one with more than 107 bytes of version 1 or 4,096 of version
     * 2; the {@link #headTimeout} includes the time for the header.
     *
     * <p>Other peers are served without a header; one that sends one is refused, because it is
     * neither HTTP nor TLS.
     */
    public Builder proxyProtocol(TrustedProxies trusted) {
      proxies = Objects.requireNonNull(trusted, "trusted");
      return this;
    }

    /** The handler that answers the requests. Required, unless {@link #exchangeHandler} is used. */
    public Builder handler(Handler newHandler) {
      Objects.requireNonNull(newHandler, "handler");
      return exchangeHandler(new PlainHandler(newHandler));
    }

    /**
     * The handler that answers the requests, and sees their connections. As it may {@linkplain
     * heddle.server.spi.Exchange#switchProtocols switch} to other protocols, clients are told over
     * HTTP/2 that they may ask for that (SETTINGS_ENABLE_CONNECT_PROTOCOL, RFC 8441).
     */
    public Builder exchangeHandler(ExchangeHandler newHandler) {
      handler = Objects.requireNonNull(newHandler, "handler");
      return this;
    }

    /**
     * How long a handler may take until it returns: without limit by default. Then its thread is
     * interrupted, and if it ends with an exception before its response has begun, the answer is
     * 503 with Retry-After. A body that is read or written after the handler has returned is
     * bounded by {@link #writeTimeout} and {@link #minRate}.
     */
    public Builder handlerTimeout(Duration timeout) {
      handlerTimeout = positive("handlerTimeout", timeout);
      return this;
    }

    /**
     * The executor that runs the handler; by default each request gets a new virtual thread. It
     * must not run tasks on the thread that calls it. A request that it rejects is answered 503.
     * The caller must shut it down.
     */
    public Builder executor(Executor newExecutor) {
      executor = Objects.requireNonNull(newExecutor, "executor");
      return this;
    }

    /** The network to listen on, which the caller must close; by default a new TCP network. */
    public Builder network(Network newNetwork) {
      network = Objects.requireNonNull(newNetwork, "network");
      return this;
    }

    /**
     * Speaks TLS on the {@link #address}, with the identity in the options; a client has the
     * {@linkplain #headTimeout head timeout} for its handshake. Without this the server speaks
     * cleartext. {@link HttpServer#tls} replaces the options later.
     *
     * @throws IllegalArgumentException if the options hold no identity
     */
    public Builder tls(TlsOptions options) {
      ListenAddress.checkIdentity(options);
      tls = options;
      return this;
    }

    /**
     * Whether a request of HTTP/1.1 in cleartext may upgrade its connection to HTTP/2, as the
     * JDK's {@code HttpClient} offers to (RFC 7540 §3.2); RFC 9113 no longer has this, and it is
     * off by default. An offer is ignored if its request has content. Clients that know that the
     * server speaks HTTP/2 need no upgrade, and TLS agrees on the version by ALPN.
     *
     * <p>Leave this off behind a proxy that passes Upgrade on without understanding it: a client
     * could then send requests in HTTP/2 that the proxy's rules never see.
     */
    public Builder upgradeToH2c(boolean upgrade) {
      upgradeToH2c = upgrade;
      return this;
    }

    /**
     * Whether clients may speak HTTP/2, which they may by default. Without it TLS agrees on
     * HTTP/1.1, and {@link #upgradeToH2c} must be off.
     */
    public Builder http2(boolean allowed) {
      http2 = allowed;
      return this;
    }

    /**
     * Whether a request of HTTP/1.1 must have a Host field, as RFC 9112 §3.2 demands; otherwise it
     * is answered 400. On by default. Without it, such a request is taken as one for the address
     * that its client has connected to; other servers, and proxies in front of this one, may take
     * it for another host.
     */
    public Builder hostRequired(boolean required) {
      hostRequired = required;
      return this;
    }

    /** How many loops, each a platform thread, if no network is given: 1 to 64, 1 by default. */
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
     * -Xmx}) by default. It counts connections at a fixed cost (4 KiB, under TLS 24 KiB, over
     * HTTP/2 12 KiB more), heads of requests that are open, content that no handler has read or
     * that {@code request.body().bytes()} and {@code string()} have collected for one, until the
     * request is answered, and output of HTTP/2 that a peer does not read, not what a handler
     * allocates.
     *
     * <p>When it is used up, {@code bytes()} and {@code string()} of a request's body fail with a
     * {@link heddle.http.failure.ServerOverloadedException}, which is answered 503 with Retry-After
     * if the handler throws it. New requests are answered 503 with Retry-After, over HTTP/2
     * REFUSED_STREAM; new connections are refused as if {@link #maxConnections} were reached; and
     * connections with content that waits for its handler are not read. The server recovers as
     * memory is released.
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
     * How many connections may be open. By default as many as fit both into half of the {@linkplain
     * #memoryBudget memory budget}, at the fixed cost of a connection, and into at least three
     * quarters of the descriptors of the process: 8,192 with a heap of 256 MiB, 64,512 with 4 GiB
     * and 65,536 descriptors. {@link HttpServer#maxConnections} returns the number.
     *
     * <p>Further connections are refused with 503 and Retry-After, over HTTP/2 with GOAWAY, and
     * closed; {@link HttpServer#refusedConnections} counts them. Such a peer has up to 2 s to close
     * its side. The number refused at the same time is bounded by an eighth of the memory budget
     * and a quarter of the descriptors, and is at most 8,192, under TLS 256; connections beyond
     * that are closed without a response and counted by {@link HttpServer#droppedConnections}.
     */
    public Builder maxConnections(int count) {
      maxConnections = atLeastOne("maxConnections", count);
      return this;
    }

    /**
     * How many requests may be answered at once. By default one for each 24 KiB of the {@linkplain
     * #memoryBudget memory budget}, which a request takes with its thread: 2,730 with a heap of 256
     * MiB, 43,690 with 4 GiB. {@link HttpServer#maxRequests} returns the number. Further requests
     * are answered 503 with Retry-After.
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

    /**
     * How much of a request's body is read and discarded if the handler has answered without
     * reading it, so that the connection can be used again: 64 KiB by default, 0 or more. If more
     * remains or arrives, a connection of HTTP/1.1 ends, and over HTTP/2 the stream is reset.
     */
    public Builder maxDiscardBytes(int bytes) {
      maxDiscardBytes = within("maxDiscardBytes", bytes, 0, Integer.MAX_VALUE);
      return this;
    }

    /** Bounds of a request's head: {@link Limits#SERVER_DEFAULTS} by default, 16 KiB in all. */
    public Builder headLimits(Limits limits) {
      headLimits = Objects.requireNonNull(limits, "headLimits");
      return this;
    }

    /**
     * How long a head may take from its first byte to its last: 10 s by default, then 408. In
     * HTTP/2 a client has as much time to send its SETTINGS and to acknowledge ours; after that the
     * connection ends with SETTINGS_TIMEOUT (RFC 9113 section 6.5.3).
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
     * by default, after a grace of 5 s. Only the time in which the server waits for the peer
     * counts, not the time in which a handler does not read or write, or in which the memory budget
     * is used up. A peer that was fast may fall behind for up to a minute. Content is measured per
     * request, responses per connection. A request whose content is slower is answered 408. A
     * connection that reads responses more slowly is closed; over HTTP/2, if it is the peer's
     * windows that hold responses back, their streams are reset. {@link #bodyTimeout} and {@link
     * #writeTimeout} apply as well.
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

    /**
     * How long a client may take to read the last response of a connection and to close its side:
     * 2 s by default, then the connection is cut. Over HTTP/2 it has as much time to send the rest
     * of a request that was answered early, and to acknowledge that the connection ends.
     */
    public Builder lingerTimeout(Duration timeout) {
      lingerTimeout = positive("lingerTimeout", timeout);
      return this;
    }

    /**
     * How many requests one connection of HTTP/2 may have open (SETTINGS_MAX_CONCURRENT_STREAMS,
     * RFC 9113 section 6.5.2): 128 by default, at least 1. The RFC recommends no fewer than 100.
     */
    public Builder http2MaxStreams(int count) {
      http2MaxStreams = atLeastOne("http2MaxStreams", count);
      return this;
    }

    /**
     * How much content of one request over HTTP/2 may wait for its handler: 256 KiB at first
     * (SETTINGS_INITIAL_WINDOW_SIZE, RFC 9113 section 6.5.2), by default, which grows to 768 KiB as
     * the client's distance demands. Larger windows make uploads over long distances faster; what
     * waits counts in the {@link #memoryBudget}.
     *
     * @param atFirst bytes, 1 to {@code atMost}
     * @param atMost bytes, at most 1,073,741,823; {@code atFirst} for a window that does not grow
     */
    public Builder http2StreamWindow(int atFirst, int atMost) {
      http2MaxStreamWindow =
          within("the most that http2StreamWindow grows to", atMost, 1, MOST_WINDOW);
      http2StreamWindow = within("http2StreamWindow", atFirst, 1, atMost);
      return this;
    }

    /**
     * How much content of all requests on one connection of HTTP/2 may wait for handlers: by
     * default twice the largest window that a stream has, so 512 KiB to 1.5 MiB. Up to 256 KiB more
     * may wait, so that one slow handler does not stop the others.
     *
     * @param bytes 65,535, with which each connection begins (RFC 9113 section 6.9.2), to
     *     2,147,483,647
     */
    public Builder http2ConnectionWindow(int bytes) {
      http2ConnectionWindow = within("http2ConnectionWindow", bytes, 65_535, Integer.MAX_VALUE);
      return this;
    }

    /**
     * The longest payload of a frame of HTTP/2 that a client may send (SETTINGS_MAX_FRAME_SIZE, RFC
     * 9113 section 6.5.2): 16,384 bytes by default. Content is passed on as it arrives, in pieces;
     * other frames are held in memory until they are complete.
     *
     * @param bytes 16,384 to 16,777,215
     */
    public Builder http2MaxFrameBytes(int bytes) {
      http2MaxFrameBytes = within("http2MaxFrameBytes", bytes, 1 << 14, (1 << 24) - 1);
      return this;
    }

    /**
     * The size of the table by which a client may compress the heads of its requests over HTTP/2
     * (SETTINGS_HEADER_TABLE_SIZE, RFC 9113 section 6.5.2): 4,096 bytes by default. What is above
     * that counts in the {@link #memoryBudget} for each connection.
     *
     * @param bytes 0, for no table, to 1,048,576
     */
    public Builder http2HeaderTableBytes(int bytes) {
      http2HeaderTableBytes = within("http2HeaderTableBytes", bytes, 0, 1 << 20);
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
     * How long {@link HttpServer#close} goes on to accept and answer while {@link
     * HttpServer#isDraining} is true, so that a load balancer's check finds the server not ready
     * before it stops to listen: 0 by default. Choose the time that the balancer needs to notice.
     */
    public Builder drainDelay(Duration delay) {
      if (delay.isNegative()) {
        throw new IllegalArgumentException("drainDelay is negative: " + delay);
      }
      drainDelay = delay;
      return this;
    }

    /**
     * Binds all addresses and begins to accept.
     *
     * @throws java.net.BindException if an address is in use
     * @throws IllegalStateException if there is no handler, or upgradeToH2c is on and http2 off
     */
    public HttpServer start() throws IOException {
      if (handler == null) {
        throw new IllegalStateException("a server needs a handler: call handler(...) before start");
      }
      if (upgradeToH2c && !http2) {
        throw new IllegalStateException("upgradeToH2c needs http2, which is off");
      }
      return new HttpServer(this, handler);
    }

    private List<ListenAddress> addresses() {
      List<ListenAddress> all = new ArrayList<>(others);
      all.addFirst(new ListenAddress(address, tls, proxies));
      return all;
    }

    private ServerLimits limits() {
      return new ServerLimits(
          headLimits,
          headTimeout,
          bodyTimeout,
          writeTimeout,
          idleTimeout,
          lingerTimeout,
          maxBodyBytes,
          maxDiscardBytes,
          minRate,
          new ServerLimits.Http2(
              http2MaxStreams,
              http2StreamWindow,
              http2MaxStreamWindow,
              http2ConnectionWindow,
              http2MaxFrameBytes,
              http2HeaderTableBytes));
    }

    private static int within(String what, int value, int least, int most) {
      if (value < least || value > most) {
        throw new IllegalArgumentException(
            what + " must be " + least + " to " + most + ", but was " + value);
      }
      return value;
    }

    private static int atLeastOne(String what, int count) {
      if (count < 1) {
        throw new IllegalArgumentException(what + " must be at least 1, not " + count);
      }
      return count;
    }

    private static Duration positive(String what, Duration timeout) {
      if (!timeout.isPositive()) {
        throw new IllegalArgumentException(what + " must be longer than 0, not " + timeout);
      }
      return timeout;
    }
  }
}
