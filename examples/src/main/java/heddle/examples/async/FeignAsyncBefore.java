package heddle.examples.async;

import feign.AsyncClient;
import feign.AsyncFeign;
import feign.DefaultAsyncClient;
import feign.DefaultClient;
import feign.RequestLine;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Calls a Feign interface asynchronously; {@link FeignAsyncAfter} changes one line. */
final class FeignAsyncBefore {
  private static final ExecutorService TASKS = Executors.newVirtualThreadPerTaskExecutor();

  interface Greetings {
    @RequestLine("GET /hello")
    CompletableFuture<String> hello();
  }

  void main(String[] args) {
    String url = args.length > 0 ? args[0] : "http://127.0.0.1:8080";
    AsyncClient<Object> client = new DefaultAsyncClient<>(new DefaultClient(null, null), TASKS);
    Greetings greetings = AsyncFeign.builder().client(client).target(Greetings.class, url);
    IO.println(greetings.hello().join());
  }
}
