package heddle.sse;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of the HTML standard, section 9.2.6. */
final class EventParserTest {
  private static final int LIMIT = 1000;

  private static EventParser parser(String stream) {
    return new EventParser(new ByteArrayInputStream(stream.getBytes(UTF_8)), "", LIMIT);
  }

  private static List<ServerSentEvent> all(EventParser parser) throws IOException {
    List<ServerSentEvent> events = new ArrayList<>();
    for (ServerSentEvent e = parser.next(); e != null; e = parser.next()) {
      events.add(e);
    }
    return events;
  }

  private static List<ServerSentEvent> events(String stream) throws IOException {
    return all(parser(stream));
  }

  private static ServerSentEvent message(String data) {
    return new ServerSentEvent("message", data, "");
  }

  @Test
  void linesOfDataAreJoinedByLineFeeds() throws Exception {
    assertEquals(List.of(message("YHOO\n+2\n10")), events("data: YHOO\ndata: +2\ndata: 10\n\n"));
  }

  @Test
  void commentsAndUnknownFieldsAreIgnored() throws Exception {
    assertEquals(List.of(message("x")), events(": a comment\n:\nfoo: bar\nDATA: y\ndata: x\n\n"));
  }

  @Test
  void idStaysUntilItIsGivenAgain() throws Exception {
    assertEquals(
        List.of(
            new ServerSentEvent("message", "first event", "1"),
            new ServerSentEvent("message", "second event", ""),
            new ServerSentEvent("message", " third event", "")),
        events("data: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n"));
  }

  @Test
  void emptyLinesOfDataMakeEventsAndNoDataMakesNone() throws Exception {
    assertEquals(List.of(message(""), message("\n")), events("data\n\ndata\ndata\n\ndata:"));
    assertEquals(List.of(), events("event: x\n\nid: 7\n\n\n\n"));
  }

  @Test
  void onlyOneSpaceAfterTheColonIsRemoved() throws Exception {
    assertEquals(List.of(message("test"), message("test")), events("data:test\n\ndata: test\n\n"));
    assertEquals(List.of(message(" test\t")), events("data:  test\t\n\n"));
  }

  @Test
  void typeIsForOneEvent() throws Exception {
    assertEquals(
        List.of(new ServerSentEvent("add", "1", ""), message("2")),
        events("event: add\ndata: 1\n\ndata: 2\n\n"));
  }

  @Test
  void idWithNullIsIgnoredAndAnEmptyEventMovesTheLastId() throws Exception {
    EventParser parser = parser("id: a\u0000b\ndata: x\n\nid: 9\n\n");
    assertEquals(List.of(message("x")), all(parser));
    assertEquals("9", parser.lastEventId());
  }

  @Test
  void idOfAnEventThatBreaksOffDoesNotCount() throws Exception {
    EventParser parser = parser("id: 1\ndata: x\n\nid: 2\ndata: y\n");
    assertEquals(1, all(parser).size());
    assertEquals("1", parser.lastEventId());
  }

