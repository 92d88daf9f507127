package heddle.bench.gauge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ResidentSetTest {

  @Test
  void fieldIsFoundByItsName() {
    byte[] text = "Name:\tjava\nVmHWM:\t  999 kB\nVmRSS:\t  1234 kB\nRssAnon:\t 77 kB\n"
        .getBytes(StandardCharsets.US_ASCII);
    assertEquals(1234L * 1024, ResidentSet.bytes(text, text.length, ResidentSet.PRESENT));
    assertEquals(999L * 1024, ResidentSet.bytes(text, text.length, ResidentSet.PEAK));
    assertNull(ResidentSet.bytes(text, 30, ResidentSet.PRESENT));
    assertNull(ResidentSet.bytes(text, 0, ResidentSet.PEAK));
  }

  @Test
  void ownResidentSetIsToldAgainAndAgain() {
    ResidentSet set = new ResidentSet();
    boolean isTold = Files.exists(Path.of("/proc/self/status"));
    for (int i = 0; i < 3; i++) {
      for (Long bytes : new Long[] {set.bytes(), set.peakBytes()}) {
        assertEquals(isTold, bytes != null);
        assertTrue(bytes == null || bytes > 1 << 20, () -> "only " + bytes);
      }
    }
  }
}
