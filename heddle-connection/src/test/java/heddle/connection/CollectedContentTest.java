package heddle.connection;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CollectedContentTest {
  private static final int LENGTH = 16 * 1024;

  @Test
  void memoryGrowsWithTheContentThatHasCome() {
    byte[] all = new byte[LENGTH];
    new Random(1).nextBytes(all);
    for (int pieceBytes : new int[] {1, 7, 1000, LENGTH}) {
      var collected = new CollectedContent(LENGTH);
      assertEquals(0, collected.heldBytes(), "an announced length alone costs nothing");
      for (int at = 0; at < LENGTH; at += pieceBytes) {
        int count = Math.min(pieceBytes, LENGTH - at);
        collected.append(ByteBuffer.wrap(all, at, count));
        int most = Math.max(256, 2 * (at + count));
        assertTrue(collected.heldBytes() <= most, collected.heldBytes() + " at " + at);
      }
      assertArrayEquals(all, collected.whole());
    }
  }

  @Test
  void contentThatComesAtOnceIsCopiedOnce() {
    var collected = new CollectedContent(100);
    collected.append(ByteBuffer.wrap(new byte[100]));
    assertEquals(100, collected.heldBytes());
    assertTrue(collected.whole() == collected.begun().array(), "no second copy");
  }
}
