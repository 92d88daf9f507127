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
 */
record ServerSetup(
    int heapMegabytes,
    int connectionAllowance,
    Duration attackTime,
    int connections,
    int descriptors,
    boolean tls,
    boolean mayRefuse) {
  /** What a connection may cost, whatever is sent on it. */
  static final int HTTP1_CONNECTION = 64 << 10;

  static final int HTTP2_CONNECTION = 512 << 10;

  /** One with many large responses that wait for their peer: 24 KiB for each, with its thread. */
  static final int HTTP2_CONNECTION_OF_WAITING_RESPONSES = 1_100 << 10;

  private static final Duration SHORT = Duration.ofSeconds(3);

  static ServerSetup http1() {
    return new ServerSetup(64, HTTP1_CONNECTION, SHORT, 0, 0, false, false);
  }

  static ServerSetup http2() {
    return new ServerSetup(64, HTTP2_CONNECTION, SHORT, 0, 0, false, false);
  }

  /** Instead of what a connection may cost by its version. */
  ServerSetup connectionAllowance(int bytes) {
    return new ServerSetup(
        heapMegabytes, bytes, attackTime, connections, descriptors, tls, mayRefuse);
  }

  ServerSetup heap(int megabytes) {
    return new ServerSetup(
        megabytes, connectionAllowance, attackTime, connections, descriptors, tls, mayRefuse);
  }

  ServerSetup lasting(Duration time) {
    return new ServerSetup(
        heapMegabytes, connectionAllowance, time, connections, descriptors, tls, mayRefuse);
  }

  ServerSetup connections(int most) {
    return new ServerSetup(
        heapMegabytes, connectionAllowance, attackTime, most, descriptors, tls, mayRefuse);
  }

  ServerSetup descriptors(int most) {
    return new ServerSetup(
        heapMegabytes, connectionAllowance, attackTime, connections, most, tls, mayRefuse);
  }

  ServerSetup overTls() {
    return new ServerSetup(
        heapMegabytes, connectionAllowance, attackTime, connections, descriptors, true, mayRefuse);
  }

  ServerSetup mayRefuseOthers() {
    return new ServerSetup(
        heapMegabytes, connectionAllowance, attackTime, connections, descriptors, tls, true);
  }

  Child start(@Nullable Path identity) throws IOException {
    List<String> arguments = new ArrayList<>();
    if (connections > 0) {
      arguments.add("connections=" + connections);
    }
    if (identity != null) {
      arguments.add("tls=" + identity);
    }
    return Child.start(
        new Child.Options(heapMegabytes, descriptors, null).endingWithoutMemory(),
        TortureServer.class,
        arguments.toArray(String[]::new));
  }
}
