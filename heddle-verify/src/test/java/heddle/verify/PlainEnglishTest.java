package heddle.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.source.tree.LiteralTree;
import com.sun.source.util.TreeScanner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Sources and documents name who does what: the caller, the peer, the user. The words listed here
 * leave that open, or are idioms of another language.
 */
final class PlainEnglishTest {
  private static final Pattern VAGUE = Pattern.compile(
      "\\b(nobody|somebody|whoever|null where|none where|of its own|is told|so many)\\b",
      Pattern.CASE_INSENSITIVE);

  /** There are sentences for which one of the words is right. None of them is read by a user. */
  private static final int MOST_IN_COMMENTS = 60;

  /** A line break and what a comment begins its next line with. */
  private static final Pattern BREAK = Pattern.compile("\\s*\\n\\s*(//+|[*])?\\s*");

  @Test
  void messagesNameWhoDoesWhat() {
    List<String> vague = new ArrayList<>();
    mainSources().forEach(file -> vague.addAll(vagueLiterals(file)));
    assertEquals(List.of(), vague);
  }

  @Test
  void documentsForUsersNameWhoDoesWhat() {
    List<String> vague = new ArrayList<>();
    // Docstrings and messages are most of what Clojure's sources say.
    for (Path document : Repository.files(file -> Repository.name(file).matches(".*[.](md|clj)"))) {
      String path = Repository.relative(document);
      if (!path.startsWith("docs/decisions/")) {
        vague.addAll(find(path, Repository.read(document)));
      }
    }
    assertEquals(List.of(), vague);
  }

  @Test
  void commentsNameWhoDoesWhat() {
    List<String> vague = new ArrayList<>();
    for (Path file : mainFiles()) {
      vague.addAll(find(Repository.relative(file), Repository.read(file)));
    }
    assertTrue(
        vague.size() <= MOST_IN_COMMENTS,
        () -> vague.size() + " places, at most " + MOST_IN_COMMENTS + ":\n"
            + String.join("\n", vague));
  }

  @Test
  void vagueWordsAreFoundAcrossLines() {
    assertEquals(1, find("A.java", "  // a thread of\n  // its own\n").size());
    assertEquals(1, find("A.java", " * Nobody waits.").size());
    assertEquals(0, find("A.java", "// the caller waits, which is kept apart").size());
    String source = "class A { String s = \"not\" + \" so many\"; /* whoever */ }";
    assertEquals(
        1, vagueLiterals(SourceFile.of("heddle-a/src/main/java/A.java", source)).size());
  }

  private static List<SourceFile> mainSources() {
    return SourceFile.of(mainFiles());
  }

  private static List<Path> mainFiles() {
    List<Path> files = Repository.files(file -> Repository.name(file).endsWith(".java")).stream()
        .filter(file -> Repository.relative(file).contains("/src/main/"))
        .toList();
    assertTrue(files.size() > 500, () -> "found " + files.size() + " sources");
    return files;
  }

  private static List<String> vagueLiterals(SourceFile file) {
    List<String> vague = new ArrayList<>();
    new TreeScanner<Void, Void>() {
      @Override
      public Void visitLiteral(LiteralTree literal, Void unused) {
        if (literal.getValue() instanceof String text && VAGUE.matcher(text).find()) {
          long position = file.positions().getStartPosition(file.tree(), literal);
          vague.add(file.path() + ":" + file.lineAt(position) + ": " + text);
        }
        return super.visitLiteral(literal, null);
      }
    }.scan(file.tree(), null);
    return vague;
  }

  private static List<String> find(String path, String text) {
    String joined = BREAK.matcher(text).replaceAll(" ");
    return VAGUE
        .matcher(joined)
        .results()
        .map(match -> path + ": ..." + around(joined, match.start(), match.end()) + "...")
        .toList();
  }

  private static String around(String text, int start, int end) {
    return text.substring(Math.max(0, start - 30), Math.min(text.length(), end + 30));
  }
}
