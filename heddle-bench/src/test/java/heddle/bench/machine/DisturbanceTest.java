package heddle.bench.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.bench.result.Figure;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DisturbanceTest {

  @Test
  void clientWhoseCompilersRestIsWarm() {
    assertEquals(List.of(), disturbing(0.08));
    assertEquals(List.of(), refusing(0.08));
  }

  @Test
  void compilersThatAreSeenMakeARunNoisy() {
    assertEquals(List.of("not warm: its compilers took 14% of its CPU time"), disturbing(0.14));
    assertEquals(List.of(), refusing(0.14));
  }

  @Test
  void runOfAClientThatIsStillBeingCompiledDoesNotCount() {
    assertEquals(List.of(), disturbing(0.41));
    assertEquals(List.of("not warm: its compilers took 41% of its CPU time"), refusing(0.41));
  }

  @Test
  void whoTellsNothingOfItsCompilersIsNotBlamed() {
    assertEquals(List.of(), Disturbance.COMPILERS.refusing(Map.of(Figure.CPU, 5.0)));
  }

  private static List<String> disturbing(double share) {
    return Disturbance.COMPILERS.disturbing(Map.of(Figure.COMPILING, share));
  }

  private static List<String> refusing(double share) {
    return Disturbance.COMPILERS.refusing(Map.of(Figure.COMPILING, share));
  }
}
