package heddle.http4k;

import heddle.server.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import kotlin.jvm.functions.Function1;
import org.http4k.core.Request;
import org.http4k.core.Response;
import org.http4k.server.Http4kServer;
import org.http4k.server.ServerConfig;
import org.jspecify.annotations.Nullable;

/**
 * Runs a handler of http4k on Heddle's server. Each request has a new virtual thread, which may
 * block. Listens on all interfaces, as the other servers of http4k do. Immutable.
 *
 * <pre>{@code
 * val app = { request: Request -> Response(OK).body("Hello, ${request.source?.address}") }
 * app.asServer(HeddleServer(8080)).start()
 * }</pre>
 */
public final class HeddleServer implements ServerConfig {
  private static final int DEFAULT_PORT = 8000;

  private final int port;
  private final StopMode stopMode;
  private final UnaryOperator<HttpServer.Builder> settings;

  /** A server on port 8000. */
  public HeddleServer() {
    this(DEFAULT_PORT);
  }

  /**
   * A server that does not wait for running requests when it is stopped.
   *
   * @param port 0 for a free one
   */
  public HeddleServer(int port) {
    this(port, StopMode.Immediate.INSTANCE);
  }

  /** As {@link #HeddleServer(int, StopMode, UnaryOperator)}, with the default settings. */
  public HeddleServer(int port, StopMode stopMode) {
    this(port, stopMode, UnaryOperator.identity());
  }

  /**
   * A server.
   *
   * @param port 0 for a free one
   * @param stopMode whether stopping waits for running requests, and how long
   * @param settings for limits, TLS and other settings of Heddle's server; called at each start
   */
  public HeddleServer(int port, StopMode stopMode, UnaryOperator<HttpServer.Builder> settings) {
    this.port = port;
    this.stopMode = Objects.requireNonNull(stopMode, "stopMode");
    this.settings = Objects.requireNonNull(settings, "settings");
  }

  private Duration closeTimeout() {
    return switch (stopMode) {
      case StopMode.Graceful graceful -> graceful.getTimeout();
      case StopMode.Immediate immediate -> Duration.ZERO;
    };
  }

  @Override
  public StopMode getStopMode() {
    return stopMode;
  }

  /** A server for this handler, which listens once it is started. Safe for use by many threads. */
  @Override
  public Http4kServer toServer(Function1<? super Request, ? extends Response> handler) {
    return new Server(new Http4kHandler(handler));
  }

  private HttpServer listen(Http4kHandler handler) {
    HttpServer.Builder builder =
        HttpServer.builder().address(new InetSocketAddress(port)).closeTimeout(closeTimeout());
    try {
      return settings.apply(builder).exchangeHandler(handler).start();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot listen on port " + port, e);
    }
  }

  private final class Server implements Http4kServer {
    private final Http4kHandler handler;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition stopped = lock.newCondition();
    private @Nullable HttpServer running; // guarded by lock

    Server(Http4kHandler handler) {
      this.handler = handler;
    }

    @Override
    public Http4kServer start() {
      lock.lock();
      try {
        if (running != null) {
          throw new IllegalStateException("the server runs on port " + running.port());
        }
        running = listen(handler);
        return this;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public Http4kServer stop() {
      lock.lock();
      try {
        HttpServer server = running;
        if (server != null) {
          running = null;
          server.close();
        }
        return this;
      } finally {
        stopped.signalAll();
        lock.unlock();
      }
    }

    @Override
    public void close() {
      stop();
    }

    /** Returns when the server is stopped, or the thread is interrupted. */
    @Override
    public void block() {
      lock.lock();
      try {
        while (running != null) {
          stopped.await();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public int port() {
      lock.lock();
      try {
        if (running != null) {
          return running.port();
        }
        if (port == 0) {
          throw new IllegalStateException("the port is not known before the server is started");
        }
        return port;
      } finally {
        lock.unlock();
      }
    }
  }
}
