package heddle.examples;

import heddle.client.HttpClient;
import heddle.http.Request;
import heddle.http.Response;

/** Shows one request, sent and answered in plain blocking code. */
final class BlockingGet {

  void main(String[] args) throws Exception {
    String url = args.length > 0 ? args[0] : "http://127.0.0.1:8080/hello";
    // doc: readme
    try (HttpClient client = HttpClient.create();
        Response response = client.send(Request.get(url))) {
      IO.println(response.status() + " " + response.string());
    }
    // doc: end
  }
}
