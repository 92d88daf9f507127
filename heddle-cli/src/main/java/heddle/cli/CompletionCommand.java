package heddle.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;

/** Prints what a shell needs to complete the commands and their options. */
@Command(
    name = "completion",
    description = "Print a script with which a shell completes commands and options.",
    footer = {
      "",
      "In ~/.bashrc or ~/.zshrc:        source <(heddle completion bash)",
      "In ~/.config/fish/config.fish:   heddle completion fish | source"
    })
final class CompletionCommand implements Callable<Integer> {

  private enum Shell {
    BASH,
    ZSH,
    FISH
  }

  @Parameters(paramLabel = "bash|zsh|fish", description = "The shell.")
  private Shell shell = Shell.BASH;

  private final Terminal terminal;

  CompletionCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    CommandLine all = RootCommand.commandFor(terminal, "");
    // That for bash lets zsh read it.
    String script = shell == Shell.FISH ? fish(all) : AutoComplete.bash("heddle", all);
    terminal.print(script);
    return CommandLine.ExitCode.OK;
  }

  private static String fish(CommandLine all) {
    StringBuilder script = new StringBuilder("# Completions of heddle for fish.\n");
    for (Map.Entry<String, CommandLine> each : all.getSubcommands().entrySet()) {
      CommandSpec command = each.getValue().getCommandSpec();
      String name = each.getKey();
      line(
          script,
          "-n __fish_use_subcommand -f -a " + name,
          command.usageMessage().description());
      for (OptionSpec option : command.options()) {
        if (!option.hidden()) {
          line(
              script,
              "-n '__fish_seen_subcommand_from " + name + "'" + words(option),
              option.description());
        }
      }
    }
    return script.toString();
  }

  private static String words(OptionSpec option) {
    StringBuilder words = new StringBuilder();
    for (String name : option.names()) {
      words.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
    }
    if (option.arity().max() > 0) {
      words.append(option.type() == Path.class ? " -r -F" : " -x");
      if (option.completionCandidates() != null) {
        words
            .append(" -a '")
            .append(String.join(" ", option.completionCandidates()))
            .append('\'');
      }
    }
    return words.toString();
  }

  private static void line(StringBuilder script, String words, String[] description) {
    String text = String.join(" ", description).replace("\\", "\\\\").replace("'", "\\'");
    script
        .append("complete -c heddle ")
        .append(words)
        .append(" -d '")
        .append(text)
        .append("'\n");
  }
}
