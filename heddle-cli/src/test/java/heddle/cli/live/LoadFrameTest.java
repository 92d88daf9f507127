package heddle.cli.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.cli.live.LoadMoment.Phase;
import heddle.load.ErrorCause;
import heddle.load.Extent;
import heddle.load.LoadShape;
import heddle.load.Pace;
import heddle.load.record.FailureKind;
import heddle.load.record.Latency;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.jline.utils.AttributedString;
import org.junit.jupiter.api.Test;

class LoadFrameTest {

  private static final Look PLAIN = new Look(false, true);
  private static final Look COLORED = new Look(true, true);
  private static final Look ASCII = new Look(false, false);

  private static final LoadTitle TITLE = new LoadTitle(
      "GET http://127.0.0.1:8080/hello",
      "HTTP/1.1",
      new LoadShape(new Pace.Closed(64), new Extent.Lasting(Duration.ofSeconds(30))));

  private static Latency latency(double p50, double p99, double max) {
    return new Latency(p50, p50, p99, p99, p99, max, max, max);
  }

  private static LoadMoment calm() {
    return new LoadMoment(
        Phase.MEASURING,
        0.52,
        Duration.ofMillis(15_600),
        "14 s left",
        1_234_567,
        41_234,
        List.of(10e3, 20e3, 40e3, 41e3),
        Duration.ofSeconds(5),
        latency(1_200, 4_510, 12_140),
        latency(1_190, 4_600, 40_200),
        64,
        Latency.NONE,
        0,
        0,
        List.of(),
        List.of(),
        "");
  }

  private static LoadMoment troubled() {
    LoadMoment calm = calm();
    return new LoadMoment(
        Phase.FINISHING,
        1,
        Duration.ofSeconds(30),
        "",
        calm.answered(),
        12.5,
        calm.rates(),
        calm.window(),
        Latency.NONE,
        calm.whole(),
        1_200,
        latency(100, 52_000, 81_000),
        17,
        12,
        List.of(
            new ErrorCause(FailureKind.REFUSED, "connect", "ConnectException", 10, "refused"),
            new ErrorCause(FailureKind.STATUS, "", "status 503", 2, "")),
        List.of("one request in a hundred was sent 52.0 ms late or later"),
        "the collector does not answer");
  }

  private static String frame(LoadMoment moment, Look look, int width) {
    return LoadFrame.lines(TITLE, moment, look, width).stream()
        .map(AttributedString::toString)
        .collect(Collectors.joining("\n", "", "\n"));
  }

  @Test
  void wideTerminalShowsAll() {
    assertEquals(
        """
        heddle load   GET http://127.0.0.1:8080/hello   HTTP/1.1   64 callers   30 s
        ━━━━━━━━━━━━━━━━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌    52%   16 s   14 s left
        rate          41,234/s   ▃▄██   1,234,567 answered
        last 5 s    p50 1.20 ms   p99 4.51 ms   max 12.1 ms
        in all      p50 1.19 ms   p99 4.60 ms   max 40.2 ms
        in flight   64
        """,
        frame(calm(), PLAIN, 100));
  }

  @Test
  void narrowTerminalLosesWhatMattersLeast() {
    assertEquals(
        """
        GET http://127.0.0.1:8080/hello
        ━━━━━╌╌╌╌╌    52%   14 s left
        rate          41,234/s
        last 5 s    p99 4.51 ms
        in all      p99 4.60 ms
        in flight   64
        """,
        frame(calm(), PLAIN, 32));
    assertEquals(
        """
        GET http://127.0.0.1:8080/hello   64 callers
        ━━━━━━━━╌╌╌╌╌╌╌    52%   16 s   14 s left
        rate          41,234/s   1,234,567 answered
        last 5 s    p50 1.20 ms   p99 4.51 ms
        in all      p50 1.19 ms   p99 4.60 ms
        in flight   64
        """,
        frame(calm(), PLAIN, 45));
  }

  @Test
  void failuresAndAGeneratorThatFallsBehindAreShown() {
    assertEquals(
        """
        heddle load   GET http://127.0.0.1:8080/hello   HTTP/1.1   64 callers   30 s
        ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━   100%   30 s   waiting for the last answers
        rate            12.5/s   ▃▄██   1,234,567 answered
        last 5 s    no answer
        in all      p50 1.19 ms   p99 4.60 ms   max 40.2 ms
        in flight   1,200   sent late p99 52.0 ms   17 dropped
        failed      12   10 refused while connect: ConnectException   2 status: status 503
        WARNING     falls behind: one request in a hundred was sent 52.0 ms late or later
        NOTE        the collector does not answer
        """,
        frame(troubled(), PLAIN, 100));
  }

  @Test
  void noLineIsEverWiderThanTheTerminal() {
    for (int width = 1; width <= 120; width++) {
      for (AttributedString line : LoadFrame.lines(TITLE, troubled(), PLAIN, width)) {
        assertTrue(line.columnLength() <= width, width + ": " + line);
      }
    }
  }

  @Test
  void withoutColourNothingButTextIsWritten() {
    assertFalse(ansi(PLAIN).contains("\u001b"), () -> ansi(PLAIN));
    assertTrue(ansi(COLORED).contains("\u001b"), () -> ansi(COLORED));
    assertEquals(frame(troubled(), PLAIN, 100), frame(troubled(), COLORED, 100));
  }

  private static String ansi(Look look) {
    return LoadFrame.lines(TITLE, troubled(), look, 100).stream()
        .map(AttributedString::toAnsi)
        .collect(Collectors.joining("\n"));
  }

  @Test
  void terminalWithoutUnicodeGetsAscii() {
    String text = frame(troubled(), ASCII, 100) + frame(calm(), ASCII, 20);
    assertTrue(text.chars().allMatch(each -> each < 128), text);
    assertTrue(text.contains(":-##"), text);
  }

  @Test
  void warmUpSaysThatNothingCountsYet() {
    LoadMoment calm = calm();
    LoadMoment warming = new LoadMoment(
        Phase.WARMING_UP,
        0,
        Duration.ZERO,
        "",
        0,
        0,
        List.of(),
        calm.window(),
        Latency.NONE,
        Latency.NONE,
        0,
        Latency.NONE,
        0,
        0,
        List.of(),
        List.of(),
        "");
    assertEquals(
        """
        heddle load   GET http://127.0.0.1:8080/hello   HTTP/1.1   64 callers   30 s
        warming up: nothing counts yet
        """,
        frame(warming, PLAIN, 100));
  }
}
