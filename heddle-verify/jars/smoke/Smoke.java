package smoke;

import heddle.client.HttpClient;
import heddle.http.Request;
import heddle.http.Response;
import heddle.server.HttpServer;

/** One request of our client to our server, from jars alone. */
public final class Smoke {
  private Smoke() {}

  /** Prints what was answered, and which module the client is from. */
  public static void main(String[] args) throws Exception {
    try (HttpServer server =
            HttpServer.builder().handler(request -> Response.ok("Hello!")).start();
        HttpClient client = HttpClient.create();
        Response response =
            client.send(Request.get("http://127.0.0.1:" + server.port() + "/"))) {
      System.out.println(response.status().code() + " " + response.string() + " from "
          + (HttpClient.class.getModule().isNamed() ? "modules" : "the class path"));
    }
  }
}
