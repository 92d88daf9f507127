package heddle.httpserver;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import heddle.transport.tcp.TcpNetwork;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.channels.ServerSocketChannel;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * A server from its creation to its end. The JDK's API binds the address first, and then takes
 * settings until the server is started, which is when Heddle's begins.
 */
final class ServerLifecycle {
  static final Logger LOG = System.getLogger("com.sun.net.httpserver");

  final Contexts contexts;

  private final boolean secure;
  private final SystemProperties properties;
  private final ServerSocketChannel socket;
  private final CountDownLatch stopped = new CountDownLatch(1);

  /** Held while the server is changed, not while it stops. */
  private final ReentrantLock changing = new ReentrantLock();

  // Written under the lock.
  private volatile @Nullable InetSocketAddress address;
  private volatile @Nullable Executor executor;
  private volatile @Nullable HttpsConfigurator configurator;
  private boolean started;
  private boolean stopping;
  private @Nullable TcpNetwork network;
  private heddle.server.@Nullable HttpServer running;

  ServerLifecycle(
      HttpServer server, boolean secure, @Nullable InetSocketAddress address, int backlog)
      throws IOException {
    this.secure = secure;
    this.properties = SystemProperties.read();
    this.contexts = new Contexts(server, properties.wholeSegments());
    this.socket = ServerSocketChannel.open();
    if (address != null) {
      try {
        bind(address, backlog);
      } catch (IOException | RuntimeException e) {
        socket.close();
        throw e;
      }
    }
  }

  void bind(InetSocketAddress newAddress, int backlog) throws IOException {
    changing.lock();
    try {
      if (address != null) {
        throw new BindException("the server is bound to " + address + " already");
      }
      Objects.requireNonNull(newAddress, "address");
      if (newAddress.isUnresolved()) {
        throw new SocketException("cannot bind to " + newAddress + ": the name has no address");
      }
      socket.bind(newAddress, backlog);
      address = (InetSocketAddress) socket.getLocalAddress();
    } finally {
      changing.unlock();
    }
  }

  /** Where the server listens; null before it is bound. */
  @Nullable
  InetSocketAddress address() {
    return address;
  }

  void setExecutor(@Nullable Executor newExecutor) {
    changing.lock();
    try {
      checkNotStarted("setExecutor");
      executor = newExecutor;
    } finally {
      changing.unlock();
    }
  }

  /** What runs the handlers; null for a virtual thread each. */
  @Nullable
  Executor executor() {
    return executor;
  }

  void setConfigurator(HttpsConfigurator newConfigurator) {
    Objects.requireNonNull(newConfigurator, "configurator");
    changing.lock();
    try {
      checkNotStarted("setHttpsConfigurator");
      configurator = newConfigurator;
    } finally {
      changing.unlock();
    }
  }

  @Nullable
  HttpsConfigurator configurator() {
    return configurator;
  }

  private void checkNotStarted(String method) {
    if (started) {
      throw new IllegalStateException("the server has been started: call " + method + " before");
    }
  }

  void start() {
    changing.lock();
    try {
      InetSocketAddress bound = address;
      if (bound == null || started || stopping) {
        throw new IllegalStateException("the server cannot be started: it "
            + (stopping ? "was stopped" : started ? "runs already" : "is not bound"));
      }
      heddle.server.HttpServer.Builder builder = properties
          .server()
          .address(bound)
          .exchangeHandler(new RequestDispatch(contexts, properties, secure, executor));
      if (secure) {
        builder.tls(tls());
      }
      TcpNetwork opened = TcpNetwork.builder().boundSocket(socket).build();
      try {
        running = builder.network(opened).start();
      } catch (IOException e) {
        opened.close();
        throw new UncheckedIOException("cannot start the server at " + bound, e);
      } catch (RuntimeException | Error e) {
        opened.close();
        throw e;
      }
      network = opened;
      started = true;
      // The loops are daemons, but a server keeps its JVM alive until it is stopped.
      new Thread(null, this::awaitStop, "HTTP-Dispatcher", 0, false).start();
    } finally {
      changing.unlock();
    }
  }

  private void awaitStop() {
    boolean waiting = true;
    while (waiting) {
      try {
        stopped.await();
        waiting = false;
      } catch (InterruptedException e) {
        LOG.log(Level.DEBUG, "the thread that keeps the JVM alive was interrupted", e);
      }
    }
  }

  /** Stops accepting, and gives exchanges this many seconds before their connections are closed. */
  void stop(int delay) {
    if (delay < 0) {
      throw new IllegalArgumentException("negative delay parameter: " + delay);
    }
    heddle.server.HttpServer server;
    TcpNetwork opened;
    changing.lock();
    try {
      stopping = true;
      server = running;
      opened = network;
    } finally {
      changing.unlock();
    }
    try {
      if (server != null) {
        server.close(Duration.ofSeconds(delay));
      } else {
        socket.close();
      }
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "the socket of a server that was not started cannot be closed", e);
    } finally {
      if (opened != null) {
        opened.close();
      }
      stopped.countDown();
    }
  }

  private TlsOptions tls() {
    HttpsConfigurator known = configurator;
    if (known == null) {
      LOG.log(Level.WARNING, "there is no HttpsConfigurator: all connections will be refused");
      return TlsOptions.builder()
          .context(defaultContext())
          .clientRules((engine, client) -> {
            throw new IllegalStateException("there is no HttpsConfigurator");
          })
          .build();
    }
    SSLContext context = known.getSSLContext();
    SSLEngine usual = context.createSSLEngine();
    usual.setUseClientMode(false);
    return TlsOptions.builder()
        .context(context)
        .protocols(usual.getEnabledProtocols())
        .clientRules((engine, client) -> configure(known, engine, client))
        .build();
  }

  private static SSLContext defaultContext() {
    try {
      return SSLContext.getDefault();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JVM has no TLS", e);
    }
  }

  /** On the thread of a handshake: asks the user's code what this client may use. */
  private void configure(HttpsConfigurator known, SSLEngine engine, SocketAddress client) {
    Asked asked = new Asked(known, (InetSocketAddress) client);
    known.configure(asked);
    SSLParameters given = asked.given;
    if (given != null) {
      String[] protocols = engine.getSSLParameters().getApplicationProtocols();
      engine.setSSLParameters(given);
      if (properties.http2() && given.getApplicationProtocols().length == 0) {
        SSLParameters offering = engine.getSSLParameters();
        offering.setApplicationProtocols(protocols);
        engine.setSSLParameters(offering);
      }
      return;
    }
    String[] suites = asked.getCipherSuites();
    if (suites != null) {
      engine.setEnabledCipherSuites(suites);
    }
    String[] versions = asked.getProtocols();
    if (versions != null) {
      engine.setEnabledProtocols(versions);
    }
    if (asked.getNeedClientAuth()) {
      engine.setNeedClientAuth(true);
    } else if (asked.getWantClientAuth()) {
      engine.setWantClientAuth(true);
    }
  }

  /** What a configurator says about one connection. */
  private static final class Asked extends HttpsParameters {
    private final HttpsConfigurator configurator;
    private final InetSocketAddress client;
    private @Nullable SSLParameters given;

    private Asked(HttpsConfigurator configurator, InetSocketAddress client) {
      this.configurator = configurator;
      this.client = client;
    }

    @Override
    public HttpsConfigurator getHttpsConfigurator() {
      return configurator;
    }

    @Override
    public InetSocketAddress getClientAddress() {
      return client;
    }

    @Override
    public void setSSLParameters(@Nullable SSLParameters parameters) {
      if (parameters != null) {
        given = parameters;
      }
    }
  }
}
