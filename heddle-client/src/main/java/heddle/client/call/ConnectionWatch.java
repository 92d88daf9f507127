package heddle.client.call;

import heddle.client.jfr.ClientEvents.Http2ConnectionEvent;
import heddle.client.jfr.FlightRecording;
import heddle.client.pool.Connector;
import heddle.client.pool.Lease;
import heddle.client.route.Proxied;
import heddle.client.spi.ConnectionInfo;
import heddle.client.spi.Route;
import heddle.connection.Connection;
import heddle.connection.ConnectionListener;
import heddle.connection.Exchange;
import heddle.http.HttpVersion;
import heddle.transport.time.Clock;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections with another connector, reports their opening and closing to listeners and
 * recordings, and interrupts calls that are opening one when the client is closed.
 */
final class ConnectionWatch implements Connector {
  private final Connector connector;
  private final Observers observers;
  private final Clock clock;
  private final Abortable opening = new Abortable();

  ConnectionWatch(Connector connector, Observers observers, Clock clock) {
    this.connector = connector;
    this.observers = observers;
    this.clock = clock;
  }

  /** Attempts to open a connection fail from now on, running ones included. Does not wait. */
  void abort() {
    opening.abort();
  }

  @Override
  public Connection connect(Route route, Exchange exchange, ConnectionListener listener)
      throws IOException {
    return opening.run(exchange, () -> watched(route, exchange, listener));
  }

  private Connection watched(Route route, Exchange exchange, ConnectionListener listener)
      throws IOException {
    if (!observers.lookAtConnections()) {
      return connector.connect(route, exchange, listener);
    }
    Lifecycle lifecycle = new Lifecycle(listener);
    Connection connection = connector.connect(route, exchange, lifecycle);
    lifecycle.begin(info(connection, route));
    return connection;
  }

  static ConnectionInfo info(Lease lease) {
    return info(lease.connection(), lease.route());
  }

  private static ConnectionInfo info(Connection connection, Route route) {
    return new ConnectionInfo(
        connection.id(),
        route.origin(),
        connection.version(),
        connection.remoteAddress(),
        connection.tlsSession(),
        connection instanceof Proxied proxied ? proxied.proxy() : null,
        connection.localAddress());
  }

  /** Reports a connection's opening and then its end, which may reach us first. */
  private final class Lifecycle implements ConnectionListener {
    private static final int BEGUN = 1;
    private static final int CLOSED = 2;

    private final ConnectionListener listener;
    private final AtomicInteger marks = new AtomicInteger();

    // Written before BEGUN is set, or on the thread that sets it.
    private @Nullable ConnectionInfo info;
    private @Nullable Http2ConnectionEvent event;
    private long openedAt;

    Lifecycle(ConnectionListener listener) {
      this.listener = listener;
    }

    void begin(ConnectionInfo connection) {
      info = connection;
      openedAt = clock.nanoTime();
      if (FlightRecording.wantsConnections() && connection.version() == HttpVersion.HTTP_2) {
        event = new Http2ConnectionEvent();
        event.begin();
      }
      observers.tell(each -> each.connectionOpened(connection));
      if (marks.getAndAdd(BEGUN) == CLOSED) {
        end();
      }
    }

    @Override
    public void closed() {
      try {
        listener.closed();
      } finally {
        if (marks.getAndAdd(CLOSED) == BEGUN) {
          // Often on the loop, which must not run a user's code.
          Thread.ofVirtual().name("heddle-listener").start(this::end);
        }
      }
    }

    @Override
    public void capacityChanged() {
      listener.capacityChanged();
    }

    @Override
    public void expectHttp11() {
      listener.expectHttp11();
    }

    private void end() {
      ConnectionInfo connection =
          Objects.requireNonNull(info, "a connection ends that has not begun");
      if (event != null && event.shouldCommit()) {
        event.connectionId = connection.id();
        event.origin = connection.origin().toString();
        event.address = String.valueOf(connection.remoteAddress());
        event.commit();
      }
      Duration age = Duration.ofNanos(clock.nanoTime() - openedAt);
      observers.tell(each -> each.connectionClosed(connection, age));
    }
  }
}
