package heddle.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IFactory;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command: {@code heddle get|serve|load|merge|race|compare|k8s|doctor}. */
@Command(
    name = "heddle",
    description = "HTTP for the JVM where blocking code costs next to nothing.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    scope = CommandLine.ScopeType.INHERIT,
    versionProvider = RootCommand.Version.class,
    footer = {
      "",
      "Exit codes: 0 done, 1 failed (one line on standard error says why),",
      "2 wrong options, 22 with get --fail: the status was 400 or above,",
      "98 with load: the generator fell behind, 99 with load --slo: a goal was missed."
    })
final class RootCommand implements Callable<Integer> {

  private static final List<Class<?>> COMMANDS = List.of(
      GetCommand.class,
      ServeCommand.class,
      LoadCommand.class,
      WorkerCommand.class,
      MergeCommand.class,
      RaceCommand.class,
      CompareCommand.class,
      K8sCommand.class,
      DoctorCommand.class);

  @Spec
  private CommandSpec spec = CommandSpec.create();

  private final Terminal terminal;

  RootCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Runs the command with the given streams; returns the exit code. */
  static int run(Terminal terminal, String... arguments) {
    CommandLine command = commandFor(terminal, arguments.length == 0 ? "" : arguments[0]);
    command.setOut(new PrintWriter(terminal.out(), true, StandardCharsets.UTF_8));
    command.setErr(new PrintWriter(terminal.err(), true, StandardCharsets.UTF_8));
    // @FILE is a body to send, not a file of options.
    command.setExpandAtFiles(false);
    command.setCaseInsensitiveEnumValuesAllowed(true);
    command.setUsageHelpAutoWidth(true);
    command.setParameterExceptionHandler(RootCommand::explain);
    command.setExecutionExceptionHandler((failure, _, _) -> fail(terminal.err(), failure));
    return command.execute(arguments);
  }

  /**
   * Creates the model of the named subcommand only, because the models of all take most of the
   * start time; creates all if the word is no subcommand.
   */
  private static CommandLine commandFor(Terminal terminal, String word) {
    var factory = new Factory(terminal);
    var command = new CommandLine(new RootCommand(terminal), factory);
    List<Class<?>> named =
        COMMANDS.stream().filter(type -> nameOf(type).equals(word)).toList();
    for (Class<?> type : named.isEmpty() ? COMMANDS : named) {
      command.addSubcommand(new CommandLine(type, factory));
    }
    if (named.isEmpty()) {
      command.addSubcommand(new CommandLine(CommandLine.HelpCommand.class, factory));
    }
    return command;
  }

  private static String nameOf(Class<?> type) {
    return type.getAnnotation(Command.class).name();
  }

  /** Without a subcommand, prints the help for newcomers, and fails so that a script notices. */
  @Override
  public Integer call() {
    spec.commandLine().usage(terminal.err());
    return CommandLine.ExitCode.USAGE;
  }

  private static int explain(ParameterException wrong, String[] arguments) {
    CommandLine command = wrong.getCommandLine();
    PrintWriter err = command.getErr();
    String name = command.getCommandSpec().qualifiedName();
    err.println(name + ": " + oneLine(wrong));
    CommandLine.UnmatchedArgumentException.printSuggestions(wrong, err);
    err.println("Try: " + name + " --help");
    return CommandLine.ExitCode.USAGE;
  }

  private static int fail(PrintStream err, Exception failure) {
    if (failure instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    err.println("heddle: " + oneLine(failure) + Main.advice(failure));
    return CommandLine.ExitCode.SOFTWARE;
  }

  /** The failure in one line: the message, or the kind of the failure if there is none. */
  private static String oneLine(Throwable failure) {
    String message = failure.getMessage();
    if (message == null || message.isBlank()) {
      return failure.getClass().getSimpleName();
    }
    return message.strip().replaceAll("\\s*\\R\\s*", " ");
  }

  /** The version that the build wrote, and the JVM that it runs on. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() throws IOException {
      var built = new Properties();
      try (InputStream in =
          Objects.requireNonNull(RootCommand.class.getResourceAsStream("version.properties"))) {
        built.load(in);
      }
      return new String[] {
        "heddle " + built.getProperty("version"),
        "Java "
            + Runtime.version()
            + " ("
            + System.getProperty("java.vm.name")
            + ", "
            + System.getProperty("os.name")
            + " "
            + System.getProperty("os.arch")
            + ")"
      };
    }
  }

  /** Passes the streams to each command. */
  private record Factory(Terminal terminal) implements IFactory {
    @Override
    public <K> K create(Class<K> type) throws Exception {
      try {
        return type.getDeclaredConstructor(Terminal.class).newInstance(terminal);
      } catch (NoSuchMethodException e) {
        return CommandLine.defaultFactory().create(type);
      }
    }
  }
}
