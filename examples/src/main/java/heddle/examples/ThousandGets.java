package heddle.examples;

import heddle.client.HttpClient;
import heddle.http.Request;
import heddle.http.Response;
import heddle.server.HttpServer;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Shows a server, a client and a thousand virtual threads that call at once, in one program. */
final class ThousandGets {

  // doc: readme
  void main() throws Exception {
    try (var server =
            HttpServer.builder().handler(request -> Response.ok("Hello!")).start();
        var client = HttpClient.create();
        var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      Request hello = Request.get("http://127.0.0.1:" + server.port() + "/");
      var answers = new ArrayList<Future<String>>();
      for (int i = 0; i < 1_000; i++) {
        answers.add(callers.submit(() -> {
          try (Response response = client.send(hello)) {
            return response.string();
          }
        }));
      }
      int greetings = 0;
      for (Future<String> answer : answers) {
        greetings += answer.get().equals("Hello!") ? 1 : 0;
      }
      IO.println(greetings + " greetings over " + client.pool().open() + " connections");
    }
  }
  // doc: end
}
