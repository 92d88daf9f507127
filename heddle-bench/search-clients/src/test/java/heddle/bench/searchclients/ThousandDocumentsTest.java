package heddle.bench.searchclients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.driver.Protocol;
import heddle.bench.searchclients.Batch.Outcome;
import heddle.bench.server.Http2Server;
import heddle.bench.server.SearchNode;
import heddle.bench.server.ServerSpec;
import heddle.bench.server.ServerSpec.Program;
import heddle.bench.server.Servers;
import heddle.bench.server.Servers.Endpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opensearch.client.opensearch._types.Refresh;

/**
 * A thousand virtual threads index a document each in a real node of OpenSearch and wait until it
 * can be found, which is after the node's next refresh; there is one each second. A transport with
 * ten connections needs a hundred of them, whatever it is made of.
 */
final class ThousandDocumentsTest {

  /** Those that take seconds, one after the other and that several times. */
  private static final List<Stack> QUICK = List.of(Stack.STOCK_RAISED, Stack.HEDDLE_RAISED);

  private static final int ROUNDS = 3;
  private static final List<Stack> SLOW = List.of(Stack.HEDDLE, Stack.STOCK);

  /**
   * How much sooner a raised limit is done at least. It is some fifty times; a machine that stands
   * still for seconds leaves this much.
   */
  private static final int SOONER = 5;

  @TempDir
  private Path folder;

  @Test
  void aThousandCallersWaitNoLongerThanTheLimitOfConnectionsMakesThem() throws Exception {
    SearchNode search = SearchNode.of(Path.of("..", ".."), System.out::println);
    try (Servers servers =
        new Servers(List.of(), List.of(), Http2Server.HEDDLE, List.of(), folder, search)) {
      Endpoint endpoint = servers.endpoint(ServerSpec.of(Program.SEARCH, Protocol.HTTP_1_1, false));
      Map<Stack, Outcome> outcomes = outcomes(new Node(endpoint.base()));
      print(endpoint.server(), outcomes);
      outcomes.forEach(ThousandDocumentsTest::assertComplete);
      Outcome stock = outcomes.get(Stack.STOCK);
      for (Stack each : QUICK) {
        Outcome raised = outcomes.get(each);
        assertTrue(
            raised.connections() > SOONER * stock.connections(),
            each.label() + " opened no more than " + raised.connections());
        assertTrue(
            raised.wall().multipliedBy(SOONER).compareTo(stock.wall()) < 0,
            each.label() + " took " + raised.wall() + ", and " + stock.wall() + " with defaults");
      }
    }
  }

  /** Of those that ran several times the one in the middle. */
  private static Map<Stack, Outcome> outcomes(Node node) throws IOException, InterruptedException {
    Map<Stack, List<Outcome>> all = new EnumMap<>(Stack.class);
    for (Stack each : QUICK) {
      run(each, "warm-up", Refresh.False, node);
    }
    for (int round = 1; round <= ROUNDS; round++) {
      for (Stack each : QUICK) {
        all.computeIfAbsent(each, _ -> new ArrayList<>())
            .add(run(each, "round-" + round, Refresh.WaitFor, node));
      }
    }
    for (Stack each : SLOW) {
      all.put(each, List.of(run(each, "round-1", Refresh.WaitFor, node)));
    }
    Map<Stack, Outcome> middle = new EnumMap<>(Stack.class);
    all.forEach((stack, runs) -> {
      runs.forEach(run -> assertComplete(stack, run));
      List<Outcome> sorted =
          runs.stream().sorted(Comparator.comparing(Outcome::wall)).toList();
      middle.put(stack, sorted.get(sorted.size() / 2));
    });
    return middle;
  }

  private static Outcome run(Stack stack, String name, Refresh refresh, Node node)
      throws IOException, InterruptedException {
    String unique = name + "-" + stack.name().toLowerCase(Locale.ROOT);
    Outcome outcome = new Batch(unique, Stack.CALLERS, refresh).run(stack, node);
    System.out.println(unique + ": " + outcome.wall() + ", " + outcome.connections());
    return outcome;
  }

  private static void assertComplete(Stack stack, Outcome outcome) {
    assertEquals(List.of(), outcome.failures(), stack.label());
    assertEquals(Stack.CALLERS, outcome.created(), stack.label());
    assertEquals(Stack.CALLERS, outcome.found(), stack.label());
    assertTrue(
        outcome.connections() <= stack.connections(),
        () -> stack.label() + " opened " + outcome.connections());
  }

  private static void print(String server, Map<Stack, Outcome> outcomes) {
    double raised = seconds(outcomes.get(Stack.STOCK_RAISED));
    System.out.printf("%n%d documents, each awaited until %s finds it%n%n", Stack.CALLERS, server);
    System.out.printf(
        "%-28s %8s %8s %12s %14s %9s%n",
        "opensearch-java", "time", "ratio", "connections", "CPU/document", "failures");
    outcomes.forEach((stack, outcome) -> System.out.printf(
        Locale.ROOT,
        "%-28s %6.2f s %8.2f %12d %11.2f ms %9d%n",
        stack.label(),
        seconds(outcome),
        seconds(outcome) / raised,
        outcome.connections(),
        outcome.cpu().toNanos() / 1e6 / Stack.CALLERS,
        outcome.failures().size()));
  }

  private static double seconds(Outcome outcome) {
    return outcome.wall().toNanos() / 1e9;
  }
}
