package heddle.examples.async;

import feign.AsyncClient;
import feign.AsyncFeign;
import feign.RequestLine;
import heddle.adapters.feign.HeddleAsyncClient;
import java.util.concurrent.CompletableFuture;

/** Calls a Feign interface over Heddle: {@link FeignAsyncBefore} with one line changed. */
final class FeignAsyncAfter {

  interface Greetings {
    @RequestLine("GET /hello")
    CompletableFuture<String> hello();
  }

  void main(String[] args) {
    String url = args.length > 0 ? args[0] : "http://127.0.0.1:8080";
    AsyncClient<Object> client = HeddleAsyncClient.create();
    Greetings greetings = AsyncFeign.builder().client(client).target(Greetings.class, url);
    IO.println(greetings.hello().join());
  }
}
