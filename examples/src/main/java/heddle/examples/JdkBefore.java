package heddle.examples;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/** Shows a call of the JDK's client; {@link JdkAfter} is the same with one line changed. */
final class JdkBefore {

  void main(String[] args) throws Exception {
    String url = args.length > 0 ? args[0] : "http://127.0.0.1:8080/hello";
    HttpClient.Builder builder = HttpClient.newBuilder();
    try (HttpClient client = builder.build()) {
      HttpRequest request = HttpRequest.newBuilder(URI.create(url)).build();
      HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
      IO.println(response.statusCode() + " " + response.body());
    }
  }
}
