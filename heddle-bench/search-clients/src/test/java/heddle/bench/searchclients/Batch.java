package heddle.bench.searchclients;

import com.sun.management.OperatingSystemMXBean;
import heddle.bench.server.SearchNode;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.opensearch.client.opensearch.OpenSearchClient;
import org.opensearch.client.opensearch._types.FieldValue;
import org.opensearch.client.opensearch._types.Refresh;
import org.opensearch.client.opensearch._types.Result;
import org.opensearch.client.opensearch.core.IndexResponse;
import org.opensearch.client.transport.OpenSearchTransport;

/**
 * Documents that virtual threads index at the same time, one each.
 *
 * @param name in each of the documents, and in their ids
 * @param size how many
 * @param refresh whether each caller waits until its document can be found
 */
record Batch(String name, int size, Refresh refresh) {

  /**
   * What became of a batch.
   *
   * @param wall from the first call to the end of the last
   * @param cpu of this JVM meanwhile
   * @param created documents that were new when they were indexed
   * @param found documents that were found right after
   * @param connections opened for it, all of which the client kept
   * @param failures of callers
   */
  record Outcome(
      Duration wall,
      Duration cpu,
      int created,
      long found,
      long connections,
      List<Throwable> failures) {}

  Outcome run(Stack stack, Node node) throws IOException, InterruptedException {
    long opened = node.connectionsEver();
    try (OpenSearchTransport transport = stack.open(node.uri())) {
      OpenSearchClient client = new OpenSearchClient(transport);
      Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
      Queue<IndexResponse> answers = new ConcurrentLinkedQueue<>();
      CountDownLatch begin = new CountDownLatch(1);
      List<Thread> callers = IntStream.range(0, size)
          .mapToObj(number -> Thread.ofVirtual().start(() -> {
            try {
              begin.await();
              answers.add(index(client, number));
            } catch (Exception e) {
              failures.add(e);
            }
          }))
          .toList();
      long cpu = cpuNanos();
      long start = System.nanoTime();
      begin.countDown();
      for (Thread each : callers) {
        each.join();
      }
      Duration wall = Duration.ofNanos(System.nanoTime() - start);
      Duration used = Duration.ofNanos(cpuNanos() - cpu);
      long connections = node.connectionsEver() - opened;
      int created = (int) answers.stream().filter(Batch::isNew).count();
      return new Outcome(wall, used, created, found(client), connections, List.copyOf(failures));
    }
  }

  private IndexResponse index(OpenSearchClient client, int number) throws IOException {
    return client.index(builder -> builder
        .index(SearchNode.INDEX)
        .id(name + "-" + number)
        .document(Map.of("batch", name, "number", number))
        .refresh(refresh));
  }

  /** One that came twice would have a second version. */
  private static boolean isNew(IndexResponse answer) {
    return answer.result() == Result.Created && answer.version() == 1;
  }

  private long found(OpenSearchClient client) throws IOException {
    return client
        .count(builder -> builder
            .index(SearchNode.INDEX)
            .query(query ->
                query.term(term -> term.field("batch.keyword").value(FieldValue.of(name)))))
        .count();
  }

  private static long cpuNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }
}
