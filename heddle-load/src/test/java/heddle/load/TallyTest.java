package heddle.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.load.record.Failure;
import heddle.load.record.FailureKind;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class TallyTest {

  @Test
  void clientThatNamesEachFailureAnewDoesNotFillTheMemory() {
    Tally tally = new Tally(
        -1,
        failure ->
            new Failure(FailureKind.OTHER, "", String.valueOf(failure.getMessage()), "first"),
        false);
    for (int i = 0; i < 5_000; i++) {
      tally.failed(new IOException("failure " + i));
    }
    List<ErrorCause> errors = tally.errors();
    assertTrue(errors.size() <= 201, () -> errors.size() + " kinds of failures");
    assertEquals(5_000, errors.stream().mapToLong(ErrorCause::count).sum());
    assertEquals("others", errors.getFirst().cause());
  }
}
