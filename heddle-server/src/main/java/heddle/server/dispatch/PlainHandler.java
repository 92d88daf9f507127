package heddle.server.dispatch;

import heddle.http.Response;
import heddle.server.spi.Exchange;
import heddle.server.spi.ExchangeHandler;
import heddle.server.spi.Handler;

/** Has a handler answer that does not see its exchange, and so never switches protocols. */
public record PlainHandler(Handler handler) implements ExchangeHandler {
  @Override
  public Response handle(Exchange exchange) throws Exception {
    return handler.handle(exchange.request());
  }
}
