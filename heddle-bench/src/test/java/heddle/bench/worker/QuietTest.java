package heddle.bench.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class QuietTest {

  private static final long LOOK_NANOS = 200_000_000;

  private long compiled;
  private long now;
  private final Quiet quiet = new Quiet(() -> compiled, () -> now);

  @Test
  void compilersAreAtRestAfterTwoLooksAtWhichTheyTookNextToNothing() {
    assertEquals(false, look(0.8));
    assertEquals(false, look(0.01));
    assertEquals(true, look(0));
    assertEquals(true, look(0.02));
  }

  @Test
  void workBetweenTwoLooksStartsTheWaitAnew() {
    assertEquals(false, look(0));
    assertEquals(false, look(0.3));
    assertEquals(false, look(0));
    assertEquals(true, look(0));
  }

  private boolean look(double shareOfACore) {
    now += LOOK_NANOS;
    compiled += (long) (shareOfACore * LOOK_NANOS);
    return quiet.getAsBoolean();
  }
}
