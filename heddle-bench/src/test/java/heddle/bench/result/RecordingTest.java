package heddle.bench.result;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.load.record.Distribution;
import heddle.load.record.Failure;
import heddle.load.record.FailureKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordingTest {

  @Test
  void exampleIsCauseAndMessageOfMostFrequentFailure() {
    FailedRequests refused = failed("ConnectException", "refused");
    FailedRequests unavailable = failed("status 503", "");
    assertEquals("ConnectException: refused", recording(refused, unavailable).exampleOfFailure());
    assertEquals("status 503", recording(unavailable, refused).exampleOfFailure());
  }

  @Test
  void exampleIsEmptyIfNoRequestFailed() {
    assertEquals("", Recording.NONE.exampleOfFailure());
  }

  private static FailedRequests failed(String cause, String text) {
    return new FailedRequests(1, new Failure(FailureKind.STATUS, "", cause, text));
  }

  private static Recording recording(FailedRequests... failures) {
    return new Recording(
        Distribution.EMPTY,
        Distribution.EMPTY,
        Distribution.EMPTY,
        Series.NONE,
        null,
        List.of(failures),
        List.of());
  }
}
