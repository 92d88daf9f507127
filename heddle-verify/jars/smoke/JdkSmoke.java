package smoke;

import heddle.http.Response;
import heddle.server.HttpServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/** One request with the JDK's API to our server: with the agent, our client sends it. */
public final class JdkSmoke {
  private JdkSmoke() {}

  /** Prints what was answered, and whose client it was. */
  public static void main(String[] args) throws Exception {
    try (HttpServer server =
            HttpServer.builder().handler(request -> Response.ok("Hello!")).start();
        HttpClient client = HttpClient.newHttpClient()) {
      var request = HttpRequest.newBuilder(
              URI.create("http://127.0.0.1:" + server.port() + "/"))
          .build();
      var response = client.send(request, BodyHandlers.ofString());
      System.out.println(response.statusCode() + " " + response.body() + " from "
          + (client.getClass().getName().startsWith("heddle.") ? "the agent" : "the JDK"));
    }
  }
}
