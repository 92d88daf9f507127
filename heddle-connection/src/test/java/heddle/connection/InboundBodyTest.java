package heddle.connection;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Body;
import heddle.http.Headers;
import heddle.testkit.SimNetwork;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The hand-over of content from the loop to its reader. */
@Timeout(60)
class InboundBodyTest {
  private static final int MUCH = 300 * 1024;

  private final SimNetwork world = SimNetwork.create();
  private final RecordingSource source = new RecordingSource();
  private final InboundBody body =
      new InboundBody(source, world.loop(), Body.UNKNOWN, Headers.empty());

  @AfterEach
  void endWorld() {
    world.close();
  }

  /** Keeps what it is told, and can do something in the midst of pausing. */
  private static final class RecordingSource implements InboundBody.Source {
    private final List<String> told = new ArrayList<>();
    private boolean reading = true;
    private Runnable duringPause = () -> {};

    @Override
    public void pause() {
      duringPause.run();
      reading = false;
    }

    @Override
    public void resume() {
      reading = true;
    }

    @Override
    public void consumed() {
      told.add("consumed");
    }

    @Override
    public void abandoned() {
      told.add("abandoned");
    }

    @Override
    public IOException explain(Exception failure) {
      return new IOException("explained", failure);
    }
  }

  private void append(int count) {
    body.append(ByteBuffer.allocate(count));
  }

  private static void read(InputStream in, int count) {
    try {
      assertEquals(count, in.readNBytes(count).length);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void sourcePausesAboveTheBoundAndResumesWhenMostIsRead() {
    for (int i = 0; i < 4; i++) {
      append(64 * 1024);
    }
    assertTrue(source.reading);
    append(1);
    assertFalse(source.reading);
    InputStream in = body.stream();
    read(in, 3 * 64 * 1024);
    assertFalse(source.reading);
    read(in, 64 * 1024);
    assertTrue(source.reading);
  }

  @Test
  void sourceIsNotLeftPausedByAReaderThatReadsAllMeanwhile() {
    InputStream in = body.stream();
    source.duringPause = () -> read(in, MUCH);
    append(MUCH);
    assertTrue(source.reading);
  }

  @Test
  void sourceIsResumedForWhatComesNextWhenUnreadContentIsClosed() {
    append(MUCH);
    assertFalse(source.reading);
    body.end(Headers.empty());
    body.close();
    body.close();
    assertTrue(source.reading);
    assertEquals(List.of("consumed"), source.told);
  }

  @Test
  void contentClosedBeforeItsEndIsAbandonedOnce() throws Exception {
    append(10);
    InputStream in = body.stream();
    in.close();
    body.close();
    assertEquals(List.of("abandoned"), source.told);
    assertThrows(IOException.class, in::read);
  }

  @Test
  void contentReadToItsEndIsConsumedOnce() throws Exception {
    body.append(ByteBuffer.wrap(new byte[] {1, 2}));
    body.append(ByteBuffer.wrap(new byte[] {3}));
    body.end(Headers.builder().add("Digest", "x").build());
    assertArrayEquals(new byte[] {1, 2, 3}, body.bytes());
    assertEquals(List.of("consumed"), source.told);
    assertEquals("x", body.trailers().first("Digest"));
    assertThrows(IllegalStateException.class, body::stream);
  }

  @Test
  void failureComesAfterWhatHadArrived() throws Exception {
    IOException broken = new IOException("broken");
    append(2);
    body.fail(broken);
    body.end(Headers.empty());
    InputStream in = body.stream();
    assertEquals(2, in.read(new byte[10]));
    IOException failure = assertThrows(IOException.class, in::read);
    assertEquals("explained", failure.getMessage());
    assertSame(broken, failure.getCause());
    assertEquals(List.of("abandoned"), source.told);
    assertThrows(IllegalStateException.class, body::trailers);
  }
}
