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
 * Which nodes a call may try, and in which order: those that answer, in turn. A node that has
 * failed is left out for a minute, and for longer each time, up to 30 minutes, as by the client's
 * own transport. Safe for use by many threads.
 */
final class Nodes {
  private static final Duration FIRST_REST = Duration.ofMinutes(1);
  private static final Duration LONGEST_REST = Duration.ofMinutes(30);

  private final List<Node> all;
  private final LongSupplier nanos;
  private final AtomicInteger turn = new AtomicInteger();
  private final Map<Node, Rest> resting = new ConcurrentHashMap<>();

  /** How often in a row a node has failed, and until when it is left out. */
  private record Rest(int failures, long untilNanos) {}

  /**
   * @param nanos what time it is, as {@link System#nanoTime}
   */
  Nodes(List<Node> all, LongSupplier nanos) {
    this.all = List.copyOf(all);
    this.nanos = nanos;
  }

  /** Those to try, the first one first; where all rest, the one whose rest ends first. */
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

  /** A minute after the first failure, twice as long after each second one more. */
  private static long lengthNanos(int failures) {
    double length = (double) FIRST_REST.toNanos() * Math.pow(2, (failures - 1) * 0.5);
    return (long) Math.min(length, (double) LONGEST_REST.toNanos());
  }
}
