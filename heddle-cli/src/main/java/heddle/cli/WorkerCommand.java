package heddle.cli;

import heddle.load.cluster.crew.SameJvm;
import heddle.load.cluster.remote.RemotePeer;
import heddle.load.cluster.remote.Secret;
import heddle.load.cluster.remote.WorkerServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Makes shares of loads for coordinators on other hosts. */
@Command(
    name = "worker",
    description = "Wait for heddle load --workers on another host, and make its share of the load.",
    sortOptions = false,
    footer = {
      "",
      "Both sides prove that they have the key, which is never sent; the connection is",
      "not encrypted. Who has the key can make this host send any load. A worker makes",
      "one load at a time; if the coordinator vanishes, it stops and waits for the next."
    })
final class WorkerCommand implements Callable<Integer> {

  /** Options that write files, or that only the coordinator uses. */
  private static final Set<String> REFUSED =
      Set.of("--json", "--csv", "--hdr", "--workers", "--workers-key", "--start-at");

  @Spec
  private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      required = true,
      description = "The address to wait at; port 0 for a free one.")
  private String listen = "";

  @Option(
      names = "--key",
      paramLabel = "FILE",
      description = "A secret of 16 bytes or more that the coordinator has too (openssl rand -hex"
          + " 32). Without it only loopback addresses are allowed.")
  private @Nullable Path key;

  private final Terminal terminal;

  WorkerCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    try (WorkerServer server = listening();
        Interrupted interrupted = new Interrupted()) {
      interrupted.stops(() -> stop(server));
      terminal.tell("worker listening on " + RemotePeer.name(server.address()));
      server.serve();
      return CommandLine.ExitCode.OK;
    }
  }

  private void stop(WorkerServer server) {
    try {
      server.close();
    } catch (IOException e) {
      terminal.tell("cannot stop listening: " + e);
    }
  }

  private WorkerServer listening() throws IOException {
    try {
      return WorkerServer.listen(
          WorkerAddresses.parse(listen), Secret.read(key), WorkerCommand::command, terminal::tell);
    } catch (IllegalArgumentException e) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "--listen: " + e.getMessage(), e);
    }
  }

  private static List<String> command(List<String> arguments) {
    for (String each : arguments) {
      if (REFUSED.contains(each.split("=", 2)[0]) || each.startsWith("@")) {
        throw new IllegalArgumentException("a worker does not take " + each);
      }
    }
    List<String> words = new ArrayList<>(List.of("load"));
    words.addAll(arguments);
    words.addAll(List.of("--member", "--no-tui"));
    return SameJvm.command(Main.class.getName(), words);
  }
}
