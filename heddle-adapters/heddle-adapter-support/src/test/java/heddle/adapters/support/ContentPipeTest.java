package heddle.adapters.support;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Content between the thread that writes it and the one that sends it. */
@Timeout(60)
final class ContentPipeTest {
  private final ContentPipe pipe = new ContentPipe();

  @Test
  void contentLargerThanThePipeIsUnchanged() throws Exception {
    byte[] content = new byte[1_000_003];
    new Random(7).nextBytes(content);
    Thread writer = Thread.ofVirtual().start(() -> {
      try {
        for (int at = 0; at < content.length; at += 70_001) {
          pipe.write(content, at, Math.min(70_001, content.length - at));
        }
        pipe.end();
      } catch (IOException e) {
        pipe.fail(e);
      }
    });
    assertEquals(content[0] & 0xFF, pipe.input().read());
    byte[] rest = pipe.input().readAllBytes();
    writer.join();
    assertEquals(content.length - 1, rest.length);
    byte[] whole = new byte[content.length];
    whole[0] = content[0];
    System.arraycopy(rest, 0, whole, 1, rest.length);
    assertArrayEquals(content, whole);
    assertEquals(-1, pipe.input().read());
  }

  @Test
  void writeFailsAfterTheReaderHasClosed() throws Exception {
    pipe.write(new byte[10], 0, 10);
    pipe.input().close();
    assertFalse(pipe.hasRefused());
    assertThrows(IOException.class, () -> pipe.write(new byte[1], 0, 1));
    assertTrue(pipe.hasRefused());
  }

  @Test
  void readerFailsWithWhatTheWriterThrewThoughMoreIsThere() throws Exception {
    pipe.write(new byte[10], 0, 10);
    IllegalStateException broken = new IllegalStateException("the loom is broken");
    pipe.fail(broken);
    IOException failure = assertThrows(IOException.class, () -> pipe.input().read());
    assertSame(broken, failure.getCause());
  }
}
