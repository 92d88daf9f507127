package heddle.bench.result;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.load.record.Failure;
import heddle.load.record.FailureKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordingTest {

  @Test
  void exampleIsCauseAndMessageOfMostFrequentFailure() {
    FailedRequests refused = failed("ConnectException", "refused");
    FailedRequests unavailable = failed("status 503", "");
    assertEquals("ConnectException: refused", example(refused, unavailable));
    assertEquals("status 503", example(unavailable, refused));
  }

  @Test
  void exampleIsEmptyIfNoRequestFailed() {
    assertEquals("", Recording.NONE.exampleOfFailure());
  }

  private static String example(FailedRequests... failures) {
    return Recordings.failed(List.of(failures), List.of()).exampleOfFailure();
  }

  private static FailedRequests failed(String cause, String text) {
    return new FailedRequests(1, new Failure(FailureKind.STATUS, "", cause, text));
  }
}
