package heddle.bench.race;

import heddle.bench.contender.AotCache;
import heddle.bench.contender.JvmContender;
import heddle.load.LoadPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes AOT caches, so that the compilers of a race's clients come to rest within its time: each
 * client runs its loads once in a JVM that is not measured. A cache is made again only when a jar
 * of the client has changed. Used by one thread.
 */
final class Training {

  /** How long each load runs at most. */
  private static final Duration MOST = Duration.ofSeconds(4);

  /** How long a JVM may take to end, in which it writes its cache. */
  private static final Duration ENDING = Duration.ofSeconds(60);

  /** Of the run in which a client is also measured, because that runs further code. */
  private static final double SCALE = 0.05;

  private static final int AT_ONCE = 2;

  private final Path folder;
  private final Consumer<String> progress;
  private final List<String> failures = new ArrayList<>();

  /**
   * Creates a training.
   *
   * @param home the root of the checkout, which keeps the caches
   * @param progress gets what is done
   */
  Training(Path home, Consumer<String> progress) {
    this.folder = home.resolve("heddle-bench").resolve("target").resolve("aot");
    this.progress = progress;
  }

  /** The clients that have no cache, and why. */
  List<String> failures() {
    return List.copyOf(failures);
  }

  /**
   * Lets every client start from its cache, and makes those that are missing.
   *
   * @param loads what each client runs
   */
  void prepare(Map<JvmContender, List<Entry>> loads) throws InterruptedException {
    // A client and its control share a cache.
    Map<AotCache, List<JvmContender>> users = new LinkedHashMap<>();
    loads.forEach((client, entries) -> {
      AotCache cache = find(client, entries);
      if (cache != null) {
        users.computeIfAbsent(cache, _ -> new ArrayList<>()).add(client);
      }
    });
    makeMissing(users, loads);
    users.forEach((cache, clients) -> {
      if (cache.isMade()) {
        clients.forEach(client -> client.startFrom(cache));
      }
    });
  }

  private @Nullable AotCache find(JvmContender client, List<Entry> loads) {
    String cells = loads.stream().map(each -> each.cell().label()).collect(Collectors.joining(" "));
    try {
      return client.cacheIn(folder, cells);
    } catch (IOException e) {
      failures.add(client.name() + ": " + e);
      return null;
    }
  }

  private void makeMissing(
      Map<AotCache, List<JvmContender>> users, Map<JvmContender, List<Entry>> loads)
      throws InterruptedException {
    Map<JvmContender, Future<?>> making = new LinkedHashMap<>();
    ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
    try {
      users.forEach((cache, clients) -> {
        if (!cache.isMade()) {
          JvmContender client = clients.getFirst();
          List<Entry> entries = loads.getOrDefault(client, List.of());
          making.put(client, threads.submit(() -> make(cache, client, entries)));
        }
      });
      int made = 0;
      for (Map.Entry<JvmContender, Future<?>> each : making.entrySet()) {
        progress.accept(
            "training the clients, once after a build: " + made++ + " of " + making.size());
        try {
          each.getValue().get();
        } catch (ExecutionException e) {
          failures.add(each.getKey().name() + ": " + e.getCause());
        }
      }
    } finally {
      // Ends those that still run if this thread was interrupted.
      threads.shutdownNow();
      threads.close();
    }
  }

  private Void make(AotCache cache, JvmContender client, List<Entry> loads)
      throws IOException, InterruptedException {
    Files.createDirectories(folder);
    Path beside = Files.createTempFile(folder, "making-", ".aot");
    JvmContender trainee = client.another();
    try {
      trainee.start(cache.making(beside), () -> {});
      for (Entry each : loads) {
        train(new Entry(trainee, each.cell(), each.server()));
      }
      trainee.end(ENDING);
      cache.keep(beside);
      return null;
    } finally {
      trainee.close();
      Files.deleteIfExists(beside);
    }
  }

  private static void train(Entry entry) throws IOException, InterruptedException {
    if (entry.refusal() == null && entry.contender() instanceof JvmContender client) {
      Windows windows = Windows.scaled(SCALE);
      LoadPlan load = entry.warmUp(windows);
      if (load != null) {
        client.warmUp(load, MOST, () -> {});
        entry.measure(windows, () -> {});
      }
    }
  }
}
