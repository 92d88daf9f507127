package heddle.codec.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import heddle.http.Method;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whose turn it is, and how much of one. */
class DataSchedulerTest {
  private static final int MUCH = 1 << 24;
  private static final int TURN = 32_768;

  private final Outflow connection = new Outflow(0, MUCH);
  private final DataScheduler scheduler = new DataScheduler(connection);

  private static Http2Stream stream(int id, int window) {
    Http2Stream stream = new Http2Stream(id, Method.GET, StreamState.HALF_CLOSED_REMOTE, null);
    stream.outflow = new Outflow(id, window);
    return stream;
  }

  private int take(Http2Stream stream, int wanted) {
    Outflow own = stream.outflow;
    return own == null ? -1 : scheduler.take(stream, own, wanted);
  }

  private List<Http2Stream> granted() {
    List<Http2Stream> all = new ArrayList<>();
    for (Http2Stream s = scheduler.pollWritable(); s != null; s = scheduler.pollWritable()) {
      all.add(s);
    }
    return all;
  }

  @Test
  void smallRestOfTheRoomIsLeftUntilThereIsMore() {
    Http2Stream first = stream(1, MUCH);
    assertEquals(DataScheduler.ROOM, take(first, MUCH));
    Http2Stream narrow = stream(3, TURN - 100);
    List<Http2Stream> wide = List.of(stream(5, MUCH), stream(7, MUCH), stream(9, MUCH));
    Http2Stream last = stream(11, MUCH);
    assertEquals(0, take(narrow, MUCH));
    wide.forEach(each -> assertEquals(0, take(each, MUCH)));
    assertEquals(0, take(last, MUCH));
    scheduler.outputTaken();
    assertEquals(4, granted().size());
    assertEquals(TURN - 100, take(narrow, MUCH));
    // 100 bytes are free, and would be for as long as the other three do not come.
    scheduler.grant();
    assertEquals(List.of(), granted());
    scheduler.outputTaken();
    assertEquals(List.of(last), granted());
    assertEquals(TURN, take(last, MUCH));
  }

  @Test
  void smallRestOfTheConnectionsWindowIsATurnWhereNothingElseMakesRoom() {
    connection.sent(MUCH - DataScheduler.ROOM - 100);
    assertEquals(DataScheduler.ROOM, take(stream(1, MUCH), MUCH));
    Http2Stream next = stream(3, MUCH);
    assertEquals(0, take(next, MUCH));
    scheduler.outputTaken();
    assertEquals(List.of(next), granted());
    assertEquals(100, take(next, MUCH));
  }

  @Test
  void turnOfAStreamWhoseWindowIsShutGoesToTheNext() throws Exception {
    connection.sent(MUCH - DataScheduler.ROOM - TURN);
    assertEquals(DataScheduler.ROOM, take(stream(1, MUCH), MUCH));
    Http2Stream shut = stream(3, 100);
    Http2Stream next = stream(5, MUCH);
    assertEquals(0, take(shut, MUCH));
    assertEquals(0, take(next, MUCH));
    Outflow own = shut.outflow;
    if (own != null) {
      own.initialWindow(100, 0);
      scheduler.windowMoved(shut, own);
    }
    scheduler.outputTaken();
    assertSame(shut, scheduler.pollWritable());
    assertNull(scheduler.pollWritable());
    assertEquals(0, take(shut, MUCH));
    assertEquals(List.of(next), granted());
    assertEquals(TURN, take(next, MUCH));
  }
}