  @Test
  void retryIsOfDigitsAlone() throws Exception {
    EventParser parser = parser("retry: 2500\nretry: 1.5\nretry: -1\nretry:\nretry: 1 0\n");
    assertEquals(List.of(), all(parser));
    assertEquals(Duration.ofMillis(2500), parser.retry());
    EventParser without = parser("retry: soon\n\n");
    assertEquals(List.of(), all(without));
    assertNull(without.retry());
    assertEquals(List.of(), all(parser("retry: " + "9".repeat(100) + "\n\n")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r", "\r\n"})
  void eachKindOfLineEndCounts(String end) throws Exception {
    String stream = "data: a\ndata: b\n\ndata: c\n\n".replace("\n", end);
    assertEquals(List.of(message("a\nb"), message("c")), events(stream));
  }

  @Test
  void byteOrderMarkAtTheStartAloneIsRemoved() throws Exception {
    assertEquals(
        List.of(message("x"), message("\uFEFFy")),
        events("\uFEFFdata: x\n\n\uFEFFdata: z\ndata: \uFEFFy\n\n"));
  }

  /** A server may write the line feed much later, or never. */
  @Test
  void eventEndsWithItsCarriageReturn() throws Exception {
    EventParser parser = new EventParser(
        new InputStream() {
          private final byte[] content = "data: x\r\r".getBytes(UTF_8);
          private int at;

          @Override
          public int read() {
            throw new UnsupportedOperationException();
          }

          @Override
          public int read(byte[] target, int offset, int length) {
            if (at == content.length) {
              throw new IllegalStateException("read although the event has ended");
            }
            target[offset] = content[at++];
            return 1;
          }
        },
        "",
        LIMIT);
    assertEquals(message("x"), parser.next());
  }

  // ---- limits

  @Test
  void lineAndDataMayHaveAsManyBytesAsAllowed() throws Exception {
    String most = "x".repeat(LIMIT - 6);
    assertEquals(List.of(message(most)), events("data: " + most + "\n\n"));
    assertThrows(EventTooLargeException.class, () -> events("data: x" + most + "\n\n"));
    assertThrows(EventTooLargeException.class, () -> events(":" + "x".repeat(LIMIT) + "\n"));
    String line = "x".repeat(99);
    String nine = ("data: " + line + "\n").repeat(9);
    assertEquals(1, events(nine + "data: " + "x".repeat(100) + "\n\n").size());
    assertThrows(
        EventTooLargeException.class, () -> events(nine + "data: " + "x".repeat(101) + "\n\n"));
  }

  @Test
  void endlessLinesAndEventsAreRefused() {
    InputStream endless = new InputStream() {
      @Override
      public int read() {
        return 'x';
      }
    };
    assertThrows(EventTooLargeException.class, () -> new EventParser(endless, "", 1 << 20).next());
    assertThrows(EventTooLargeException.class, () -> events("data: x\n".repeat(LIMIT)));
  }

  // ---- any division

  /** Some way to write the rules, without a thought for speed. */
  private static List<ServerSentEvent> simply(String stream) {
    List<ServerSentEvent> events = new ArrayList<>();
    StringBuilder data = new StringBuilder();
    String type = "";
    String id = "";
    String[] lines = stream.replace("\r\n", "\n").replace('\r', '\n').split("\n", -1);
    for (int i = 0; i < lines.length - 1; i++) {
      String line = lines[i];
      int colon = line.indexOf(':');
      String name = colon < 0 ? line : line.substring(0, colon);
      String value = colon < 0 ? "" : line.substring(colon + 1);
      value = value.startsWith(" ") ? value.substring(1) : value;
      if (line.isEmpty()) {
        if (!data.isEmpty()) {
          String all = data.substring(0, data.length() - 1);
          events.add(new ServerSentEvent(type.isEmpty() ? "message" : type, all, id));
        }
        data.setLength(0);
        type = "";
      } else if (name.equals("data")) {
        data.append(value).append('\n');
      } else if (name.equals("event")) {
        type = value;
      } else if (name.equals("id") && value.indexOf('\0') < 0) {
        id = value;
      }
    }
    return events;
  }

  @Test
  void eventsDoNotDependOnHowTheStreamIsDivided() throws Exception {
    Random random = new Random(11);
    String[] parts = {
      "data", "event", "id", "retry", ":", " ", "\n", "\r", "\r\n", "\n\n", "x", "ä", "😈", "\0",
      "7"
    };
    for (int round = 0; round < 3_000; round++) {
      StringBuilder stream = new StringBuilder("data: a\n");
      for (int i = random.nextInt(60); i > 0; i--) {
        stream.append(parts[random.nextInt(parts.length)]);
      }
      InputStream divided = new ByteArrayInputStream(stream.toString().getBytes(UTF_8)) {
        @Override
        public int read(byte[] target, int offset, int length) {
          return super.read(target, offset, Math.min(length, 1 + random.nextInt(7)));
        }
      };
      assertEquals(
          simply(stream.toString()),
          all(new EventParser(divided, "", LIMIT)),
          () -> "of " + stream);
    }
  }
}
