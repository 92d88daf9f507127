package heddle.codec.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table of sections names tests that exist, and all of them. */
class SectionsTest {
  private static final Path TABLE = Path.of("src/test/java/heddle/codec/http2/SECTIONS.md");
  private static final Pattern NAME = Pattern.compile("`(\\w+Test\\.\\w+)`");

  /** Classes whose tests are all in the table. */
  private static final List<Class<?>> COMPLETE = List.of(
      ConnectionStartTest.class,
      StreamStatesTest.class,
      FramesOfStreamsTest.class,
      ConnectionFramesTest.class,
      FlowControlTest.class,
      MessagesTest.class,
      FieldsTest.class,
      FloodsTest.class);

  private static Set<String> named() throws IOException {
    return NAME.matcher(Files.readString(TABLE))
        .results()
        .map((MatchResult match) -> match.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> testsOf(Class<?> type) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(method -> method.isAnnotationPresent(Test.class))
        .map(method -> type.getSimpleName() + "." + method.getName())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void eachTestOfTheTableExists() throws IOException {
    Set<String> existing = new TreeSet<>(testsOf(SendingTest.class));
    COMPLETE.forEach(type -> existing.addAll(testsOf(type)));
    Set<String> missing = named();
    assertTrue(missing.size() > 100, "the table was not read: " + missing);
    missing.removeAll(existing);
    assertEquals(Set.of(), missing);
  }

  @Test
  void eachTestOfTheScriptsIsInTheTable() throws IOException {
    Set<String> unnamed = new TreeSet<>();
    COMPLETE.forEach(type -> unnamed.addAll(testsOf(type)));
    unnamed.removeAll(named());
    assertEquals(Set.of(), unnamed);
  }
}
