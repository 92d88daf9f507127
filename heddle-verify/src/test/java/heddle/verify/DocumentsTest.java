package heddle.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The documents speak to every reader: nothing of one machine, and no link to nowhere. */
final class DocumentsTest {

  private static final Pattern MACHINE_PATH =
      Pattern.compile("(?<![\\w.$}*-])/(?:tmp|root|work|home|Users)/[\\w.-]+");

  /** Which registry a build uses is the business of the machine's own Maven configuration. */
  private static final Pattern REGISTRY_HOST = Pattern.compile(
      "repo1?[.]maven|maven[.]aliyun|jcenter|nexus[.]|artifactory[.]|oss[.]sonatype");

  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(?:#[^)]*)?\\)");

  /** A block of code, and the part of an example that a comment before it names. */
  private static final Pattern CODE_BLOCK = Pattern.compile(
      "(?:<!-- (\\S+)#([\\w-]+) -->\n)?```(java|kotlin|clojure)\n(.*?)```", Pattern.DOTALL);

  /** How many blocks of each language there are at least. */
  private static final Map<String, Integer> LEAST_BLOCKS =
      Map.of("java", 30, "kotlin", 10, "clojure", 10);

  /** How the names of files of each language end. */
  private static final Map<String, String> FILES =
      Map.of("java", ".java", "kotlin", ".kt", "clojure", ".clj");

  /** A test class or one of its methods, as a table of tests names it. */
  private static final Pattern TEST = Pattern.compile("`(\\w+Test)(?:[.](\\w+))?`");

  /** How many promises there are. */
  private static final int PROMISES = 23;

  @Test
  void documentsNameNoPathOfAMachine() {
    List<Path> documents = Repository.files(file -> Repository.name(file).endsWith(".md"));
    assertTrue(documents.size() >= 5, () -> "found only " + documents);
    assertEquals(List.of(), find(MACHINE_PATH, documents));
  }

  @Test
  void machinePathsAreRecognised() {
    assertTrue(MACHINE_PATH.matcher("see /root/project").find());
    assertTrue(MACHINE_PATH.matcher("`/home/ann/heddle`").find());
    assertTrue(!MACHINE_PATH.matcher("~/.m2 and docs/work/plan").find());
  }

  @Test
  void noFileNamesARegistryHost() {
    List<Path> written = Repository.files(
        file -> Repository.name(file).matches(".*[.](md|xml|properties|config|sh|yml|yaml)|mvnw")
            || Repository.name(file).equals("heddle"));
    assertEquals(List.of(), find(REGISTRY_HOST, written));
    assertTrue(REGISTRY_HOST.matcher("https://" + "repo" + ".maven.example.org").find());
  }

  @Test
  void linksLeadSomewhere() {
    var broken = new ArrayList<String>();
    for (Path document : Repository.files(file -> Repository.name(file).endsWith(".md"))) {
      Matcher link = LINK.matcher(Repository.read(document));
      while (link.find()) {
        String target = link.group(1);
        if (!target.contains(":") && !Files.exists(document.resolveSibling(target))) {
          broken.add(Repository.relative(document) + " links to " + target);
        }
      }
    }
    assertEquals(List.of(), broken);
  }

  /** The build compiles the examples and runs them. */
  @Test
  void codeOfTheReadmeAndTheGuideIsThatOfExamples() {
    List<Path> pages = Repository.files(file -> Repository.relative(file).equals("README.md")
        || Repository.relative(file).startsWith("docs/guide/"));
    assertTrue(pages.size() > 10, () -> "found only " + pages);
    Map<String, Integer> blocks = new HashMap<>();
    for (Path page : pages) {
      Matcher block = CODE_BLOCK.matcher(Repository.read(page));
      while (block.find()) {
        String example = block.group(1);
        String language = block.group(3);
        String shown = block.group(4);
        if (shown.startsWith("implementation(")) {
          continue; // A build script of Gradle.
        }
        assertTrue(
            example != null && example.endsWith(FILES.get(language)),
            () -> page + ": name the example before: " + shown);
        assertEquals(
            part(example, block.group(2), shown.startsWith("import")), shown, page::toString);
        blocks.merge(language, 1, Integer::sum);
      }
    }
    LEAST_BLOCKS.forEach((language, least) ->
        assertTrue(blocks.getOrDefault(language, 0) >= least, () -> "found only " + blocks));
  }

  /** The named part of an example, as far to the left as it goes; with imports where wanted. */
  private static String part(String example, String name, boolean withImports) {
    String source = Repository.read(
        Repository.files(file -> Repository.relative(file).equals(example)).getFirst());
    Matcher part = Pattern.compile(
            "(?://|;;) doc: " + name + "\n(.*?\n) *(?://|;;) doc: end", Pattern.DOTALL)
        .matcher(source);
    assertTrue(part.find(), () -> example + " marks no part " + name);
    String imports = source
        .lines()
        .filter(line -> line.startsWith("import "))
        .map(line -> line + "\n")
        .collect(Collectors.joining());
    String code = part.group(1).stripTrailing().stripIndent() + "\n";
    return withImports ? imports + "\n" + code : code;
  }

  @Test
  void everyPromiseHasItsTestsAndTheyExist() {
    List<Path> sources = tests();
    checkTestsExist("docs/promises.md", sources);
    String all = sources.stream().map(Repository::read).collect(Collectors.joining());
    String page = Repository.read(page("docs/promises.md"));
    for (int promise = 1; promise <= PROMISES; promise++) {
      String name = "@DisplayName(\"Promise " + promise + ": ";
      assertTrue(all.contains(name), "no test is named for promise " + promise);
      assertTrue(page.contains("\n| " + promise + " | **"), "no row of promise " + promise);
    }
    assertEquals(List.of(), rowsWithoutTest(page, "tests"));
  }

  @Test
  void everyLimitHasItsTestsAndTheyExist() {
    checkTestsExist("docs/limits.md", tests());
    assertEquals(List.of(), rowsWithoutTest(Repository.read(page("docs/limits.md")), "test"));
  }

  @Test
  void rowThatNamesNoTestIsFound() {
    String table =
        """
        | what | test |
        |---|---|
        | with a test | `SomeTest` |
        | without | – |
        | **heading** | |
        | same | same |

        | other | table |
        |---|---|
        | of no tests | x |
        """;
    assertEquals(List.of("| without | – |", "| same | same |"), rowsWithoutTest(table, "test"));
  }

  /**
   * The rows of tables with this last column that name no test there. A row whose text is bold is a
   * heading.
   */
  private static List<String> rowsWithoutTest(String page, String column) {
    List<String> rows = new ArrayList<>();
    boolean counts = false;
    for (String line : page.lines().toList()) {
      if (!line.startsWith("|")) {
        counts = false;
      } else if (line.endsWith("| " + column + " |")) {
        counts = true;
      } else if (counts && !line.startsWith("|---") && !line.contains("** |")) {
        String last = line.substring(line.lastIndexOf('|', line.length() - 2));
        if (!TEST.matcher(last).find()) {
          rows.add(line);
        }
      }
    }
    return rows;
  }

  private static Path page(String document) {
    return Repository.files(file -> Repository.relative(file).equals(document)).getFirst();
  }

  private static List<Path> tests() {
    return Repository.files(file -> Repository.name(file).endsWith("Test.java"));
  }

  private static void checkTestsExist(String document, List<Path> sources) {
    List<String> missing = new ArrayList<>();
    Matcher test = TEST.matcher(Repository.read(page(document)));
    int tests = 0;
    while (test.find()) {
      tests++;
      String method = test.group(2);
      boolean exists = sources.stream()
          .filter(file -> Repository.name(file).equals(test.group(1) + ".java"))
          .map(Repository::read)
          .anyMatch(source -> method == null
              || source.contains(" void " + method + "(")
              || source.contains(" " + method + "() {"));
      if (!exists) {
        missing.add(test.group());
      }
    }
    assertEquals(List.of(), missing);
    assertTrue(tests > 50, document + " names " + tests + " tests");
  }

  private static List<String> find(Pattern pattern, List<Path> files) {
    var found = new ArrayList<String>();
    for (Path file : files) {
      List<String> lines = Repository.read(file).lines().toList();
      for (int i = 0; i < lines.size(); i++) {
        if (pattern.matcher(lines.get(i)).find()) {
          found.add(
              Repository.relative(file) + ":" + (i + 1) + ": " + lines.get(i).strip());
        }
      }
    }
    return found;
  }
}
