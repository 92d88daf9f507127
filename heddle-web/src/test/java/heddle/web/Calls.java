package heddle.web;

import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Origin;
import heddle.http.Request;
import heddle.http.Response;
import heddle.server.spi.ExchangeHandler;
import heddle.web.testkit.TestExchange;

/** Requests as a server receives them, and what handlers answer. */
final class Calls {
  static final Origin ORIGIN = Origin.http("localhost", 8080);

  private Calls() {}

  static Response call(ExchangeHandler handler, Method method, String target) throws Exception {
    return TestExchange.call(handler, Request.builder(ORIGIN, method, target).build());
  }

  static Response get(ExchangeHandler handler, String target, String... fields) throws Exception {
    return TestExchange.call(
        handler,
        Request.builder(ORIGIN, Method.GET, target).headers(Headers.of(fields)).build());
  }

  /** Status and content. */
  static String answer(ExchangeHandler handler, Method method, String target) throws Exception {
    Response response = call(handler, method, target);
    return response.status().code() + " " + response.string();
  }

  static String answer(ExchangeHandler handler, String target) throws Exception {
    return answer(handler, Method.GET, target);
  }
}
