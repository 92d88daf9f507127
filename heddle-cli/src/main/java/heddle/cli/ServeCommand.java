package heddle.cli;

import heddle.bench.routes.ExperimentRoutes;
import heddle.server.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Heddle's server with the routes that experiments need, until it is interrupted. */
@Command(
    name = "serve",
    description = "Start a server on the loopback address with routes to try clients on.",
    sortOptions = false,
    footer = {
      "",
      "Routes: GET /hello /delay/{ms} /bytes/{n} /active /locked, POST /echo /sink.",
      "Ctrl-C or SIGTERM lets the requests that run finish for at most 10 s, then",
      "ends with 130 or 143."
    })
final class ServeCommand implements Callable<Integer> {

  private static final Pattern POOL = Pattern.compile("pool:(\\d{1,5})");

  @Spec
  private CommandSpec spec = CommandSpec.create();

  @Option(
      names = {"-p", "--port"},
      paramLabel = "P",
      defaultValue = "8080",
      description = "0 for one that is free (default ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      names = "--threads",
      paramLabel = "virtual|pool:N",
      defaultValue = "virtual",
      description =
          "A virtual thread for each request, or a pool of N platform threads (default virtual).")
  private String threads = "virtual";

  @Mixin
  private ServeTls tls = new ServeTls();

  private final Terminal terminal;
  private final CountDownLatch closed = new CountDownLatch(1);

  ServeCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    if (port < 0 || port > 65_535) {
      throw wrong("--port must be 0 to 65535, not " + port);
    }
    try (ExecutorService pool = pool()) {
      HttpServer.Builder builder = HttpServer.builder()
          .address(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      if (pool != null) {
        builder.executor(pool);
      }
      ServeTls.Setup setup = tls();
      if (setup != null) {
        builder.tls(setup.options());
      }
      var routes = new ExperimentRoutes();
      HttpServer server = start(builder.handler(routes));
      Runtime.getRuntime().addShutdownHook(new Thread(() -> close(server), "heddle-close"));
      String line = setup == null
          ? "listening on http://127.0.0.1:" + server.port() + "\n"
          : "listening on https://127.0.0.1:" + server.port() + "\n" + setup.line() + "\n";
      terminal.out().write(line.getBytes(StandardCharsets.UTF_8));
      terminal.out().flush();
      closed.await();
    }
    return CommandLine.ExitCode.OK;
  }

  private ServeTls.@Nullable Setup tls() {
    try {
      return tls.setUp();
    } catch (IOException | IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private HttpServer start(HttpServer.Builder builder) throws IOException {
    try {
      return builder.start();
    } catch (IOException e) {
      throw new IOException(
          "cannot listen on 127.0.0.1:" + port + ": " + e.getMessage()
              + "; --port 0 takes one that is free",
          e);
    }
  }

  private void close(HttpServer server) {
    server.close();
    closed.countDown();
  }

  private @Nullable ExecutorService pool() {
    if (threads.equals("virtual")) {
      return null;
    }
    Matcher pool = POOL.matcher(threads);
    if (!pool.matches() || Integer.parseInt(pool.group(1)) == 0) {
      throw wrong("--threads must be virtual or pool:N such as pool:200, not " + threads);
    }
    return Executors.newFixedThreadPool(
        Integer.parseInt(pool.group(1)),
        Thread.ofPlatform().name("heddle-pool-", 0).factory());
  }

  private CommandLine.ParameterException wrong(String what) {
    return new CommandLine.ParameterException(spec.commandLine(), what);
  }
}
