package heddle.client.interim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.client.settings.RetryPolicy;
import heddle.http.Body;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import org.junit.jupiter.api.Test;

/** 417 is the response of clients whose policy does without the repetition. */
class KeptExpectationTest extends WireTest {
  private static final RetryPolicy KEEPING = new RetryPolicy() {
    @Override
    public Decision decide(Attempt attempt) {
      return Decision.stop();
    }

    @Override
    public boolean repeatsWithoutExpectation() {
      return false;
    }
  };

  @Test
  void refusedExpectationIsTheResponseWhereThePolicySaysSo() throws Exception {
    renew(client -> client.retries(KEEPING));
    serve(server -> {
      server.expectHead();
      assertEquals("100-continue", server.field("expect"));
      server.answer(417, "what?");
      server.expectGivenUp();
    });
    visit(url -> {
      Request request = Request.builder(url + "/")
          .method(Method.PUT)
          .body(Body.of("hello"))
          .expectContinue()
          .build();
      try (Response response = world.client.send(request)) {
        assertEquals("417 what?", response.status().code() + " " + response.string());
      }
    });
  }
}
