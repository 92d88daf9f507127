package heddle.examples;

import feign.Client;
import feign.DefaultClient;
import feign.Feign;
import feign.RequestLine;

/** Calls a Feign interface; {@link FeignAfter} is the same with one line changed. */
final class FeignBefore {

  interface Greetings {
    @RequestLine("GET /hello")
    String hello();
  }

  void main(String[] args) {
    String url = args.length > 0 ? args[0] : "http://127.0.0.1:8080";
    Client client = new DefaultClient(null, null);
    Greetings greetings = Feign.builder().client(client).target(Greetings.class, url);
    IO.println(greetings.hello());
  }
}
