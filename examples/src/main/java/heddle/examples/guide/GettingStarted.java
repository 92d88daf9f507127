package heddle.examples.guide;

import heddle.client.HttpClient;
import heddle.http.Body;
import heddle.http.MediaType;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.StatusException;
import java.io.IOException;
import java.time.Duration;

/** The code of docs/guide/getting-started.md. */
final class GettingStarted {
  private GettingStarted() {}

  static void first(String url) throws IOException {
    // doc: first
    try (HttpClient client = HttpClient.create()) {
      String text = client.get(url).requireSuccess().string();
      System.out.println(text);
    }
    // doc: end
  }

  static void everyday(String base) throws IOException {
    // doc: everyday
    try (HttpClient client = HttpClient.builder().baseUrl(base).build()) {
      Response user = client.get("/users/{id}?fields={fields}", "jo/ann", "name,age");
      System.out.println(user.string());

      Body note = Body.of("{\"text\":\"hello\"}", MediaType.APPLICATION_JSON);
      client.post("/users/{id}/notes", note, 7).requireSuccess().close();

      client.delete("/users/{id}", 7).close();
    }
    // doc: end
  }

  static void request(HttpClient client, String url) throws IOException {
    // doc: request
    Request request = Request.builder(url)
        .query("q", "warp & weft")
        .header("Accept", "application/json")
        .build();
    try (Response response = client.send(request)) {
      System.out.println(response.status() + " " + response.headers().first("Content-Type"));
      System.out.println(response.string());
    }
    // doc: end
  }

  static void relative(HttpClient client) throws IOException {
    // doc: relative
    Request notes = client
        .request("/users/{id}/notes", 7)
        .query("since", "2026-01-01")
        .deadline(Duration.ofSeconds(2))
        .build();
    System.out.println(client.send(notes).requireSuccess().string());
    // doc: end
  }

  static void status(HttpClient client, String url) throws IOException {
    // doc: status
    try {
      client.get(url).requireSuccess().close();
    } catch (StatusException e) {
      System.out.println(e.status().code() + ": " + e.excerpt());
    }
    // doc: end
  }
}
