package heddle.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ChunkPoolTest {
  private static final int KIB = 1024;

  private final ChunkPool pool = new ChunkPool();

  @Test
  void aChunkThatWasGivenBackIsTakenAgain() {
    byte[] chunk = pool.take(40 * KIB);
    pool.give(chunk);
    assertTrue(chunk == pool.take(50 * KIB));
    assertFalse(chunk == pool.take(50 * KIB), "it has one owner at a time");
  }

  @Test
  void aChunkHasRoomForWhatWasAskedFor() {
    for (int size = 1; size <= 200 * KIB; size += 777) {
      byte[] chunk = pool.take(size);
      assertTrue(chunk.length >= size, () -> chunk.length + " is too small");
      pool.give(chunk);
    }
  }

  @Test
  void aSmallPieceTakesNoLargeChunk() {
    pool.give(new byte[64 * KIB]);
    assertEquals(16 * KIB, pool.take(9 * KIB).length);
    assertEquals(100, pool.take(100).length);
  }

  @Test
  void itHoldsTwoMebibytesAtMost() {
    Set<byte[]> given = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int i = 0; i < 100; i++) {
      byte[] chunk = new byte[(i % 2 == 0 ? 64 : 16) * KIB];
      given.add(chunk);
      pool.give(chunk);
    }
    long held = 0;
    for (int i = 0; i < 100; i++) {
      byte[] chunk = pool.take((i % 2 == 0 ? 64 : 16) * KIB);
      held += given.contains(chunk) ? chunk.length : 0;
    }
    assertTrue(held > 1900 * KIB && held <= 2048 * KIB, "held " + held);
  }

  @Test
  void whatIsNoChunkOfItsIsLeftToTheCollector() {
    byte[] odd = new byte[64 * KIB - 1];
    pool.give(odd);
    assertFalse(odd == pool.take(odd.length));
  }
}
