package heddle.web.conditional;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9110 section 8.8.3. */
class EntityTagTest {
  private static final Instant TIME = Instant.parse("2026-01-02T03:04:05.678901234Z");

  @ParameterizedTest
  @ValueSource(strings = {"\"\"", "\"xyzzy\"", "W/\"xyzzy\"", "\"a,b!#\\~\"", "\"\u00e4\""})
  void validTagsAreReadAsTheyAreWritten(String text) {
    assertEquals(text, String.valueOf(EntityTag.parse(text)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "\"",
        "\"x",
        "x\"",
        "w/\"x\"",
        "W/ \"x\"",
        "\"a b\"",
        "\"a\"b\"",
        "*",
        "\"a\", \"b\"",
        "\"a\",",
        "\"\u007f\"",
        "W/"
      })
  void otherTextsAreNoTag(String text) {
    assertNull(EntityTag.parse(text));
  }

  @Test
  void listsMayHaveEmptyElements() {
    assertEquals(
        List.of(EntityTag.strong("a,b"), EntityTag.weak("c")),
        EntityTag.parseList(", \"a,b\" ,,\tW/\"c\" ,"));
    assertNull(EntityTag.parseList(", ,"));
    assertNull(EntityTag.parseList("\"a\" \"b\""));
    assertNull(EntityTag.parseList("\"a\", *"));
  }

  /** The table of section 8.8.3.2. */
  @ParameterizedTest
  @CsvSource({
    "W/\"1\", W/\"1\", false, true",
    "W/\"1\", W/\"2\", false, false",
    "W/\"1\", \"1\",   false, true",
    "\"1\",   \"1\",   true,  true"
  })
  void comparisonsAreThoseOfTheRfc(String left, String right, boolean strong, boolean weak) {
    EntityTag a = EntityTag.parseList(left).get(0);
    EntityTag b = EntityTag.parseList(right).get(0);
    assertEquals(strong, a.matchesStrongly(b));
    assertEquals(strong, b.matchesStrongly(a));
    assertEquals(weak, a.matchesWeakly(b));
    assertEquals(weak, b.matchesWeakly(a));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "a\"", "\n", "\u0100"})
  void illegalCharsAreRefused(String opaque) {
    assertThrows(IllegalArgumentException.class, () -> EntityTag.strong(opaque));
  }

  @Test
  void tagsOfFilesChangeWithSizeAndTime() {
    Instant later = TIME.plusSeconds(60);
    EntityTag tag = EntityTag.ofFile(10, TIME, later);
    assertFalse(tag.isWeak());
    assertEquals(tag, EntityTag.ofFile(10, TIME, later.plusSeconds(1)));
    assertNotEquals(tag, EntityTag.ofFile(11, TIME, later));
    assertNotEquals(tag, EntityTag.ofFile(10, TIME.plusNanos(1), later));
    assertNotEquals(tag, tag.ofVariant("gzip"));
  }

  @Test
  void tagsOfFilesAreWeakJustAfterAChange() {
    EntityTag strong = EntityTag.ofFile(10, TIME, TIME.plusSeconds(2));
    EntityTag weak = EntityTag.ofFile(10, TIME, TIME.plusMillis(1999));
    assertFalse(strong.isWeak());
    assertTrue(weak.isWeak());
    assertTrue(weak.matchesWeakly(strong));
  }
}
