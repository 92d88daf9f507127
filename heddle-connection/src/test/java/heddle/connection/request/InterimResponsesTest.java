package heddle.connection.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.connection.OneExchange;
import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.Request;
import heddle.http.Status;
import heddle.testkit.ManualLoop;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InterimResponsesTest {
  @Test
  void listenerHearsOfContinueBeforeContentIsSentHoweverLateItComes() throws Exception {
    List<Status> told = new ArrayList<>();
    Request request = Request.post("http://a.test/", Body.of("content")).toBuilder()
        .expectContinue()
        .onInformational((status, headers) -> told.add(status))
        .build();
    InterimResponses interims =
        new InterimResponses(request, new OneExchange(request), new ManualLoop());
    // It comes after the caller has looked for something to tell, and before it asks who waits.
    assertTrue(interims.awaitContinue(() -> {
      interims.add(Status.CONTINUE, Headers.empty());
      return false;
    }));
    assertEquals(List.of(Status.CONTINUE), told);
  }
}
