package heddle.verify.torture;

import heddle.client.HttpClient;
import heddle.http.HttpVersion;
import heddle.http.Request;
import heddle.http.Response;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/** A fault of a server's process rather than of its connections. */
record ProcessTrial(String name, String what, Child.Options options, boolean tls, Script script)
    implements Trial {
  private static final Duration RECOVERY = Duration.ofSeconds(2);
  private static final Duration NEIGHBOUR = Duration.ofSeconds(12);
  private static final Duration IDLE = Duration.ofMillis(900);
  private static final int CALLS = 25;
  private static final Duration UNDER_WAY = Duration.ofMillis(100);

  /** More than the server's close timeout, by what a process takes to end. */
  private static final Duration END = TortureServer.CLOSE.plusSeconds(2);

  /** What is done to the process. */
  interface Script {
    Result run(Child child, Target server, Stalls stalls) throws Exception;
  }

  /** @param tls makes a client's sockets; null for cleartext */
  private record Target(InetSocketAddress address, @Nullable SSLSocketFactory tls) {
    int once() {
      return Victim.once(address, tls);
    }

    String url(String path) {
      return "http://127.0.0.1:" + address.getPort() + path;
    }
  }

  static List<Trial> all() {
    return List.of(
        new ProcessTrial(
            "heap-neighbour",
            "code in the server's process fills the heap for 2 s",
            Child.Options.heap(64),
            false,
            (child, server, stalls) -> neighbour("heap-neighbour", "fill", child, server, stalls)),
        new ProcessTrial(
            "heap-neighbour-tls",
            "the same while connections begin with a TLS handshake",
            Child.Options.heap(64),
            true,
            (child, server, stalls) ->
                neighbour("heap-neighbour-tls", "fill", child, server, stalls)),
        new ProcessTrial(
            "descriptor-neighbour",
            "code in the server's process opens files until there are no descriptors, for 2 s",
            new Child.Options(64, 160, null),
            false,
            (child, server, stalls) ->
                neighbour("descriptor-neighbour", "sockets", child, server, stalls)),
        new ProcessTrial(
            "sigterm",
            "SIGTERM while 50 requests are answered",
            Child.Options.heap(64),
            false,
            (child, server, stalls) -> terminate(child, server)),
        new ProcessTrial(
            "sigterm-heap-full",
            "SIGTERM while the heap is full",
            Child.Options.heap(64),
            false,
            (child, server, stalls) -> terminateFull(child)));
  }

  @Override
  public int seconds() {
    return 6;
  }

  @Override
  public Result run(Stalls stalls) throws Exception {
    return tls
        ? TestTls.withIdentity(
            file -> run(stalls, TestTls.trusting(), TortureServer.HOOK, "tls=" + file))
        : run(stalls, null, TortureServer.HOOK);
  }

  private Result run(Stalls stalls, @Nullable SSLSocketFactory sockets, String... arguments)
      throws Exception {
    try (Child child = Child.start(options, TortureServer.class, arguments)) {
      var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), child.port());
      return script.run(child, new Target(address, sockets), stalls);
    }
  }

  private static Result neighbour(
      String name, String command, Child child, Target server, Stalls stalls) throws Exception {
    List<String> failures = new ArrayList<>();
    try (Victim victim = new Victim(server.address(), stalls, server.tls());
        HttpClient client = HttpClient.create();
        ExecutorService others = Executors.newFixedThreadPool(5)) {
      Thread.sleep(1_000);
      LeakCheck leaks = LeakCheck.begin(child);
      victim.take();
      Thread.sleep(IDLE);
      Latencies idle = victim.take();
      Future<String> underWay =
          others.submit(() -> call(client, server.url(TortureServer.SLOWER), HttpVersion.HTTP_1_1));
      Thread.sleep(UNDER_WAY);
      Future<String> taking = others.submit(() -> "" + child.ask(command, NEIGHBOUR));
      for (int i = 0; i < 3; i++) {
        others.execute(() -> {
          while (!taking.isDone()) {
            server.once();
          }
        });
      }
      String said = taking.get();
      Latencies during = victim.take();
      if (!said.startsWith("released")) {
        failures.add("the neighbour said " + said);
      }
      // Idle connections may be closed so that there are descriptors; this one is not idle.
      if (command.equals("sockets") && !underWay.get().equals("200")) {
        failures.add("a request under way ended with " + underWay.get());
      }
      double seconds = secondsToService(server, stalls);
      if (!(seconds < RECOVERY.toSeconds())) {
        failures.add("no normal service within " + RECOVERY.toSeconds() + " s");
      }
      client.closeIdle(Duration.ZERO);
      if (child.isAlive()) {
        failures.addAll(leaks.failures());
      } else {
        failures.add("the process died");
      }
      return new Result(
          name,
          0,
          -1,
          idle.millis(0.5),
          idle.millis(0.99),
          during.millis(0.5),
          during.millis(0.99),
          during.refusedShare(),
          seconds,
          failures,
          during.failed() + " of the victim's " + during.count() + " calls failed meanwhile");
    }
  }

  private static double secondsToService(Target server, Stalls stalls) throws InterruptedException {
    long start = System.nanoTime();
    while (System.nanoTime() - start < 3 * RECOVERY.toNanos()) {
      if (server.once() == 200) {
        long now = System.nanoTime();
        return (now - start - stalls.nanosWithin(start, now)) / 1e9;
      }
      Thread.sleep(5);
    }
    return Double.NaN;
  }

  private static Result terminate(Child child, Target server) throws Exception {
    List<String> failures = new ArrayList<>();
    try (HttpClient client = HttpClient.create();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<String>> calls = new ArrayList<>();
      for (HttpVersion version : List.of(HttpVersion.HTTP_1_1, HttpVersion.HTTP_2)) {
        call(client, server.url("/small"), version);
        for (int i = 0; i < CALLS; i++) {
          calls.add(threads.submit(() -> call(client, server.url(TortureServer.SLOWER), version)));
        }
      }
      int active = 0;
      for (int i = 0; i < 20 && active < calls.size(); i++) {
        Thread.sleep(UNDER_WAY.dividedBy(2));
        ServerStatus status = ServerStatus.of(child);
        active = status == null ? 0 : (int) status.active();
      }
      if (active < calls.size()) {
        failures.add("only " + active + " requests were under way");
      }
      failures.addAll(ended(child));
      for (Future<String> call : calls) {
        if (!call.get().equals("200")) {
          failures.add("a request that was accepted ended with " + call.get());
          break;
        }
      }
    }
    return Result.of("sigterm", failures, "");
  }

  private static String call(HttpClient client, String url, HttpVersion version) {
    try (Response response =
        client.send(Request.get(url).toBuilder().version(version).build())) {
      response.bytes();
      return Integer.toString(response.status().code());
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static Result terminateFull(Child child) throws Exception {
    child.tell("fill");
    Thread.sleep(Neighbour.TAKEN.dividedBy(2));
    return Result.of("sigterm-heap-full", ended(child), "");
  }

  /** Sends SIGTERM and waits for the end. */
  private static List<String> ended(Child child) throws InterruptedException {
    long start = System.nanoTime();
    // Process.destroy would close the standard input too, and with that end the process at once.
    child.process().toHandle().destroy();
    boolean ended = child.process().waitFor(2 * END.toMillis(), TimeUnit.MILLISECONDS);
    long took = (System.nanoTime() - start) / 1_000_000;
    return ended && took < END.toMillis()
        ? List.of()
        : List.of("the process ended " + (ended ? "after " + took + " ms" : "never"));
  }
}
