package heddle.bench.searchnode;

import java.io.PrintStream;
import java.util.concurrent.CountDownLatch;
import org.codelibs.opensearch.runner.OpenSearchRunner;
import org.codelibs.opensearch.runner.OpenSearchRunner.Configs;
import org.opensearch.common.settings.Settings;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.transport.Netty4ModulePlugin;

/**
 * A single node of OpenSearch on the loopback address, with one index that refreshes each second.
 * It prints its address when documents can be indexed, and runs until it is killed.
 */
public final class SearchNodeMain {

  private static final String INDEX = "races";

  /**
   * How many requests may wait for a refresh: with more than this number, 1,000 by default, a node
   * refreshes at once, so that requests no longer wait.
   */
  private static final int MOST_WAITING = 100_000;

  private SearchNodeMain() {}

  /** The argument is an empty folder for the data. */
  public static void main(String[] args) throws InterruptedException {
    // The node's log replaces the standard output.
    PrintStream out = System.out;
    OpenSearchRunner runner = new OpenSearchRunner();
    runner.onBuild((_, settings) -> {
      settings.put("discovery.type", "single-node");
      settings.put("network.host", "127.0.0.1");
      settings.put("http.port", "0");
      settings.put("transport.port", "0");
      // A nearly full disk would make indices read-only.
      settings.put("cluster.routing.allocation.disk.threshold_enabled", false);
    });
    Configs configs = OpenSearchRunner.newConfigs()
        .basePath(args[0])
        .numOfNode(1)
        .clusterName("heddle-race")
        .moduleTypes(Netty4ModulePlugin.class.getName());
    runner.build(configs);
    Settings index = Settings.builder()
        .put("index.number_of_shards", 1)
        .put("index.number_of_replicas", 0)
        .put("index.refresh_interval", "1s")
        .put("index.max_refresh_listeners", MOST_WAITING)
        .build();
    runner.createIndex(INDEX, index);
    runner.ensureGreen(INDEX);
    int port = runner
        .node()
        .injector()
        .getInstance(HttpServerTransport.class)
        .boundAddress()
        .publishAddress()
        .getPort();
    out.println("listening on http://127.0.0.1:" + port);
    out.flush();
    // A node has no thread that keeps its process alive.
    new CountDownLatch(1).await();
  }
}
