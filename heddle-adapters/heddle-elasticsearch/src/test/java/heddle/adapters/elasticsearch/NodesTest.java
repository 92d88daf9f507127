package heddle.adapters.elasticsearch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import co.elastic.clients.transport.http.TransportHttpClient.Node;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Which nodes are tried, and which are paused. */
final class NodesTest {
  private static final Node A = new Node("http://a.invalid/");
  private static final Node B = new Node("http://b.invalid/");
  private static final Node C = new Node("http://c.invalid/");

  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
  private final Nodes nodes = new Nodes(List.of(A, B, C), now::get);

  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
  }

  @Test
  void nodesTakeTurns() {
    assertEquals(List.of(A, B, C), nodes.inTurn());
    assertEquals(List.of(B, C, A), nodes.inTurn());
    assertEquals(List.of(C, A, B), nodes.inTurn());
    assertEquals(List.of(A, B, C), nodes.inTurn());
  }

  @Test
  void nodeThatFailedRestsForAMinute() {
    nodes.failed(B);
    assertEquals(List.of(A, C), nodes.inTurn());
    pass(Duration.ofSeconds(59));
    assertEquals(List.of(C, A), nodes.inTurn());
    pass(Duration.ofSeconds(1));
    assertEquals(3, nodes.inTurn().size());
  }

  @Test
  void restGrowsWithFailuresUpToHalfAnHour() {
    nodes.failed(A);
    nodes.failed(A);
    nodes.failed(A);
    pass(Duration.ofSeconds(119));
    assertEquals(2, nodes.inTurn().size());
    pass(Duration.ofSeconds(1));
    assertEquals(3, nodes.inTurn().size());
    for (int i = 0; i < 60; i++) {
      nodes.failed(A);
    }
    pass(Duration.ofMinutes(30).minusNanos(1));
    assertEquals(2, nodes.inTurn().size());
    pass(Duration.ofNanos(1));
    assertEquals(3, nodes.inTurn().size());
  }

  @Test
  void nodeThatAnswersIsForgiven() {
    nodes.failed(A);
    nodes.failed(A);
    nodes.answered(A);
    assertEquals(3, nodes.inTurn().size());
    nodes.failed(A);
    pass(Duration.ofMinutes(1));
    assertEquals(3, nodes.inTurn().size());
  }

  @Test
  void theNodeWhosePauseEndsFirstIsTriedIfAllArePaused() {
    nodes.failed(A);
    nodes.failed(A);
    pass(Duration.ofSeconds(1));
    nodes.failed(B);
    pass(Duration.ofSeconds(1));
    nodes.failed(C);
    assertEquals(List.of(B), nodes.inTurn());
  }
}
