package heddle.sse;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testwatch.FuzzTarget;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What a server sends as a stream of events. */
enum SseTarget implements FuzzTarget {
  EVENTS;

  /** Less than an input can have. */
  private static final int MOST_BYTES = 500;

  /** The same events whole, byte by byte, and written anew. */
  @Override
  public void run(byte[] input) throws IOException {
    String whole = read(input, input.length);
    assertEquals(whole, read(input, 1));
    assertEquals(whole, read(input, 7));
    List<ServerSentEvent> events = new ArrayList<>();
    readInto(events, new EventParser(new ByteArrayInputStream(input), "", Integer.MAX_VALUE));
    List<ServerSentEvent> again = new ArrayList<>();
    byte[] written = written(events).getBytes(UTF_8);
    readInto(again, new EventParser(new ByteArrayInputStream(written), "", Integer.MAX_VALUE));
    assertEquals(events, again);
  }

  private static String read(byte[] input, int most) throws IOException {
    EventParser parser = new EventParser(
        new ByteArrayInputStream(input) {
          @Override
          public int read(byte[] target, int offset, int count) {
            return super.read(target, offset, Math.min(count, Math.max(1, most)));
          }
        },
        "",
        MOST_BYTES);
    List<ServerSentEvent> events = new ArrayList<>();
    String end = "end";
    try {
      readInto(events, parser);
    } catch (EventTooLargeException e) {
      end = e.getMessage();
    }
    return events + end + parser.lastEventId() + parser.retry();
  }

  private static void readInto(List<ServerSentEvent> events, EventParser parser)
      throws IOException {
    for (ServerSentEvent each = parser.next(); each != null; each = parser.next()) {
      assertFalse(each.type().isEmpty());
      assertTrue((each.type() + each.id()).chars().noneMatch(c -> c == '\n' || c == '\r'));
      events.add(each);
    }
    Duration retry = parser.retry();
    assertTrue(retry == null || !retry.isNegative());
  }

  private static String written(List<ServerSentEvent> events) {
    StringBuilder text = new StringBuilder();
    for (ServerSentEvent each : events) {
      text.append("event: ").append(each.type()).append("\nid: ").append(each.id());
      for (String line : each.data().split("\n", -1)) {
        text.append("\ndata: ").append(line);
      }
      text.append("\n\n");
    }
    return text.toString();
  }

  @Override
  public List<byte[]> seeds() {
    return List.of(
        "event: add\r\ndata: 1\r\nid: 7\r\rdata: 2\n\n".getBytes(UTF_8),
        "\uFEFFdata\ndata\n\n: comment\nretry: 2500\n\ndata: cut".getBytes(UTF_8),
        "id: a\0b\ndata: \u00e4\n\nretry: 99999999999999999999\n\n".getBytes(UTF_8),
        ("data:" + "x".repeat(MOST_BYTES) + "\n\n").getBytes(UTF_8));
  }
}
