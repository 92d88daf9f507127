package heddle.adapters.elasticsearch;

import co.elastic.clients.transport.http.TransportHttpClient.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Decides which nodes a call tries, and in which order: live nodes, round-robin. A failed node is
 * skipped for a minute, and longer after each further failure, up to 30 minutes, as by the client's
 * own transport. Thread-safe.
 */
final class Nodes {
  private static final Duration FIRST_REST = Duration.ofMinutes(1);
  private static final Duration LONGEST_REST = Duration.ofMinutes(30);

  private final List<Node> all;
  private final LongSupplier nanos;
  private final AtomicInteger turn = new AtomicInteger();
  private final Map<Node, Rest> resting = new ConcurrentHashMap<>();

  /** The number of consecutive failures of a node, and until when it is skipped. */
  private record Rest(int failures, long untilNanos) {}

  /**
   * @param nanos the clock, such as {@link System#nanoTime}
   */
  Nodes(List<Node> all, LongSupplier nanos) {
    this.all = List.copyOf(all);
    this.nanos = nanos;
  }

  /** The nodes to try, in order. If all are skipped, the one whose pause ends first. */
  List<Node> inTurn() {
    long now = nanos.getAsLong();
    List<Node> awake = new ArrayList<>(all.size());
    for (Node node : all) {
      Rest rest = resting.get(node);
      if (rest == null || now - rest.untilNanos >= 0) {
        awake.add(node);
      }
    }
    if (awake.isEmpty()) {
      return List.of(Collections.min(all, Comparator.comparingLong(node -> restNanos(node, now))));
    }
    Collections.rotate(awake, -Math.floorMod(turn.getAndIncrement(), awake.size()));
    return awake;
  }

  private long restNanos(Node node, long now) {
    Rest rest = resting.get(node);
    return rest == null ? 0 : rest.untilNanos - now;
  }

  void answered(Node node) {
    if (!resting.isEmpty()) {
      resting.remove(node);
    }
  }

  void failed(Node node) {
    long now = nanos.getAsLong();
    resting.compute(node, (key, before) -> {
      int failures = before == null ? 1 : before.failures + 1;
      return new Rest(failures, now + lengthNanos(failures));
    });
  }

  /** One minute after the first failure, doubled after each two more. */
  private static long lengthNanos(int failures) {
    double length = (double) FIRST_REST.toNanos() * Math.pow(2, (failures - 1) * 0.5);
    return (long) Math.min(length, (double) LONGEST_REST.toNanos());
  }
}
