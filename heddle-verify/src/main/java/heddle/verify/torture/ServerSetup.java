package heddle.verify.torture;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The server of a trial, how long it is attacked, and what that may do to others.
 *
 * @param heapMegabytes largest heap of the server's process
 * @param connectionAllowance bytes of heap that each connection may cost, whatever it sends
 * @param attackTime how long the attack goes on
 * @param connections how many the server takes; 0 for its default
 * @param descriptors how many its process may have; 0 for as many as this one
 * @param tls whether it speaks TLS
 * @param mayRefuse whether the attack may use the memory budget up, so that others get 503
 * @param site whether it serves a {@link TortureSite}
 */
record ServerSetup(
    int heapMegabytes,
    int connectionAllowance,
    Duration attackTime,
    int connections,
    int descriptors,
    boolean tls,
    boolean mayRefuse,
    boolean site) {
  /** What a connection may cost, whatever is sent on it. */
  static final int HTTP1_CONNECTION = 64 << 10;

  static final int HTTP2_CONNECTION = 512 << 10;

  /** A large response that waits for its peer, with its thread. */
  private static final int WAITING_RESPONSE = 24 << 10;

  static Builder http1() {
    return new Builder(HTTP1_CONNECTION);
  }

  static Builder http2() {
    return new Builder(HTTP2_CONNECTION);
  }

  /** @param responses the most that wait on one connection for a peer that does not read */
  static Builder http2WithWaiting(int responses) {
    return new Builder(HTTP2_CONNECTION + responses * WAITING_RESPONSE).mayRefuseOthers();
  }

  /** This setup with another duration of the attack. */
  ServerSetup lasting(Duration time) {
    return new ServerSetup(
        heapMegabytes, connectionAllowance, time, connections, descriptors, tls, mayRefuse, site);
  }

  /** Whether calls of well-behaved clients may fail without an answer. */
  boolean mayFail() {
    return mayRefuse || descriptors > 0;
  }

  /** Whether calls may wait: files of a site leave no descriptor for their connections. */
  boolean mayWait() {
    return site && descriptors > 0;
  }

  /**
   * @param identity for TLS; null for cleartext
   * @param folder of a site; null for a server without one
   */
  Child start(@Nullable Path identity, @Nullable SiteFolder folder) throws IOException {
    List<String> arguments = new ArrayList<>();
    if (connections > 0) {
      arguments.add("connections=" + connections);
    }
    if (identity != null) {
      arguments.add("tls=" + identity);
    }
    if (folder != null) {
      arguments.add("site=" + folder.root());
    }
    return Child.start(
        new Child.Options(heapMegabytes, descriptors, null).endingWithoutMemory(),
        TortureServer.class,
        arguments.toArray(String[]::new));
  }

  /** Sets what differs from a server with 64 MiB of heap that is attacked for 3 s. */
  static final class Builder {
    private int heapMegabytes = 64;
    private int connectionAllowance;
    private Duration attackTime = Duration.ofSeconds(3);
    private int connections;
    private int descriptors;
    private boolean tls;
    private boolean mayRefuse;
    private boolean site;

    private Builder(int connectionAllowance) {
      this.connectionAllowance = connectionAllowance;
    }

    Builder heap(int megabytes) {
      heapMegabytes = megabytes;
      return this;
    }

    /** Instead of what a connection may cost by its version. */
    Builder connectionAllowance(int bytes) {
      connectionAllowance = bytes;
      return this;
    }

    Builder lasting(Duration time) {
      attackTime = time;
      return this;
    }

    Builder connections(int most) {
      connections = most;
      return this;
    }

    Builder descriptors(int most) {
      descriptors = most;
      return this;
    }

    Builder overTls() {
      tls = true;
      return this;
    }

    Builder mayRefuseOthers() {
      mayRefuse = true;
      return this;
    }

    Builder site() {
      site = true;
      return this;
    }

    ServerSetup build() {
      return new ServerSetup(
          heapMegabytes,
          connectionAllowance,
          attackTime,
          connections,
          descriptors,
          tls,
          mayRefuse,
          site);
    }
  }
}
