package heddle.client.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PoolDefaultsTest {
  @ParameterizedTest
  @CsvSource({"20, 16, 16", "256, 128, 128", "1024, 512, 256", "2048, 1024, 256", "MAX, 1024, 256"})
  void defaultsLeaveHalfOfTheDescriptorsToTheProgram(String limit, int total, int perRoute) {
    long descriptors = limit.equals("MAX") ? Long.MAX_VALUE : Long.parseLong(limit);
    PoolLimits defaults = PoolLimits.defaults(descriptors);
    assertEquals(total, defaults.maxTotal());
    assertEquals(perRoute, defaults.maxPerRoute());
  }
}
