package heddle.examples;

import heddle.adapters.jdk.HeddleHttpClient;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/** Shows a call of the JDK's client over Heddle: {@link JdkBefore} with one line changed. */
final class JdkAfter {

  void main(String[] args) throws Exception {
    String url = args.length > 0 ? args[0] : "http://127.0.0.1:8080/hello";
    HttpClient.Builder builder = HeddleHttpClient.newBuilder();
    try (HttpClient client = builder.build()) {
      HttpRequest request = HttpRequest.newBuilder(URI.create(url)).build();
      HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
      IO.println(response.statusCode() + " " + response.body());
    }
  }
}
