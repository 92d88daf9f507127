package heddle.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What Maven Central asks for, and that the list of versions names what is published. */
final class PublishedModulesTest {

  private static final Pattern OWN_NAME =
      Pattern.compile("</parent>.*?<artifactId>([^<]*)</artifactId>", Pattern.DOTALL);

  private static final Pattern LISTED = Pattern.compile(
      "<dependency>\\s*<groupId>io.heddle</groupId>\\s*<artifactId>([^<]*)</artifactId>");

  /** Parents, which a user never names. */
  private static final Set<String> PARENTS = Set.of("heddle-parent", "heddle-adapters");

  @Test
  void versionsAreListedOfWhatIsPublishedAndOfNothingElse() {
    var listed = new TreeSet<String>();
    Matcher versions = LISTED.matcher(Repository.read(Repository.at("heddle-bom/pom.xml")));
    while (versions.find()) {
      listed.add(versions.group(1));
    }
    var published = new TreeSet<String>();
    for (Path file : published()) {
      published.add(nameIn(Repository.read(file)));
    }
    published.removeAll(PARENTS);
    assertEquals(published, listed);
  }

  @Test
  void whatIsPublishedHasANameAndADescription() {
    List<Path> published = published();
    assertTrue(published.size() > 20, () -> "found only " + published);
    var lacking = new ArrayList<String>();
    for (Path file : published) {
      String pom = Repository.read(file);
      if (!pom.contains("\n  <name>") || !pom.contains("\n  <description>")) {
        lacking.add(Repository.relative(file));
      }
    }
    assertEquals(List.of(), lacking);
  }

  @Test
  void noModuleWithoutSkipDependsOnOneWithSkip() {
    var skipped = new TreeSet<String>();
    for (Path file : poms()) {
      if (isSkipped(file)) {
        skipped.add(nameIn(Repository.read(file)));
      }
    }
    var missing = new ArrayList<String>();
    Pattern needed = Pattern.compile(
        "<artifactId>(heddle-[^<]*)</artifactId>((?:(?!</dependency>).)*)</dependency>",
        Pattern.DOTALL);
    assertTrue(skipped.contains("heddle-bench"), () -> "skipped: " + skipped);
    for (Path file : published()) {
      Matcher dependency = needed.matcher(Repository.read(file));
      while (dependency.find()) {
        // With a version it is an entry of dependencyManagement.
        if (skipped.contains(dependency.group(1))
            && !dependency.group(2).contains("<scope>test</scope>")
            && !dependency.group(2).contains("<version>")) {
          missing.add(Repository.relative(file) + " needs " + dependency.group(1));
        }
      }
    }
    assertEquals(List.of(), missing);
  }

  /** Who does not write Clojure has nothing of it on the class path. */
  @Test
  void clojureIsNeededByItsOwnModuleAlone() {
    var needing = new TreeSet<String>();
    for (Path file : published()) {
      String pom = Repository.read(file);
      if (pom.contains("<groupId>org.clojure</groupId>")
          || pom.contains("<artifactId>heddle-clojure</artifactId>")) {
        needing.add(nameIn(pom));
      }
    }
    assertEquals(Set.of("heddle-clojure"), needing);
  }

  /** The modules of our parents; the list of versions itself has none. */
  private static List<Path> poms() {
    return Repository.files(file -> Repository.name(file).equals("pom.xml")
        && Repository.read(file).contains("<groupId>io.heddle</groupId>")
        && OWN_NAME.matcher(Repository.read(file)).find());
  }

  private static List<Path> published() {
    return poms().stream().filter(file -> !isSkipped(file)).toList();
  }

  private static boolean isSkipped(Path file) {
    String pom = Repository.read(file);
    return pom.contains("<maven.deploy.skip>true</maven.deploy.skip>")
        || pom.contains("<artifactId>heddle-drivers</artifactId>")
        || pom.contains("<artifactId>heddle-rivals</artifactId>");
  }

  private static String nameIn(String pom) {
    Matcher name = OWN_NAME.matcher(pom);
    assertTrue(name.find(), pom);
    return name.group(1);
  }
}
