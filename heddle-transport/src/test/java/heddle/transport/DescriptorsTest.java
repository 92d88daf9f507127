package heddle.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class DescriptorsTest {
  private static final String HEADING =
      "Limit                     Soft Limit           Hard Limit           Units     ";

  @Test
  void softLimitOfOpenFilesCounts() {
    List<String> lines = List.of(
        HEADING,
        "Max processes             31119                31119                processes ",
        "Max open files            160                  524288               files     ");
    assertEquals(160, Descriptors.limit(lines));
  }

  @Test
  void unlimitedIsTheLargestNumber() {
    assertEquals(
        Long.MAX_VALUE,
        Descriptors.limit(List.of("Max open files            unlimited  unlimited  files")));
  }

  @Test
  void assumesALimitWhereTheSystemDoesNotTellOne() {
    assertEquals(Descriptors.ASSUMED, Descriptors.limit(List.of(HEADING)));
    assertEquals(Descriptors.ASSUMED, Descriptors.limit(List.of("Max open files   many   files")));
  }

  @Test
  void limitOfThisProcessIsPositive() {
    assertTrue(Descriptors.limit() > 0);
  }
}
