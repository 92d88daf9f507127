package heddle.cli;

import heddle.http.MalformedUrlException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IFactory;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code heddle}, which others are a part of. */
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

  private static final int MOST_EDITS = 2;

  private static final List<String> COMMANDS = List.of(
      "get", "serve", "load", "worker", "merge", "race", "compare", "k8s", "doctor", "completion");

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
  static CommandLine commandFor(Terminal terminal, String word) {
    var factory = new Factory(terminal);
    var command = new CommandLine(new RootCommand(terminal), factory);
    if (word.equals("-V") || word.equals("--version")) {
      return command;
    }
    boolean isNamed = COMMANDS.contains(word);
    for (String name : isNamed ? List.of(word) : COMMANDS) {
      command.addSubcommand(new CommandLine(type(name), factory));
    }
    if (!isNamed) {
      command.addSubcommand(new CommandLine(CommandLine.HelpCommand.class, factory));
    }
    return command;
  }

  /** Loads the class of one command, and of no other. */
  private static Class<?> type(String name) {
    return switch (name) {
      case "get" -> GetCommand.class;
      case "serve" -> ServeCommand.class;
      case "load" -> LoadCommand.class;
      case "worker" -> WorkerCommand.class;
      case "merge" -> MergeCommand.class;
      case "race" -> RaceCommand.class;
      case "compare" -> CompareCommand.class;
      case "k8s" -> K8sCommand.class;
      case "doctor" -> DoctorCommand.class;
      case "completion" -> CompletionCommand.class;
      default -> throw new IllegalArgumentException("no command: " + name);
    };
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
    List<String> unknown = command.getUnmatchedArguments();
    // A malformed URL is shown with a caret below it.
    String what = unknown.isEmpty()
        ? wrong.getCause() instanceof MalformedUrlException ? wrong.getMessage() : oneLine(wrong)
        : unknown(command.getCommandSpec(), Terminal.printable(unknown.getFirst()));
    err.println(name + ": " + what);
    err.println("Try: " + name + " --help");
    return CommandLine.ExitCode.USAGE;
  }

  /** Names what is unknown, and what was probably meant. */
  private static String unknown(CommandSpec command, String word) {
    boolean isOption = word.startsWith("-");
    boolean isCommand = !isOption && !command.subcommands().isEmpty();
    String typed = isOption ? word.replaceAll("=.*", "") : word;
    Set<String> known =
        isCommand ? command.subcommands().keySet() : command.optionsMap().keySet();
    String kind =
        isOption ? "unknown option " : isCommand ? "unknown command " : "unexpected argument ";
    return known.stream()
        .filter(name -> isOption || isCommand)
        .filter(name -> edits(typed, name) <= Math.min(typed.length() / 3, MOST_EDITS))
        .min(Comparator.comparingInt(name -> edits(typed, name)))
        .map(name -> kind + typed + ": did you mean " + name + "?")
        .orElse(kind + typed);
  }

  /** How many letters are added, missing, others or swapped with the next. */
  private static int edits(String typed, String name) {
    int[][] least = new int[typed.length() + 1][name.length() + 1];
    for (int i = 0; i <= typed.length(); i++) {
      for (int j = 0; j <= name.length(); j++) {
        if (i == 0 || j == 0) {
          least[i][j] = i + j;
          continue;
        }
        boolean same = typed.charAt(i - 1) == name.charAt(j - 1);
        int replaced = least[i - 1][j - 1] + (same ? 0 : 1);
        least[i][j] = Math.min(replaced, 1 + Math.min(least[i - 1][j], least[i][j - 1]));
        if (i > 1
            && j > 1
            && typed.charAt(i - 1) == name.charAt(j - 2)
            && typed.charAt(i - 2) == name.charAt(j - 1)) {
          least[i][j] = Math.min(least[i][j], least[i - 2][j - 2] + 1);
        }
      }
    }
    return least[typed.length()][name.length()];
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
    return Terminal.printable(message.strip().replaceAll("\\s*\\R\\s*", " "));
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
