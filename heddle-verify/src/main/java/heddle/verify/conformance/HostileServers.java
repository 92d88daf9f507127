package heddle.verify.conformance;

import heddle.client.HttpClient;
import heddle.client.settings.Timeouts;
import heddle.http.HttpVersion;
import heddle.http.MalformedUrlException;
import heddle.http.Request;
import heddle.http.Response;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sends the client to the servers of {@code h2specd}, each of which breaks HTTP/2 in another way
 * and judges how the client reacts. Makes one call to each; the report says which were passed.
 */
public final class HostileServers {
  /** How many cases there are: fewer in a report mean that not all have been tried. */
  private static final int CASES = 57;

  /** One per case, one for the report, and some for cases that later versions add. */
  private static final int PORTS = CASES + 20;

  /** Many cases wait until their timeout, so several run at once. */
  private static final int AT_ONCE = 8;

  private static final Duration CALL = Duration.ofSeconds(6);
  private static final Duration START = Duration.ofSeconds(20);

  /** The timeout of a failing case, and some more for its report. */
  private static final Duration VERDICTS = Duration.ofSeconds(15);

  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Pattern LINK = Pattern.compile("href=\"(http://[^\"]+)\"");

  /** A case in the report: its mark, its server, its title. */
  private static final Pattern ROW = Pattern.compile(
      "<span[^>]*>(✔|✖|&nbsp;&nbsp;)</span><a href=\"([^\"]+)\"[^>]*>[^<]*</a>([^<]*)");

  private final HttpClient client;
  private final String report;
  private final Map<String, String> outcomes = new TreeMap<>();

  private HostileServers(HttpClient client, String report) {
    this.client = client;
    this.report = report;
  }

  /** Takes the path of {@code h2specd}. Ends with 0 when all cases are passed, else with 1. */
  public static void main(String[] args) throws Exception {
    if (args.length != 1) {
      System.err.println("hostile servers: give the path of h2specd");
      System.exit(2);
      return;
    }
    int from = FreePorts.inARow(PORTS);
    int reportPort = from + PORTS - 1;
    Process servers = new ProcessBuilder(
            Path.of(args[0]).toString(),
            "--from-port",
            Integer.toString(from),
            "--port",
            Integer.toString(reportPort))
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
    boolean good;
    Timeouts timeouts = Timeouts.builder().call(CALL).close(Duration.ZERO).build();
    try (HttpClient client = HttpClient.builder().timeouts(timeouts).build()) {
      good = new HostileServers(client, "http://127.0.0.1:" + reportPort).run();
    } finally {
      servers.destroyForcibly();
    }
    System.exit(good ? 0 : 1);
  }

  private boolean run() throws Exception {
    visitAll(addresses());
    String verdicts = verdicts();
    int passed = 0;
    int all = 0;
    Matcher row = ROW.matcher(verdicts);
    while (row.find()) {
      all++;
      if (row.group(1).equals("✔")) {
        passed++;
      } else {
        explain(verdicts, row);
      }
    }
    System.out.println("h2specd: " + passed + " of " + Math.max(all, CASES) + " passed");
    return passed == Math.max(all, CASES);
  }

  /** The servers' addresses, once they listen. */
  private List<String> addresses() throws Exception {
    long end = System.nanoTime() + START.toNanos();
    while (true) {
      try {
        List<String> found =
            LINK.matcher(get(report + "/")).results().map(link -> link.group(1)).toList();
        if (!found.isEmpty()) {
          return found;
        }
      } catch (IOException e) {
        if (System.nanoTime() > end) {
          throw new IOException("h2specd does not answer on " + report, e);
        }
      }
      Thread.sleep(PAUSE);
    }
  }

  private String get(String url) throws IOException {
    try (Response response = client.send(Request.get(url))) {
      return response.string();
    }
  }

  private void visitAll(List<String> addresses) throws Exception {
    List<Future<String>> visits = new ArrayList<>();
    try (ExecutorService visitors = Executors.newFixedThreadPool(AT_ONCE)) {
      for (String address : addresses) {
        visits.add(visitors.submit(() -> visit(address)));
      }
    }
    for (int i = 0; i < visits.size(); i++) {
      outcomes.put(addresses.get(i), visits.get(i).get());
    }
  }

  /** Makes one call, which may fail, and returns how it ended. */
  private String visit(String address) throws MalformedUrlException {
    Request request =
        Request.get(address).toBuilder().version(HttpVersion.HTTP_2).build();
    try (Response response = client.send(request)) {
      return response.status() + ", " + response.bytes().length + " bytes";
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** The report, when each case has its verdict or the time is up. */
  private String verdicts() throws Exception {
    long end = System.nanoTime() + VERDICTS.toNanos();
    while (true) {
      String page = get(report + "/report");
      boolean open = ROW.matcher(page).results().anyMatch(row -> row.group(1).startsWith("&"));
      if (!open || System.nanoTime() > end) {
        return page;
      }
      Thread.sleep(PAUSE);
    }
  }

  /** Prints a case that was not passed, with the verdict that follows it and how our call ended. */
  private void explain(String verdicts, Matcher row) {
    Matcher next = ROW.matcher(verdicts);
    int end = next.find(row.end()) ? next.start() : verdicts.length();
    System.out.println(row.group(3));
    for (String line : verdicts.substring(row.end(), end).split("</div>", -1)) {
      String text = line.replaceAll("<[^>]*>", "").replace("&nbsp;", " ").strip();
      if (text.startsWith("->") || text.startsWith("Error") || text.matches(".*(Frame|closed).*")) {
        System.out.println("  " + text);
      }
    }
    System.out.println("  our call: " + outcomes.get(row.group(2)));
  }
}
