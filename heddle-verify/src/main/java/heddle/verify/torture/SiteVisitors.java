package heddle.verify.torture;

import heddle.client.HttpClient;
import heddle.client.settings.Timeouts;
import heddle.http.HttpVersion;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Well-behaved clients of a {@link TortureSite}: over each version of HTTP, over TLS, and over its
 * Unix domain socket, from behind proxies and directly. They check every answer.
 */
final class SiteVisitors implements AutoCloseable {
  private static final Duration CALL = Duration.ofSeconds(8);
  private static final Duration PATIENCE = Duration.ofSeconds(12);
  private static final Duration PAUSE = Duration.ofMillis(4);
  private static final Duration PAUSE_BETWEEN_LATE = Duration.ofMillis(500);
  private static final int MOST_FAILURES = 2;

  private final List<HttpClient> clients = new ArrayList<>();
  private final List<SiteVisits.Visit> visits = new ArrayList<>();
  private final SiteVisits.Visit late;
  private final List<Thread> threads = new ArrayList<>();
  private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
  private final Queue<String> failed = new ConcurrentLinkedQueue<>();
  private final Queue<String> unanswered = new ConcurrentLinkedQueue<>();
  private final AtomicInteger made = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();
  private volatile boolean ended;

  /**
   * @param server where the site listens in cleartext
   * @param securePort where it speaks TLS
   */
  SiteVisitors(SiteFolder folder, InetSocketAddress server, int securePort)
      throws IOException, GeneralSecurityException {
    String plain = "http://127.0.0.1:" + server.getPort();
    String secure = "https://127.0.0.1:" + securePort;
    SiteVisits http1 = new SiteVisits(add(calling()), plain);
    late = http1::late;
    visits.addAll(http1.all());
    HttpClient http2 = add(calling().version(HttpVersion.HTTP_2));
    visits.addAll(new SiteVisits(http2, plain).all());
    HttpClient tls = add(calling().tls(folder.trust()));
    visits.addAll(new SiteVisits(tls, secure).all());
    // The next round makes handshakes again, which find other certificates.
    visits.add(() -> tls.closeIdle(Duration.ZERO));
    HttpClient unix = add(calling().unixSocket(folder.socket().getPath()));
    visits.addAll(new SiteVisits(unix, "http://localhost").all());
    HttpClient proxy = add(calling().localAddress(InetAddress.getByName(TortureSite.FORWARDER)));
    visits.add(new SiteVisits(proxy, plain)::forwarded);
    visits.add(() -> SiteVisits.proxied(server, false));
    visits.add(() -> SiteVisits.proxied(server, true));
  }

  /** Asks the process where the site speaks TLS. */
  static SiteVisitors of(Child child, InetSocketAddress server, SiteFolder folder)
      throws IOException, InterruptedException, GeneralSecurityException {
    String said = child.ask(TortureServer.SECURE_PORT);
    if (said == null || !said.startsWith("port ")) {
      throw new IOException("the site did not say where it speaks TLS, but " + said);
    }
    return new SiteVisitors(folder, server, Integer.parseInt(said.substring(5)));
  }

  private static HttpClient.Builder calling() {
    return HttpClient.builder()
        .timeouts(Timeouts.builder().call(CALL).close(Duration.ofSeconds(1)).build());
  }

  private HttpClient add(HttpClient.Builder builder) {
    HttpClient client = builder.build();
    clients.add(client);
    return client;
  }

  /** Each visit once, on a server to which nothing is done; then no connection is open. */
  void makeAllOnce() throws IOException {
    for (SiteVisits.Visit visit : visits) {
      visit.make();
    }
    late.make();
    made.set(0);
    clients.forEach(client -> client.closeIdle(Duration.ZERO));
  }

  /** Starts this many threads that make visits until {@link #close}, and one for late visits. */
  void begin(int count) {
    for (int i = 0; i < count; i++) {
      int first = i * visits.size() / count;
      threads.add(Thread.ofVirtual().start(() -> goRound(visits, first, PAUSE)));
    }
    threads.add(Thread.ofVirtual().start(() -> goRound(List.of(late), 0, PAUSE_BETWEEN_LATE)));
  }

  private void goRound(List<SiteVisits.Visit> round, int first, Duration pause) {
    int next = first;
    while (!ended) {
      make(round.get(next % round.size()));
      next++;
      try {
        Thread.sleep(pause);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void make(SiteVisits.Visit visit) {
    try {
      visit.make();
      made.incrementAndGet();
    } catch (SiteVisits.Refused e) {
      refused.incrementAndGet();
    } catch (SiteVisits.Failed e) {
      failed.add(e.getMessage());
    } catch (IOException e) {
      unanswered.add(e.toString());
    } catch (RuntimeException e) {
      wrong.add(e.getMessage() == null ? e.toString() : e.getMessage());
    }
  }

  /** Lets the visits that have begun end, and closes all connections. */
  @Override
  public void close() throws InterruptedException {
    ended = true;
    long end = System.nanoTime() + PATIENCE.toNanos();
    for (Thread thread : threads) {
      if (!thread.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())))) {
        wrong.add("a visit never ended");
      }
    }
    clients.forEach(HttpClient::close);
  }

  /** What was wrong with their answers. */
  List<String> failures(ServerSetup setup) {
    List<String> failures = new ArrayList<>();
    wrong.stream().limit(MOST_FAILURES).forEach(failures::add);
    if (setup.descriptors() == 0) {
      failed.stream().limit(MOST_FAILURES).forEach(failures::add);
    }
    if (!unanswered.isEmpty() && !setup.mayFail()) {
      failures.add(unanswered.size() + " visits failed: " + unanswered.peek());
    }
    if (refused.get() > 0 && !setup.mayRefuse()) {
      failures.add(refused + " visits were refused");
    }
    if (made.get() == 0 && !setup.mayFail()) {
      failures.add("no visit succeeded");
    }
    return failures;
  }

  String note() {
    return made + " visits, " + refused + " refused, " + (failed.size() + unanswered.size())
        + " failed";
  }
}
