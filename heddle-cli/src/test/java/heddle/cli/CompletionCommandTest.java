package heddle.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CompletionCommandTest {

  @TempDir
  private Path folder;

  @Test
  void bashCompletesCommandsAndOptions() throws Exception {
    Path bash = Path.of("/bin/bash");
    assumeTrue(Files.isExecutable(bash), "there is no bash");
    Path script = Files.writeString(folder.resolve("heddle"), script("bash"));
    String completed = run(
        bash.toString(),
        "-c",
        """
        compopt() { :; }
        source "$0"
        COMP_WORDS=(heddle comp); COMP_CWORD=1; _complete_heddle; echo "${COMPREPLY[@]}"
        COMP_WORDS=(heddle get --timi); COMP_CWORD=2; _complete_heddle; echo "${COMPREPLY[@]}"
        """,
        script.toString());
    assertEquals(List.of("compare completion", "--timings"), completed.lines().toList());
  }

  @Test
  void zshReadsTheScriptForBash() throws IOException {
    assertEquals(script("bash"), script("zsh"));
    assertTrue(script("zsh").contains("bashcompinit"));
  }

  @Test
  void fishKnowsOptionsOfEachCommand() {
    String script = script("fish");
    for (String line : List.of(
        "complete -c heddle -n __fish_use_subcommand -f -a serve -d '",
        "complete -c heddle -n '__fish_seen_subcommand_from get' -s o -l output -r -F -d '",
        "complete -c heddle -n '__fish_seen_subcommand_from get' -s L -l location -d '",
        "-s c -l cookie-jar -r -F -d 'Keep cookies in FILE between runs, in curl\\'s format.'\n")) {
      assertTrue(script.contains(line), () -> line + " is not in " + script);
    }
  }

  private static String script(String shell) {
    Ran ran = Ran.of("completion", shell);
    assertEquals(0, ran.code(), ran::err);
    return ran.out();
  }

  private static String run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), output);
    return output;
  }
}
