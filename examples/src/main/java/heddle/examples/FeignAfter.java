package heddle.examples;

import feign.Client;
import feign.Feign;
import feign.RequestLine;
import heddle.adapters.feign.HeddleClient;

/** Calls a Feign interface over Heddle: {@link FeignBefore} with one line changed. */
final class FeignAfter {

  interface Greetings {
    @RequestLine("GET /hello")
    String hello();
  }

  void main(String[] args) {
    String url = args.length > 0 ? args[0] : "http://127.0.0.1:8080";
    Client client = HeddleClient.create();
    Greetings greetings = Feign.builder().client(client).target(Greetings.class, url);
    IO.println(greetings.hello());
  }
}
