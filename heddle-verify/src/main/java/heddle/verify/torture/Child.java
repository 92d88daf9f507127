package heddle.verify.torture;

import com.google.gson.Gson;
import heddle.client.HttpClient;
import heddle.codec.Role;
import heddle.connection.ServerLimits;
import heddle.gson.GsonCodec;
import heddle.http.Body;
import heddle.server.HttpServer;
import heddle.sse.EventSender;
import heddle.testkit.SimNetwork;
import heddle.transport.Network;
import heddle.web.Router;
import heddle.websocket.WebSocket;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A JVM under torture. It reads lines and answers each with a line; when this process ends, the
 * child's standard input ends, and then the child.
 */
final class Child implements AutoCloseable {
  private static final Duration START = Duration.ofSeconds(20);
  private static final Duration ANSWER = Duration.ofSeconds(5);

  private final Process process;
  private final Writer in;
  private final Path errors;
  private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();

  /** Held between a line and its answer. */
  private final ReentrantLock asking = new ReentrantLock();

  /**
   * How the JVM is started.
   *
   * @param heapMegabytes its largest heap
   * @param descriptors how many it may have; 0 for as many as this process
   * @param firstOnPath a folder to stand before everything else on its class path
   * @param endsWithoutMemory whether the first OutOfMemoryError ends it, so that none is missed
   */
  record Options(
      int heapMegabytes, int descriptors, @Nullable Path firstOnPath, boolean endsWithoutMemory) {
    Options(int heapMegabytes, int descriptors, @Nullable Path firstOnPath) {
      this(heapMegabytes, descriptors, firstOnPath, false);
    }

    static Options heap(int megabytes) {
      return new Options(megabytes, 0, null);
    }

    Options endingWithoutMemory() {
      return new Options(heapMegabytes, descriptors, firstOnPath, true);
    }
  }

  private Child(Process process, Path errors) {
    this.process = process;
    this.errors = errors;
    this.in = process.outputWriter(StandardCharsets.UTF_8);
    Thread.ofPlatform().daemon().name("torture-child").start(this::read);
  }

  static Child start(Options options, Class<?> main, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    if (options.descriptors() > 0) {
      command.addAll(
          List.of("sh", "-c", "ulimit -n \"$0\" && exec \"$@\"", "" + options.descriptors()));
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx" + options.heapMegabytes() + "m");
    // The JVM's own messages, such as those without memory, are no answers.
    command.addAll(List.of("-Xlog:disable", "-Xlog:all=warning:stderr"));
    command.add("-XX:+UseSerialGC");
    // A collection leaves no dead objects in place to save copying, so heap use is what is live.
    command.add("-XX:MarkSweepDeadRatio=0");
    // For simulated worlds, which run virtual threads in an order of their own.
    command.add("--add-opens=java.base/java.lang=ALL-UNNAMED");
    if (options.endsWithoutMemory()) {
      command.add("-XX:+ExitOnOutOfMemoryError");
    }
    command.add("-cp");
    command.add(classPath(options.firstOnPath()));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    Path errors = Files.createTempFile("heddle-torture", ".err");
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    return new Child(process, errors);
  }

  /** What the engine and this package are loaded from: few files, because each has a descriptor. */
  private static String classPath(@Nullable Path first) {
    String needed = Stream.of(
            Child.class,
            HttpServer.class,
            HttpClient.class,
            SimNetwork.class,
            ServerLimits.class,
            Network.class,
            Role.class,
            Body.class,
            Router.class,
            EventSender.class,
            WebSocket.class,
            GsonCodec.class,
            Gson.class)
        .map(type ->
            new File(type.getProtectionDomain().getCodeSource().getLocation().getPath()).getPath())
        .collect(Collectors.joining(File.pathSeparator));
    return first == null ? needed : first + File.pathSeparator + needed;
  }

  private void read() {
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      String line = out.readLine();
      while (line != null) {
        lines.add(line);
        line = out.readLine();
      }
    } catch (IOException e) {
      // The process has ended.
    }
  }

  /** The next line that the child prints; null if none comes in time. */
  @Nullable
  String nextLine(Duration limit) throws InterruptedException {
    return lines.poll(limit.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** The port that the child has printed as its first line. */
  int port() throws IOException, InterruptedException {
    String line = nextLine(START);
    if (line == null || !line.startsWith("port ")) {
      throw new IOException("the child did not start, it printed " + line + "\n" + errors());
    }
    return Integer.parseInt(line.substring(5));
  }

  /** Sends a line and waits for the line that answers it; null if none comes in time. */
  @Nullable
  String ask(String line) throws InterruptedException {
    return ask(line, ANSWER);
  }

  @Nullable
  String ask(String line, Duration limit) throws InterruptedException {
    asking.lock();
    try {
      lines.clear();
      tell(line);
      return nextLine(limit);
    } catch (IOException e) {
      return null;
    } finally {
      asking.unlock();
    }
  }

  /** Sends a line and does not wait. */
  void tell(String line) throws IOException {
    in.write(line + "\n");
    in.flush();
  }

  /** What the child has printed to its standard error output. */
  String errors() throws IOException {
    return Files.readString(errors);
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Why it is not alive; only for one that has ended. */
  String end() {
    // What -XX:+ExitOnOutOfMemoryError ends with.
    return process.exitValue() == 3 ? "out of memory" : "the process died";
  }

  Process process() {
    return process;
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    Files.deleteIfExists(errors);
  }
}
