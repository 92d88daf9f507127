package heddle.examples.guide;

import heddle.client.HttpClient;
import heddle.http.Request;
import heddle.server.spi.ExchangeHandler;
import heddle.sse.EventSender;
import heddle.sse.EventSource;
import heddle.sse.EventStream;
import heddle.sse.ServerSentEvent;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;

/** The code of docs/guide/events.md. */
final class Events {
  private Events() {}

  static void prices(HttpClient client, String url) throws IOException {
    // doc: prices
    try (EventSource source = EventSource.open(client, url)) {
      for (ServerSentEvent event : source) {
        System.out.println(event.type() + ": " + event.data());
      }
    }
    // doc: end
  }

  static EventSource later(HttpClient client, Request request, String stored) {
    // doc: later
    EventSource source = EventSource.builder(client, request)
        .lastEventId(stored) // begin after this one
        .reconnectDelay(Duration.ofSeconds(1)) // 3 s by default, unless the server says
        .giveUpAfter(Duration.ofMinutes(10)) // never by default
        .build();
    // doc: end
    return source;
  }

  static void model(HttpClient client, Request question) throws IOException {
    // doc: model
    try (EventStream events = EventStream.of(client.send(question)).until("[DONE]")) {
      for (ServerSentEvent event : events) {
        System.out.print(event.data());
      }
    }
    // doc: end
  }

  static ExchangeHandler served(BlockingQueue<String> prices) {
    // doc: served
    ExchangeHandler handler = exchange -> {
      try (EventSender events = EventSender.open(exchange).heartbeat(Duration.ofSeconds(15))) {
        for (String price = prices.take(); !price.isEmpty(); price = prices.take()) {
          events.send(price);
        }
      }
      return null;
    };
    // doc: end
    return handler;
  }
}
