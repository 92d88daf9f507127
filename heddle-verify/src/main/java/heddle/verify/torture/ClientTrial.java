package heddle.verify.torture;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A hostile server, and a client that calls it and a good server at the same time.
 *
 * @param version {@code h1} or {@code h2}
 * @param calls how many are made at once
 * @param descriptors how many the client's process may have; 0 for many
 * @param endsEarly whether the client has to end the calls before their deadline
 */
record ClientTrial(
    String name,
    String what,
    String version,
    int calls,
    boolean endsEarly,
    int descriptors,
    HostileServer.Script script)
    implements Trial {
  private static final int HEAP_MEGABYTES = 64;
  private static final int MOST_LETTERS = 130;
  private static final Duration PATIENCE = Duration.ofSeconds(25);
  private static final byte[] OK =
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".getBytes(ISO_8859_1);

  @Override
  public int seconds() {
    return 8;
  }

  /** As for a server, a trial that was only slow is repeated. */
  @Override
  public Result run(Stalls stalls) throws Exception {
    Result result = runOnce();
    boolean slowOnly = !result.passed()
        && result.failures().stream().allMatch(each -> each.startsWith(ServerTrial.SLOW));
    return slowOnly ? runOnce() : result;
  }

  private Result runOnce() throws Exception {
    try (HostileServer good = new HostileServer(ClientTrial::answer);
        HostileServer hostile = new HostileServer(script);
        Child child = Child.start(
            new Child.Options(HEAP_MEGABYTES, descriptors, null).endingWithoutMemory(),
            TortureClient.class,
            good.url())) {
      child.port();
      String said = child.ask(hostile.url() + " " + version + " " + calls, PATIENCE);
      if (said == null || !said.startsWith(ClientReport.FIRST)) {
        String why = child.isAlive() ? "calls never ended: " + said : child.end();
        return Result.of(name, List.of(why + firstLine(child.errors())), "");
      }
      return judged(ClientReport.parse(said), hostile, child.errors());
    }
  }

  /** The script of a server that answers each request as it should. */
  static void answer(HostileServer.Conversation conversation) throws IOException {
    while (true) {
      conversation.readRequest();
      conversation.send(OK);
    }
  }

  private Result judged(ClientReport report, HostileServer hostile, String errors)
      throws InterruptedException {
    List<String> failures = new ArrayList<>();
    report.judge(failures);
    if (endsEarly && report.late() > 0) {
      failures.add("the client bore it until the deadline");
    }
    if (report.errors() > 0) {
      failures.add("a call ended with an error, the last call with " + report.failure());
    }
    if (report.taken() > 0) {
      failures.add(report.taken() + " responses of the hostile server were taken");
    }
    int each = version.equals("h2") ? ServerSetup.HTTP2_CONNECTION : ServerSetup.HTTP1_CONNECTION;
    int connections = hostile.mostOpen();
    long free = ServerTrial.NOISE + (long) each * connections;
    if (report.heapBytes() > free + ServerTrial.HEAP_PER_BYTE * hostile.bytesSent()) {
      failures.add("%.0f bytes of heap per byte beyond %d connections' own"
          .formatted((report.heapBytes() - free) / (double) hostile.bytesSent(), connections));
    }
    // A client without descriptors closes idle connections, and calls wait for them.
    if (descriptors == 0) {
      judgeOthers(report, hostile, failures);
    }
    if (hostile.openAfter(Duration.ofSeconds(2)) > 0) {
      failures.add(hostile.open() + " connections to the hostile server are left");
    }
    if (errors.contains("Error")) {
      failures.add("an error:" + firstLine(errors));
    }
    return new Result(
        name,
        hostile.bytesSent(),
        report.heapBytes(),
        report.idleP50(),
        report.idleP99(),
        report.p50(),
        report.p99(),
        Double.NaN,
        report.seconds(),
        failures,
        report.longestMillis() + " ms at most: " + reason(report.failure()));
  }

  private static void judgeOthers(
      ClientReport report, HostileServer hostile, List<String> failures) {
    if (report.othersFailed() > 0) {
      failures.add(report.othersFailed() + " calls to a good server failed");
    }
    failures.addAll(ServerTrial.slowness(
        report.idleP50(),
        report.idleP99(),
        report.p50(),
        report.p99(),
        (double) hostile.bytesSent() / TortureClient.ATTACK.toSeconds()));
  }

  /** The failure without the exception's package and the phases of the call. */
  private static String reason(String failure) {
    String shorter = failure.replaceFirst("^[a-z.0-9]*", "").replaceFirst(": GET http.*", "");
    return shorter.substring(0, Math.min(MOST_LETTERS, shorter.length()));
  }

  private static String firstLine(String errors) {
    return errors.isEmpty() ? "" : " " + errors.lines().findFirst().orElse("");
  }
}
