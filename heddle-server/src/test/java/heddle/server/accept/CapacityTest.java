package heddle.server.accept;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CapacityTest {
  @ParameterizedTest
  @CsvSource({
    "1024, 65536, false, 64512, 65536, 8192",
    "1024, 65536, true, 21845, 65536, 256",
    "64, 65536, false, 8192, 4096, 2048",
    "64, 65536, true, 1365, 4096, 256",
    "64, 160, false, 120, 4096, 40",
    "64, 1024, false, 768, 4096, 256",
    "16, 9223372036854775807, false, 2048, 1024, 512",
    "1, 10, true, 16, 64, 16"
  })
  void followsFromBudgetAndDescriptors(
      long mebibytes, long descriptors, boolean tls, int connections, int requests, int refusals) {
    assertEquals(
        new Capacity(connections, requests, refusals),
        Capacity.of(mebibytes << 20, descriptors, tls));
  }
}
