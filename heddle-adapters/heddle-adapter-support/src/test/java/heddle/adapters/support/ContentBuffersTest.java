package heddle.adapters.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ContentBuffersTest {
  private static final int KIB = 1024;

  private final ContentBuffers buffers = new ContentBuffers();

  @Test
  void anArrayThatWasGivenBackIsTakenAgain() {
    byte[] first = buffers.take(64 * KIB);
    byte[] second = buffers.take(20 * KIB);
    assertNotSame(first, second);
    buffers.giveBack(first);
    assertSame(first, buffers.take(9 * KIB));
    assertNotSame(first, buffers.take(9 * KIB));
  }

  @Test
  void anArrayIsLargeEnough() {
    for (int length : new int[] {0, 1, 8 * KIB, 8 * KIB + 1, 64 * KIB, 64 * KIB + 1, 256 * KIB}) {
      byte[] array = buffers.take(length);
      assertTrue(array.length >= length, length + " bytes");
      buffers.giveBack(array);
    }
    assertEquals(256 * KIB + 1, buffers.take(256 * KIB + 1).length);
  }

  @Test
  void fewBytesAndManyGetAnArrayOfTheirOwn() {
    for (int length : new int[] {0, 100, 8 * KIB, 256 * KIB + 1}) {
      assertFalse(ContentBuffers.areKeptFor(length));
      byte[] array = buffers.take(length);
      assertEquals(length, array.length);
      buffers.giveBack(array);
      assertNotSame(array, buffers.take(length));
    }
  }

  @Test
  void theArrayGivenBackLastIsTakenFirst() {
    byte[] first = buffers.take(64 * KIB);
    byte[] second = buffers.take(64 * KIB);
    buffers.giveBack(first);
    buffers.giveBack(second);
    assertSame(second, buffers.take(64 * KIB));
    assertSame(first, buffers.take(64 * KIB));
  }

  @Test
  void atMostThreeMebibytesAreKept() {
    Set<byte[]> known = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int length : new int[] {64 * KIB, 256 * KIB}) {
      for (int i = 0; i < 100; i++) {
        known.add(buffers.take(length));
      }
    }
    known.forEach(buffers::giveBack);
    int kept = 0;
    for (int length : new int[] {64 * KIB, 256 * KIB}) {
      for (int i = 0; i < 100; i++) {
        byte[] taken = buffers.take(length);
        kept += known.contains(taken) ? taken.length : 0;
      }
    }
    assertTrue(kept > 256 * KIB && kept <= 3 * KIB * KIB, kept + " bytes were kept");
  }

  @Test
  void noMoreAreKeptThanAFew() {
    List<byte[]> taken = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      taken.add(buffers.take(64 * KIB));
    }
    taken.forEach(buffers::giveBack);
    Set<byte[]> known = Collections.newSetFromMap(new IdentityHashMap<>());
    known.addAll(taken);
    int again = 0;
    for (int i = 0; i < 100; i++) {
      again += known.contains(buffers.take(64 * KIB)) ? 1 : 0;
    }
    assertTrue(again >= 2 && again <= 16, again + " were kept");
  }
}
