package heddle.load.cluster.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class CoresTest {

  @Test
  void coresAreReadInTheKernelsForm() {
    assertEquals(List.of(0, 1, 2, 5), Cores.parse("0-2,5"));
    assertEquals(List.of(7), Cores.parse("7"));
  }

  @Test
  void serverAndClientsGetHalfTheCoresEach() {
    assertEquals(new Cores(List.of(0), List.of(1)), Cores.split(List.of(0, 1)));
    assertEquals(new Cores(List.of(0, 1), List.of(2, 3, 4)), Cores.split(List.of(0, 1, 2, 3, 4)));
    assertEquals(new Cores(List.of(), List.of()), Cores.split(List.of(3)));
    assertEquals(List.of("java"), Cores.pin(List.of(), List.of("java")));
    assertEquals(
        List.of("taskset", "-c", "2,3", "java"), Cores.pin(List.of(2, 3), List.of("java")));
  }
}
