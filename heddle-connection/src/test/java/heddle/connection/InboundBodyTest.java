package heddle.connection;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Body;
import heddle.http.Headers;
import heddle.testkit.ManualLoop;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The hand-over of content from the loop to its reader. */
@Timeout(60)
class InboundBodyTest {
  private final RecordingSource source = new RecordingSource();
  private final InboundBody body = new InboundBody(
      source, new ManualLoop(), 100, Body.UNKNOWN, Headers.of("Content-Type", "a/b"));

  private void append(int length) {
    body.append(ByteBuffer.allocate(length));
  }

  @Test
  void readToItsEndItIsConsumedOnce() throws IOException {
    append(3);
    body.end(Headers.of("A", "b"));
    InputStream in = body.stream();
    assertArrayEquals(new byte[3], in.readAllBytes());
    assertEquals(-1, in.read());
    in.close();
    body.close();
    assertEquals(List.of("consumed"), source.calls);
    assertEquals("b", body.trailers().first("A"));
  }

  @Test
  void closedWhenAllHadArrivedItIsConsumed() {
    append(3);
    body.end(Headers.empty());
    body.close();
    body.close();
    assertEquals(List.of("consumed"), source.calls);
  }

  @Test
  void closedWhileMoreIsToComeItIsAbandoned() throws IOException {
    append(3);
    InputStream in = body.stream();
    assertEquals(0, in.read());
    body.close();
    body.end(Headers.empty());
    assertThrows(IOException.class, in::read);
    body.close();
    assertEquals(List.of("abandoned"), source.calls);
  }

  @Test
  void theSourceGoesOnBeforeItHearsThatUnreadContentIsConsumed() {
    append(500);
    assertTrue(body.isPaused());
    body.end(Headers.empty());
    body.close();
    assertFalse(body.isPaused());
    assertEquals(List.of("pause", "resume", "consumed"), source.calls);
  }

  @Test
  void theSourceIsNotLeftPausedByAReaderThatReadsAllMeanwhile() throws Exception {
    InputStream in = body.stream();
    Thread reader = Thread.ofPlatform().unstarted(() -> {
      try {
        in.readNBytes(500);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
    source.duringPause = () -> {
      reader.start();
      while (reader.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
    };
    append(500);
    reader.join();
    assertFalse(body.isPaused());
    assertEquals(List.of("pause", "resume"), source.calls);
  }

  @Test
  void aFailureIsExplainedAndAbandonsTheRest() throws IOException {
    append(1);
    body.fail(new IllegalStateException("broken"));
    InputStream in = body.stream();
    assertEquals(1, in.read(new byte[5]));
    for (int i = 0; i < 2; i++) {
      IOException thrown = assertThrows(IOException.class, () -> in.read(new byte[5]));
      assertEquals("explained broken", thrown.getMessage());
    }
    assertThrows(IllegalStateException.class, body::trailers);
    assertEquals(List.of("abandoned"), source.calls);
  }

  @Test
  void anInterruptAbandonsTheRestAndLeavesTheFlagSet() {
    InputStream in = body.stream();
    Thread.currentThread().interrupt();
    assertThrows(InterruptedIOException.class, in::read);
    assertTrue(Thread.interrupted());
    assertThrows(IOException.class, in::read);
    assertEquals(List.of("awaited", "abandoned"), source.calls);
  }

  @Test
  void aSourceThatCannotAskForContentFailsTheReader() {
    source.refusal = new IOException("gone");
    InputStream in = body.stream();
    assertEquals("gone", assertThrows(IOException.class, in::read).getMessage());
    assertEquals(List.of("awaited", "abandoned"), source.calls);
  }

  @Test
  void itIsOpenedOnce() {
    body.stream();
    assertThrows(IllegalStateException.class, body::stream);
  }

  @Test
  void aMediaTypeThatIsNoneIsUnknown() {
    assertEquals("a/b", String.valueOf(body.mediaType()));
    Headers nonsense = Headers.of("Content-Type", "nonsense");
    assertEquals(
        "null",
        String.valueOf(new InboundBody(source, new ManualLoop(), 1, 0, nonsense).mediaType()));
  }

  /** Remembers its calls. */
  private static final class RecordingSource implements InboundBody.Source {
    final List<String> calls = new ArrayList<>();
    Runnable duringPause = () -> {};

    @Nullable
    IOException refusal;

    @Override
    public void pause() {
      duringPause.run();
      calls.add("pause");
    }

    @Override
    public void resume() {
      calls.add("resume");
    }

    @Override
    public void awaited() throws IOException {
      calls.add("awaited");
      IOException thrown = refusal;
      if (thrown != null) {
        throw thrown;
      }
    }

    @Override
    public void finished(boolean complete) {
      calls.add(complete ? "consumed" : "abandoned");
    }

    @Override
    public IOException explain(Exception failure) {
      return new IOException("explained " + failure.getMessage(), failure);
    }
  }
}
