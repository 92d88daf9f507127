package heddle.server.accept;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CapacityTest {
  @ParameterizedTest
  @CsvSource({
    "1024, 65536, false, 64512, 43690, 8192",
    "1024, 65536, true, 21845, 43690, 256",
    "64, 65536, false, 8192, 2730, 2048",
    "64, 65536, true, 1365, 2730, 256",
    "64, 160, false, 120, 2730, 40",
    "64, 1024, false, 768, 2730, 256",
    "16, 9223372036854775807, false, 2048, 682, 512",
    "1, 10, true, 16, 42, 16"
  })
  void followsFromBudgetAndDescriptors(
      long mebibytes, long descriptors, boolean tls, int connections, int requests, int refusals) {
    assertEquals(
        new Capacity(connections, requests, refusals),
        Capacity.of(mebibytes << 20, descriptors, tls));
  }
}
