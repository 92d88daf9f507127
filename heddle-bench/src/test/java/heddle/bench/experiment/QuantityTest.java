package heddle.bench.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class QuantityTest {

  @Test
  void onlyWhatIsScaledDependsOnTheScale() {
    assertEquals(41_000, Quantity.count("41000", 0.1));
    assertEquals(4_100, Quantity.count("41000 scaled", 0.1));
    assertEquals(Duration.ofMillis(500), Quantity.time("500 ms", 0.1));
    assertEquals(Duration.ofMillis(250), Quantity.time("5 s scaled", 0.05));
  }

  @Test
  void scaledQuantityMayHaveALeast() {
    assertEquals(10, Quantity.count("100 scaled, at least 10", 0.01));
    assertEquals(50, Quantity.count("100 scaled, at least 10", 0.5));
    assertEquals(Duration.ofSeconds(1), Quantity.time("10 s scaled, at least 1 s", 0.01));
  }

  @Test
  void scaledCountIsNeverNoneWhereTheFullOneIsSome() {
    assertEquals(1, Quantity.count("3 scaled", 0.01));
  }

  @Test
  void scaledConnectionsHaveRoomForWhatIsScaledAlike() {
    assertEquals(820, Quantity.count("41000 scaled", 0.02));
    assertEquals(9, Quantity.count("410 scaled", 0.02));
  }

  @Test
  void unitsAreThoseThatAreWritten() {
    assertEquals(Duration.ofMinutes(2), Quantity.time("2 min", 1));
    assertEquals(65_536, Quantity.bytes("64 KiB"));
    assertEquals(1 << 20, Quantity.bytes("1 MiB"));
    assertEquals(1_000.5, Quantity.rate("1000.5/s"));
  }

  @Test
  void whatHasNoUnitOrAWrongOneIsRefusedWithWhatIsAllowed() {
    for (String wrong : List.of("10", "10 sec", "s", "-1 s", "1 s scaled, at least 2")) {
      String message = assertThrows(IllegalArgumentException.class, () -> Quantity.time(wrong, 1))
          .getMessage();
      assertTrue(message.contains("10 s"), message);
    }
    for (String wrong : List.of("64 KB", "64", "1.5 B", "4096 MiB")) {
      assertThrows(IllegalArgumentException.class, () -> Quantity.bytes(wrong), wrong);
    }
    for (String wrong : List.of("1000", "1000 per s", "x/s")) {
      assertThrows(IllegalArgumentException.class, () -> Quantity.rate(wrong), wrong);
    }
    for (String wrong : List.of("many", "", "10 s")) {
      assertThrows(IllegalArgumentException.class, () -> Quantity.count(wrong, 1), wrong);
    }
  }
}
