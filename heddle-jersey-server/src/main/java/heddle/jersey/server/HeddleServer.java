package heddle.jersey.server;

import heddle.server.HttpServer;
import heddle.transport.tls.TlsOptions;
import heddle.transport.tls.TlsOptions.ClientAuthentication;
import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.SeBootstrap;
import jakarta.ws.rs.core.Application;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.glassfish.jersey.server.JerseySeBootstrapConfiguration;
import org.glassfish.jersey.server.spi.WebServer;
import org.jspecify.annotations.Nullable;

/**
 * Heddle's server as {@link SeBootstrap} starts it: at the configuration's host and port, where 0
 * stands for a free one, with the resources below its root path. HTTPS uses the configuration's
 * {@code SSLContext}. Safe for use by many threads.
 *
 * <pre>{@code
 * SeBootstrap.start(new ResourceConfig(Hello.class), SeBootstrap.Configuration.builder()
 *     .port(8080)
 *     .property(HeddleServer.BUILDER, HttpServer.builder().maxRequests(1_000))
 *     .build());
 * }</pre>
 */
public final class HeddleServer implements WebServer {
  /**
   * The property of a configuration that holds an {@link HttpServer.Builder} with further settings.
   * The address, TLS and the handler come from the configuration.
   */
  public static final String BUILDER = "heddle.jersey.server.builder";

  private final JerseyHandler handler;
  private final HttpServer.Builder builder;
  private final int configuredPort;

  private final ReentrantLock lock = new ReentrantLock();
  private volatile @Nullable HttpServer server; // written under lock
  private boolean stopped; // guarded by lock

  HeddleServer(Application application, JerseySeBootstrapConfiguration configuration) {
    URI uri = configuration.uri(true);
    boolean free = configuration.port() == SeBootstrap.Configuration.FREE_PORT;
    configuredPort = free ? 0 : uri.getPort();
    Object given = configuration.property(BUILDER);
    if (given != null && !(given instanceof HttpServer.Builder)) {
      throw new IllegalArgumentException(BUILDER + " must be an HttpServer.Builder, but is a "
          + given.getClass().getName());
    }
    builder = given == null ? HttpServer.builder() : (HttpServer.Builder) given;
    builder.address(new InetSocketAddress(uri.getHost(), configuredPort));
    if (configuration.isHttps()) {
      builder.tls(tls(configuration));
    }
    String rootPath = uri.getRawPath();
    handler = JerseyHandler.of(application, rootPath.isEmpty() ? "/" : rootPath);
    builder.exchangeHandler(handler);
    if (configuration.autoStart()) {
      try {
        open();
      } catch (RuntimeException e) {
        handler.close();
        throw e;
      }
    }
  }

  private static TlsOptions tls(JerseySeBootstrapConfiguration configuration) {
    ClientAuthentication clients =
        switch (configuration.sslClientAuthentication()) {
          case NONE -> ClientAuthentication.NONE;
          case OPTIONAL -> ClientAuthentication.WANTED;
          case MANDATORY -> ClientAuthentication.NEEDED;
        };
    return TlsOptions.builder()
        .context(configuration.sslContext())
        .clientAuthentication(clients)
        .build();
  }

  private void open() {
    lock.lock();
    try {
      if (server != null || stopped) {
        throw new IllegalStateException("the server was started before");
      }
      server = builder.start();
    } catch (IOException e) {
      throw new ProcessingException("the server cannot listen: " + e.getMessage(), e);
    } finally {
      lock.unlock();
    }
  }

  private void shut() {
    lock.lock();
    try {
      if (stopped) {
        return;
      }
      stopped = true;
      HttpServer started = server;
      try {
        if (started != null) {
          started.close();
        }
      } finally {
        handler.close();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public JerseyHandler container() {
    return handler;
  }

  /** Where the server listens; before its start the configured port, 0 for a free one. */
  @Override
  public int port() {
    HttpServer started = server;
    return started == null ? configuredPort : started.port();
  }

  /** Starts the server, once; fails with a {@link ProcessingException} if it cannot listen. */
  @Override
  public CompletableFuture<Void> start() {
    return CompletableFuture.runAsync(this::open, Thread::startVirtualThread);
  }

  /** Closes the server, which waits for running requests, then the application. */
  @Override
  public CompletableFuture<Void> stop() {
    return CompletableFuture.runAsync(this::shut, Thread::startVirtualThread);
  }

  /**
   * The server below.
   *
   * @param type {@link HttpServer}
   * @return null if it has not been started
   * @throws ClassCastException for another type
   */
  @Override
  public <T> @Nullable T unwrap(Class<T> type) {
    return type.cast(server);
  }
}
