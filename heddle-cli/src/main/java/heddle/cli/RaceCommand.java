package heddle.cli;

import heddle.bench.driver.Profile;
import heddle.bench.race.Race;
import heddle.bench.race.RaceListener;
import heddle.bench.race.RaceOptions;
import heddle.bench.report.TableReport;
import heddle.bench.result.RaceResult;
import heddle.bench.server.Http2Server;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs clients against each other under the same load. */
@Command(
    name = "race",
    description = "Race Heddle and other clients under the same load, each in a JVM of its own.",
    sortOptions = false,
    footer = {
      "",
      "Without options: every client in the cells that tell most, in under four",
      "minutes. Where nghttpd is installed it answers over HTTP/2."
    })
final class RaceCommand implements Callable<Integer> {

  @Spec
  private CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "CELL",
      arity = "0..*",
      description = "What to race, such as h1-64, all that begins alike, such as get-1m or"
          + " slow-reader, or all (default: some of each kind).")
  private List<String> named = List.of();

  @Option(
      names = "--cells",
      paramLabel = "CELL",
      split = ",",
      description = "The same as a list: h1-64,h1-512.")
  private List<String> cells = List.of();

  @Option(
      names = "--clients",
      paramLabel = "CLIENT",
      split = ",",
      description = "Who races, such as heddle,jdk,okhttp (default: all).")
  private List<String> clients = List.of();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How often each client is measured in each cell (default 1).")
  private @Nullable Integer rounds;

  @Option(
      names = "--scale",
      paramLabel = "SHARE",
      description = "Share of the published size; 1 is all of it (default: what fits the time).")
  private @Nullable Double scale;

  @Option(
      names = "--profile",
      paramLabel = "tuned|defaults",
      description = "Clients with limits raised to the load, or as they come (default tuned).")
  private @Nullable Profile profile;

  @Option(
      names = "--h2-server",
      paramLabel = "auto|heddle|nghttpd",
      description = "What answers over HTTP/2 (default auto: nghttpd where it is installed).")
  private @Nullable Http2Server http2Server;

  @Option(names = "--json", paramLabel = "FILE", description = "Default: race.json.")
  private @Nullable Path json;

  @Option(names = "--html", paramLabel = "FILE", description = "Default: race.html.")
  private @Nullable Path html;

  private final Terminal terminal;

  RaceCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    RaceOptions options = options();
    RaceResult result;
    try {
      result = new Race(options).run(new Narrator(terminal));
    } finally {
      terminal.endLive();
    }
    terminal.out().write(TableReport.render(result).getBytes(StandardCharsets.UTF_8));
    terminal.out().flush();
    terminal.err().println("JSON  " + options.json().toAbsolutePath());
    terminal.err().println("HTML  " + options.html().toAbsolutePath());
    if (result.results().isEmpty()) {
      throw new IOException("no client could be measured; " + String.join("; ", result.failures()));
    }
    return CommandLine.ExitCode.OK;
  }

  RaceOptions options() {
    var allCells = new ArrayList<>(named);
    allCells.addAll(cells);
    try {
      RaceOptions options =
          RaceOptions.defaults(home()).withClients(clients).withCells(allCells).withScale(scale);
      Integer number = rounds;
      options = number == null ? options : options.withRounds(number);
      Profile setUp = profile;
      options = setUp == null ? options : options.withProfile(setUp);
      Http2Server answering = http2Server;
      options = answering == null ? options : options.withHttp2Server(answering);
      Path jsonFile = json;
      options = jsonFile == null ? options : options.withJson(jsonFile);
      Path htmlFile = html;
      return htmlFile == null ? options : options.withHtml(htmlFile);
    } catch (IllegalArgumentException e) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private Path home() {
    String home = System.getProperty("heddle.home");
    if (home == null) {
      throw new CommandLine.ParameterException(
          spec.commandLine(),
          "the race needs the checkout that it was built in: run it with ./heddle race");
    }
    return Path.of(home);
  }

  /** A live line for a person; for a log, a line for each run that begins. */
  private static final class Narrator implements RaceListener {
    private final Terminal terminal;
    private String last = "";

    Narrator(Terminal terminal) {
      this.terminal = terminal;
    }

    @Override
    public void progress(Progress progress) {
      String line = "[%d/%d] %s, about %s left"
          .formatted(
              progress.done(), progress.total(), progress.doing(), readable(progress.left()));
      terminal.live(line);
      if (!terminal.interactive() && !progress.doing().equals(last)) {
        last = progress.doing();
        terminal.err().println(line);
      }
    }

    private static String readable(Duration left) {
      return left.toMinutes() > 0
          ? "%d min %02d s".formatted(left.toMinutes(), left.toSecondsPart())
          : left.toSeconds() + " s";
    }
  }
}
