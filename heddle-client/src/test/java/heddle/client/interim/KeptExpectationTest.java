package heddle.client.interim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.client.ClientWorld;
import heddle.client.settings.RetryPolicy;
import heddle.http.Body;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** 417 is the response of clients whose policy does without the repetition. */
@Timeout(60)
class KeptExpectationTest {
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

  @ParameterizedTest
  @EnumSource
  void refusedExpectationIsTheResponseWhereThePolicySaysSo(Wire wire) throws Exception {
    try (ClientWorld world = wire.world(client -> client.retries(KEEPING))) {
      wire.visit(
          world,
          url -> {
            Request request = Request.builder(url + "/")
                .method(Method.PUT)
                .body(Body.of("hello"))
                .expectContinue()
                .build();
            try (Response response = world.client.send(request)) {
              assertEquals("417 what?", response.status().code() + " " + response.string());
            }
          },
          server -> {
            server.expectHead();
            assertEquals("100-continue", server.field("expect"));
            server.answer(417, "what?");
            server.expectGivenUp();
          });
    }
  }
}
