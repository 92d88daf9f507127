package heddle.cli;

import heddle.bench.driver.Profile;
import heddle.bench.driver.ServerConfig;
import heddle.bench.driver.ServerDriver.Running;
import heddle.bench.routes.Beat;
import heddle.bench.routes.Counted;
import heddle.bench.routes.ExperimentRoutes;
import heddle.bench.search.StandInNode;
import heddle.bench.server.RivalServers;
import heddle.cli.value.SpanConverter;
import heddle.load.schedule.Strand;
import heddle.server.spi.Handler;
import java.io.IOException;
import java.net.BindException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs Heddle's server with the routes for experiments until it is interrupted. */
@Command(
    name = "serve",
    description = "Start a server on the loopback address with routes to try clients on.",
    sortOptions = false,
    footer = {
      "",
      "Routes: GET /hello /delay/{ms} /bytes/{n} /ping/{ms} /locked /hold/{n} /active,",
      "POST /echo /sink /counters. The search engine has /{index}/_doc/{id}?refresh=wait_for",
      "and /{index}/_count.",
      "On Ctrl-C or SIGTERM it waits up to 10 s for requests in progress, then",
      "exits with 130 or 143."
    })
final class ServeCommand implements Callable<Integer> {

  @Spec
  private CommandSpec spec = CommandSpec.create();

  @Mixin
  private ServeAddresses listening = new ServeAddresses();

  @Option(
      names = "--program",
      paramLabel = "NAME",
      defaultValue = "heddle",
      description = {
        "The server: heddle, or with the same routes jdk, robaho, jetty, tomcat, helidon,",
        "undertow or netty; or search, a stand-in for a search engine (default heddle)."
      })
  private String program = "heddle";

  @Option(
      names = "--threads",
      paramLabel = "virtual|thread|pool:N",
      defaultValue = "virtual",
      description = {
        "A virtual or a platform thread per request, or a pool of N platform threads",
        "(default virtual)."
      })
  private String threads = "virtual";

  @Option(
      names = "--defaults",
      description = "With the limits that another server has by default: not raised to loads.")
  private boolean isByDefault;

  @Option(
      names = "--refresh",
      paramLabel = "SPAN",
      defaultValue = "1s",
      converter = SpanConverter.class,
      description = "How often the search engine makes documents searchable (default 1s).")
  private Duration refresh = Duration.ofSeconds(1);

  @Option(
      names = "--print-active",
      description = "Print each second how many requests are being handled.")
  private boolean isPrinting;

  @Mixin
  private ServeTls tls = new ServeTls();

  private final Terminal terminal;
  private final CountDownLatch closed = new CountDownLatch(1);

  ServeCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    try (StandInNode node = program.equals("search") ? new StandInNode(refresh) : null) {
      var routes = new ExperimentRoutes();
      Counted counted = node == null ? routes.counted() : new Counted(node);
      Plan plan = plan(counted);
      List<Running> servers = Collections.synchronizedList(new ArrayList<>());
      Runtime.getRuntime().addShutdownHook(new Thread(() -> close(servers), "heddle-close"));
      try {
        for (InetAddress each : plan.addresses()) {
          servers.add(start(plan, each, servers));
        }
        print(plan, servers.getFirst().port());
        try (Beat _ = counted.record(this::printActive)) {
          closed.await();
        }
      } finally {
        close(servers);
      }
    }
    return CommandLine.ExitCode.OK;
  }

  /** The configuration from the options. */
  private record Plan(
      Serving.Program program,
      List<InetAddress> addresses,
      int port,
      ServeTls.@Nullable Setup setup) {}

  private Plan plan(Handler handler) {
    try {
      List<InetAddress> addresses = listening.addresses();
      int port = listening.port();
      Strand strand = strand();
      ServeTls.Setup setup =
          tls.setUp(addresses.stream().map(InetAddress::getHostAddress).toArray(String[]::new));
      return new Plan(program(handler, strand, setup), addresses, port, setup);
    } catch (IOException | IllegalArgumentException e) {
      throw new CommandLine.ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
    }
  }

  private Serving.Program program(Handler handler, Strand strand, ServeTls.@Nullable Setup setup)
      throws IOException {
    if (program.equals("heddle") || program.equals("search")) {
      return Serving.heddle(handler, strand, setup);
    }
    if (!RivalServers.NAMES.contains(program)) {
      throw new IllegalArgumentException("--program must be heddle, search, "
          + String.join(", ", RivalServers.NAMES) + ", not " + program);
    }
    SelfSigned made = setup == null ? null : setup.made();
    if (setup != null && made == null) {
      throw new IllegalArgumentException(
          "--program " + program + " does not support --cert: with --tls it creates a certificate");
    }
    return Serving.rival(
        RivalServers.find(Path.of(System.getProperty("heddle.home", ".")), program),
        handler,
        strand,
        isByDefault ? Profile.DEFAULTS : Profile.TUNED,
        made == null ? null : made.keys(ServerConfig.PASSWORD));
  }

  /** All servers listen on the port of the first. */
  private static Running start(Plan plan, InetAddress address, List<Running> before)
      throws IOException {
    int port = before.isEmpty() ? plan.port() : before.getFirst().port();
    try {
      return plan.program().start(new InetSocketAddress(address, port));
    } catch (IOException e) {
      // Heddle's error names the address again, unlike that of the system, which is its cause.
      Throwable reason = e.getCause() instanceof BindException ? e.getCause() : e;
      throw new IOException(
          "cannot listen on " + address.getHostAddress() + ":" + port + ": " + reason.getMessage()
              + "; --port 0 chooses a free one",
          e);
    }
  }

  private void print(Plan plan, int port) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (InetAddress each : plan.addresses()) {
      String literal = each.getHostAddress();
      lines
          .append("listening on ")
          .append(plan.setup() == null ? "http://" : "https://")
          .append(each instanceof Inet6Address ? "[" + literal + "]" : literal)
          .append(':')
          .append(port)
          .append('\n');
    }
    if (plan.setup() != null) {
      lines.append(plan.setup().line()).append('\n');
    }
    terminal.print(lines.toString());
  }

  private void printActive(int active) {
    if (isPrinting) {
      try {
        terminal.print("active " + active + "\n");
      } catch (IOException e) {
        // The output is closed; the server continues without it.
        isPrinting = false;
      }
    }
  }

  /** Closes each on its own thread, so that they wait for their requests at the same time. */
  private void close(List<Running> servers) {
    synchronized (servers) {
      try (var closers = Executors.newVirtualThreadPerTaskExecutor()) {
        servers.forEach(each -> closers.execute(each::close));
      }
      servers.clear();
    }
    closed.countDown();
  }

  private Strand strand() {
    try {
      return Strand.parse(threads);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "--threads must be virtual, thread or pool:N such as pool:200, not " + threads, e);
    }
  }
}
