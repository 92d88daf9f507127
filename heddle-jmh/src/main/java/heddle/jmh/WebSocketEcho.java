package heddle.jmh;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Prints the CPU time per message of WebSocket clients. Each of 64 sockets sends 1 KiB of text and
 * waits until Netty's server has echoed it. Each round of a client runs in a new JVM. Rounds of the
 * clients are interleaved, and Heddle runs twice per round as a control.
 *
 * <p>Arguments: how many seconds are measured after the warm-up of 6 s (default 4), and the number
 * of rounds (default 3).
 */
public final class WebSocketEcho {
  private static final String USAGE = "[SECONDS [ROUNDS]]";
  private static final List<String> CLIENTS =
      List.of("heddle", "okhttp", "jetty", "jdk", "heddle (control)");

  static final int SOCKETS = 64;
  static final String MESSAGE = "x".repeat(1024);
  private static final int WARM_UP_SECONDS = 6;

  /** One round of a client. */
  private record Round(double microsPerMessage, double messagesPerSecond) {}

  private WebSocketEcho() {}

  public static void main(String[] args) throws Exception {
    if (args.length == 3) {
      measure(args[0], args[1], Integer.parseInt(args[2]));
      return;
    }
    int seconds;
    int rounds;
    try {
      seconds = Arguments.number(args, 0, 4, 600, USAGE);
      rounds = Arguments.number(args, 1, 3, 100, USAGE);
    } catch (IllegalArgumentException e) {
      System.err.println("echo: " + e.getMessage());
      System.exit(2);
      return;
    }
    Map<String, List<Round>> results = new LinkedHashMap<>();
    try (ServerProcess server = ServerProcess.start(EchoServer.class)) {
      String url = "ws://127.0.0.1:" + server.port() + "/";
      for (int round = 0; round < rounds; round++) {
        for (String client : CLIENTS) {
          results.computeIfAbsent(client, _ -> new ArrayList<>()).add(run(client, url, seconds));
        }
      }
    }
    print(results);
    System.exit(0);
  }

  private static Round run(String client, String url, int seconds) throws Exception {
    String name = client.split(" ", 2)[0];
    Process process = ServerProcess.java(WebSocketEcho.class, name, url, Integer.toString(seconds));
    String line = process.inputReader().readLine();
    process.waitFor();
    if (line == null) {
      throw new IllegalStateException(client + " has not measured anything");
    }
    String[] figures = line.split(" ", -1);
    Round round = new Round(Double.parseDouble(figures[0]), Double.parseDouble(figures[1]));
    System.out.printf(
        "%-18s %6.2f µs of CPU per message, %,.0f messages/s%n",
        client, round.microsPerMessage(), round.messagesPerSecond());
    return round;
  }

  private static void print(Map<String, List<Round>> results) {
    System.out.println();
    double base = median(results.getOrDefault("heddle", List.of()));
    results.forEach((client, rounds) -> System.out.printf(
        "%-18s median %6.2f µs, %.2f times Heddle%n",
        client, median(rounds), median(rounds) / base));
  }

  private static double median(List<Round> rounds) {
    List<Double> all = new ArrayList<>();
    rounds.forEach(each -> all.add(each.microsPerMessage()));
    Collections.sort(all);
    return all.get(all.size() / 2);
  }

  /** In the process of a client. */
  private static void measure(String name, String url, int seconds) throws Exception {
    LongAdder echoed = new LongAdder();
    EchoClients.start(name, url, echoed);
    TimeUnit.SECONDS.sleep(WARM_UP_SECONDS);
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long cpu = system.getProcessCpuTime();
    long began = System.nanoTime();
    long before = echoed.sum();
    TimeUnit.SECONDS.sleep(seconds);
    long messages = echoed.sum() - before;
    double spent = System.nanoTime() - began;
    double used = system.getProcessCpuTime() - cpu;
    if (messages == 0) {
      throw new IllegalStateException(name + " has got no message back");
    }
    System.out.println(used / 1000 / messages + " " + messages / spent * 1e9);
    System.exit(0);
  }
}
