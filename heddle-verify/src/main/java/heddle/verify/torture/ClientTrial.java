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
  private static final int HEAP_PER_BYTE = 16;
  private static final int MOST_LETTERS = 130;
  private static final long MARGIN_MILLIS = 250;
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final byte[] OK =
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".getBytes(ISO_8859_1);

  @Override
  public int seconds() {
    return 5;
  }

  @Override
  public Result run(Stalls stalls) throws Exception {
    try (HostileServer good = new HostileServer(ClientTrial::answer);
        HostileServer hostile = new HostileServer(script);
        Child child = Child.start(
            new Child.Options(HEAP_MEGABYTES, descriptors, null),
            TortureClient.class,
            good.url())) {
      child.port();
      String said = child.ask(hostile.url() + " " + version + " " + calls, PATIENCE);
      if (said == null || !said.startsWith("ended ")) {
        String why = child.isAlive() ? "calls never ended: " + said : "the process died";
        return Result.of(name, List.of(why + firstLine(child.errors())), "");
      }
      return judged(said.split(" ", 12), hostile, child.errors());
    }
  }

  private static void answer(HostileServer.Conversation conversation) throws IOException {
    while (true) {
      conversation.readRequest();
      conversation.send(OK);
    }
  }

  private Result judged(String[] said, HostileServer hostile, String errors) {
    long longest = Long.parseLong(said[1]);
    long failed = Long.parseLong(said[2]);
    long heap = Long.parseLong(said[3]);
    double idleP99 = Double.parseDouble(said[5]);
    double p99 = Double.parseDouble(said[7]);
    long deadline = TortureClient.DEADLINE.toMillis();
    List<String> failures = new ArrayList<>();
    if (longest > deadline + MARGIN_MILLIS) {
      failures.add("a call took " + longest + " ms");
    }
    if (endsEarly && said[11].contains("DeadlineExceeded")) {
      failures.add("the client bore it until the deadline");
    }
    if (said[11].matches("\\S*Error\\b.*")) {
      failures.add("a call ended with " + said[11]);
    }
    if (failed == 0) {
      failures.add("the hostile server's response was taken");
    }
    int each = version.equals("h2") ? ServerTrial.HTTP2 : ServerTrial.HTTP1;
    long free = ServerTrial.NOISE + (long) each * hostile.connections();
    if (heap > free + HEAP_PER_BYTE * hostile.bytesSent()) {
      failures.add("%.0f bytes of heap per byte beyond %d connections' own"
          .formatted((heap - free) / (double) hostile.bytesSent(), hostile.connections()));
    }
    if (!said[8].equals("0") && descriptors == 0) {
      failures.add(said[8] + " calls to a good server failed");
    }
    if (!said[10].equals("answered")) {
      failures.add("the next call to a good server ended with " + said[10]);
    }
    if (!said[9].equals("0")) {
      failures.add(said[9] + " calls are still counted as in flight");
    }
    if (errors.contains("Error")) {
      failures.add("an error:" + firstLine(errors));
    }
    return new Result(
        name,
        hostile.bytesSent(),
        heap,
        Double.parseDouble(said[4]),
        idleP99,
        Double.parseDouble(said[6]),
        p99,
        Double.NaN,
        failures,
        longest + " ms at most: " + reason(said[11]));
  }

  /** Without the packages of the exception and without the account of the call. */
  private static String reason(String failure) {
    String shorter = failure.replaceFirst("^[a-z.0-9]*", "").replaceFirst(": GET http.*", "");
    return shorter.substring(0, Math.min(MOST_LETTERS, shorter.length()));
  }

  private static String firstLine(String errors) {
    return errors.isEmpty() ? "" : " " + errors.lines().findFirst().orElse("");
  }
}
