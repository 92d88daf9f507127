package heddle.examples;

import heddle.client.HttpClient;
import heddle.http.Body;
import heddle.http.MediaType;
import heddle.http.Request;
import heddle.http.Response;
import java.time.Duration;

/** Shows a request with content, a field and its own deadline, and reads the response. */
final class PostJson {

  void main(String[] args) throws Exception {
    String url = args.length > 0 ? args[0] : "http://127.0.0.1:8080/echo";
    Body order = Body.of("{\"item\":\"shuttle\",\"count\":2}", MediaType.APPLICATION_JSON);
    Request request = Request.post(url, order).toBuilder()
        .header("Accept", "application/json")
        .deadline(Duration.ofSeconds(5))
        .build();
    try (HttpClient client = HttpClient.create();
        Response response = client.send(request)) {
      if (!response.status().isSuccess()) {
        throw new IllegalStateException("the order was not accepted: " + response.status());
      }
      IO.println(response.body().mediaType() + " " + response.string());
    }
  }
}
