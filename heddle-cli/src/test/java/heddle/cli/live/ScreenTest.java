package heddle.cli.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jline.utils.AttributedString;
import org.jline.utils.ScreenTerminal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is seen on a terminal, and what is left on it. */
@Timeout(60)
class ScreenTest {

  private static final String HIDE = "\u001b[?25l";
  private static final String SHOW = "\u001b[?12l\u001b[?25h";

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final PrintStream err = new PrintStream(written, true, StandardCharsets.UTF_8);
  private int width = 40;

  private Screen screen() throws IOException {
    return new Screen(err, "xterm", new Look(false, true), () -> width);
  }

  private static Painter.Picture picture(String... lines) {
    return (_, _) -> List.of(lines).stream().map(AttributedString::new).toList();
  }

  /** What a terminal of 40 columns shows after all that was written to it. */
  private String seen() {
    ScreenTerminal terminal = new ScreenTerminal(40, 8);
    // The driver of a terminal turns each line feed into a new line.
    terminal.write(written.toString(StandardCharsets.UTF_8).replaceAll("(?<!\r)\n", "\r\n"));
    return terminal.toString().stripTrailing();
  }

  private String text() {
    return written.toString(StandardCharsets.UTF_8);
  }

  @Test
  void eachFrameTakesThePlaceOfTheOneBefore() throws IOException {
    err.println("before");
    try (Screen screen = screen()) {
      screen.draw(picture("one", "two", "three"));
      assertEquals("before\none\ntwo\nthree", lines(seen()));
      screen.draw(picture("1", "two more", "three"));
      assertEquals("before\n1\ntwo more\nthree", lines(seen()));
      screen.draw(picture("1"));
      assertEquals("before\n1", lines(seen()));
    }
  }

  @Test
  void closedScreenIsCleanAndItsCursorIsBack() throws IOException {
    err.println("before");
    try (Screen screen = screen()) {
      screen.draw(picture("one", "two"));
      assertTrue(text().contains(HIDE), this::text);
    }
    assertTrue(text().endsWith(SHOW), this::text);
    err.println("after");
    assertEquals("before\nafter", lines(seen()));
  }

  @Test
  void nothingIsDrawnOnceTheScreenIsClosed() throws IOException {
    Screen screen = screen();
    screen.draw(picture("one"));
    screen.close();
    String left = text();
    screen.draw(picture("two"));
    screen.close();
    assertEquals(left, text());
  }

  @Test
  void frameIsDrawnForTheWidthThatTheTerminalHasNow() throws IOException {
    List<Integer> widths = new ArrayList<>();
    try (Screen screen = screen()) {
      Painter.Picture picture = (_, columns) -> {
        widths.add(columns);
        return List.of(new AttributedString("x".repeat(columns)));
      };
      screen.draw(picture);
      width = 20;
      screen.draw(picture);
    }
    assertEquals(List.of(40, 20), widths);
  }

  @Test
  void dumbTerminalHasNoScreen() {
    assertNull(Screen.open(err, Map.of("TERM", "dumb")));
    assertNull(Screen.open(err, Map.of()));
    try (Screen screen = Screen.open(err, Map.of("TERM", "xterm-256color"))) {
      assertNotNull(screen);
    }
    assertEquals("", text());
  }

  @Test
  void painterDrawsAgainAndAgainAndEndsWithACleanTerminal() throws Exception {
    CountDownLatch drawn = new CountDownLatch(3);
    try (var _ = Painter.start(screen(), (_, _) -> {
      drawn.countDown();
      return List.of(new AttributedString("left " + drawn.getCount()));
    })) {
      assertTrue(drawn.await(30, TimeUnit.SECONDS), "it was drawn too seldom");
    }
    err.println("after");
    assertEquals("after", lines(seen()));
  }

  @Test
  void painterWithoutAScreenDrawsNothing() {
    AtomicBoolean asked = new AtomicBoolean();
    try (var _ = Painter.start(null, (_, _) -> {
      asked.set(true);
      return List.of();
    })) {
      err.println("after");
    }
    assertFalse(asked.get());
    assertEquals("after", lines(seen()));
  }

  private static String lines(String seen) {
    return seen.lines()
        .map(String::stripTrailing)
        .reduce((a, b) -> a + "\n" + b)
        .orElse("");
  }
}
