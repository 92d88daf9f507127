package heddle.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Wrong command lines: one message that says what is wrong and where, and the exit code. */
final class BadCommandLinesTest {

  @TempDir
  private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          gte http://x                 | 2 | heddle: unknown command gte: did you mean get?
          nosuch                       | 2 | heddle: unknown command nosuch
          --vresion                    | 2 | unknown option --vresion: did you mean --version?
          get --tmeout 3 http://x      | 2 | get: unknown option --tmeout: did you mean --timeout?
          get --timeotu=3              | 2 | unknown option --timeotu: did you mean --timeout?
          get -Z                       | 2 | unknown option -Z
          get x y                      | 2 | unexpected argument y
          get                          | 2 | Missing required parameter: 'URL'
          get x -d a -F b=c            | 2 | one content: give -d, --json, -F or --body
          get x -F nothing             | 2 | -F 'nothing' is not NAME=CONTENT
          get x -F f=a;type=nonsense   | 2 | -F ;type=nonsense
          get x -F f=@/nowhere         | 2 | -F: there is no file to read at /nowhere
          get x -d @FOLDER             | 2 | -d: there is no file to read at FOLDER
          get x -x gopher://p          | 2 | malformed proxy: its scheme must be http, https, socks5
          get x -x http://p:99999      | 2 | port 99999 is not between 1 and 65535
          get x -c /nowhere/jar        | 2 | cannot write to /nowhere/jar
          get x -b /nowhere            | 2 | -b: there is no file to read at /nowhere
          get x -I -d a                | 2 | -I sends a HEAD without content
          get x --timeout -1           | 2 | '--timeout': '-1' is not a time
          get x --http 3               | 2 | --http is 1.1 or 2, not 3
          get https://x --cacert FOLDER | 2 | FOLDER
          get https://x --key k        | 2 | --key is the key of --cert: give both
          get http://127.0.0.1:70000/  | 2 | port at index 17 is not between 1 and 65535
          get 127.0.0.1:1              | 1 | Connection refused
          load 127.0.0.1:1 -n -1       | 2 | requests must be at least 1, not -1
          load ftp://x -n 1            | 2 | not ftp://x
          load http://x -n 1 --replay /nowhere | 1 | /nowhere: there is no such file
          serve --host x               | 2 | unknown option --host
          serve --port 99999           | 2 | --port must be 0 to 65535, not 99999
          merge FOLDER                 | 1 | FOLDER cannot be read: it is a folder
          compare /nowhere /nowhere    | 1 | /nowhere: there is no such file
          completion tcsh              | 2 | expected one of [BASH, ZSH, FISH]
          doctor x                     | 2 | unexpected argument x
          """)
  void wrongCommandLineIsExplained(String line, int code, String message) {
    String place = folder.toString();
    Ran ran = Ran.of(line.replace("FOLDER", place).split(" "));
    assertEquals(code, ran.code(), ran::toString);
    assertEquals("", ran.out());
    assertTrue(ran.err().contains(message.replace("FOLDER", place)), ran::err);
    assertFalse(ran.err().contains("\tat ") || ran.err().contains("Exception"), ran::err);
    assertTrue(ran.err().lines().count() <= 4, () -> "it is too long: " + ran.err());
  }

  @Test
  void malformedUrlIsShownWithACaretAtTheCharacter() {
    String[] lines = Ran.of("get", "http://a b/").err().split("\n");
    assertEquals("http://a b/".indexOf(' '), lines[2].indexOf('^') - lines[1].indexOf("http"));
    assertEquals(4, lines.length, () -> Arrays.toString(lines));
  }
}
