package heddle.bench.account;

import heddle.bench.account.Inquiry.Answer;
import heddle.bench.machine.ProcessTicks;
import heddle.bench.result.Figure;
import heddle.bench.routes.Counted;
import heddle.bench.server.SearchNode;
import heddle.bench.server.Servers.Counting;
import heddle.bench.server.Servers.Endpoint;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Asks servers for their counts. Used by one thread. */
public final class Bookkeeper {

  /** The pause between two looks at a server that still receives requests. */
  private static final Duration REST = Duration.ofMillis(20);

  private static final int MOST_LOOKS = 50;
  private static final String REFRESH = "/" + SearchNode.INDEX + "/_refresh";
  private static final String COUNT = "/" + SearchNode.INDEX + "/_count";

  private static final String DOCUMENT = "/" + SearchNode.INDEX + "/_doc?refresh=wait_for";

  private final Inquiry inquiry = new Inquiry();

  /** How many documents a search engine held when it was last asked. */
  private final Map<URI, Long> documents = new HashMap<>();

  /** The CPU time of a process when it was last read, in ticks. */
  private final Map<ProcessHandle, Long> ticks = new HashMap<>();

  /**
   * What the server has counted since the last look, summed over its copies, or the CPU time that
   * it took if it counts nothing; null if that is not known either.
   *
   * @throws IOException if it does not answer, or answers with something else
   */
  public @Nullable ServerCounts look(Endpoint server) throws IOException {
    return switch (server.counting()) {
      case NOTHING -> null;
      case CPU_TIME -> ProcessTicks.areKnown() ? cpuTime(server) : null;
      case REQUESTS -> requests(server);
      case DOCUMENTS -> documents(server);
    };
  }

  /**
   * Polls until the server's counts no longer change, for at most 1 s. Requests that a client has
   * sent and given up may still wait in the server's sockets; they must not be counted for the next
   * client. A search engine has then just done its refresh, as it does each second, so that
   * requests which wait for a refresh wait equally long in each run.
   *
   * @return the last counts; null if the server does not count
   * @throws IOException if the server does not answer, or answers with something else
   */
  public @Nullable ServerCounts settle(Endpoint server) throws IOException, InterruptedException {
    if (server.counting() == Counting.DOCUMENTS) {
      awaitRefresh(server);
    }
    ServerCounts counts = look(server);
    for (int looks = 1; !isQuiet(counts) && looks < MOST_LOOKS; looks++) {
      Thread.sleep(REST);
      counts = look(server);
    }
    return counts;
  }

  private static boolean isQuiet(@Nullable ServerCounts counts) {
    Double requests = counts == null ? null : counts.figures().get(Figure.SERVER_REQUESTS);
    return requests == null || requests == 0;
  }

  private @Nullable ServerCounts requests(Endpoint server) throws IOException {
    List<ServerCounts> all = new ArrayList<>();
    for (URI each : server.bases()) {
      Answer answer = inquiry.post(server, each.resolve(Counted.COUNTERS), "");
      if (answer.status() != HttpURLConnection.HTTP_OK) {
        return null;
      }
      all.add(ServerCounts.parse(answer.text()));
    }
    return ServerCounts.together(all);
  }

  /** The time since the last look; for the first, since the start of the processes. */
  private ServerCounts cpuTime(Endpoint server) throws IOException {
    long all = 0;
    for (ProcessHandle each : server.processes()) {
      long now = ProcessTicks.ofTree(each);
      Long before = ticks.put(each, now);
      all += now - (before == null ? 0 : before);
    }
    return new ServerCounts(Map.of(ServerCounts.CPU_NANOS, all * ProcessTicks.TICK_NANOS));
  }

  private ServerCounts documents(Endpoint server) throws IOException {
    URI base = server.base();
    inquiry.post(server, base.resolve(REFRESH), "");
    Answer answer = inquiry.get(server, base.resolve(COUNT));
    if (answer.status() != HttpURLConnection.HTTP_OK) {
      throw new IOException(base.resolve(COUNT) + " answers " + answer.status());
    }
    Double held = ServerCounts.parse(answer.text()).number("count");
    if (held == null) {
      throw new IOException("the search engine must answer a count, but answered " + answer.text());
    }
    Long before = documents.put(base, held.longValue());
    return new ServerCounts(Map.of("requests", held.longValue() - (before == null ? 0 : before)));
  }

  /** Indexes a document and waits until the engine can find it. */
  private void awaitRefresh(Endpoint server) throws IOException {
    URI uri = server.base().resolve(DOCUMENT);
    Answer answer = inquiry.post(server, uri, "{}");
    if (answer.status() != HttpURLConnection.HTTP_CREATED) {
      throw new IOException(uri + " answers " + answer.status() + ": " + answer.text());
    }
  }
}
