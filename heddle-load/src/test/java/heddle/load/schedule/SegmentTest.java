package heddle.load.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SegmentTest {

  @Test
  void sharesAddUpAndAgreeWithTheNumbersThatASegmentHas() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 500; round++) {
      int count = 1 + random.nextInt(12);
      long whole = random.nextInt(100);
      String which = whole + " in " + count + ", seed " + seed;
      long sum = 0;
      Set<Long> numbers = new HashSet<>();
      for (int index = 1; index <= count; index++) {
        var segment = new Segment(index, count);
        sum += segment.share(whole);
        for (long local = 0; local < segment.share(whole); local++) {
          long number = segment.numberOf(local);
          assertTrue(segment.has(number) && number < whole, which);
          assertTrue(numbers.add(number), which);
        }
      }
      assertEquals(whole, sum, which);
      assertEquals(whole, numbers.size(), which);
    }
  }

  @Test
  void partsOfASegmentAreTogetherWhatItHas() {
    for (Segment machine : List.of(new Segment(1, 1), new Segment(2, 3), new Segment(3, 3))) {
      List<Segment> parts = new ArrayList<>();
      for (int process = 1; process <= 4; process++) {
        parts.add(machine.part(process, 4));
      }
      for (long number = 0; number < 100; number++) {
        long k = number;
        assertEquals(
            machine.has(k) ? 1 : 0,
            parts.stream().filter(part -> part.has(k)).count(),
            machine + " " + k + " " + parts);
      }
    }
    assertThrows(IllegalArgumentException.class, () -> new Segment(1, 999_999).part(1, 999_999));
  }

  @Test
  void segmentIsWrittenAsItIsRead() {
    assertEquals(new Segment(2, 4), Segment.parse("2/4"));
    assertEquals("2/4", Segment.parse("2/4").toString());
    for (String wrong : List.of("0/4", "5/4", "1/0", "1", "a/b", "-1/4", "1/4/2", "")) {
      String message = assertThrows(IllegalArgumentException.class, () -> Segment.parse(wrong))
          .getMessage();
      assertTrue(message.contains("2/4"), message);
    }
  }
}
