package heddle.examples.guide;

import heddle.client.HttpClient;
import heddle.http.GenericType;
import heddle.http.StatusException;
import heddle.jackson3.Jackson3Codec;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** The code of docs/guide/json.md. */
final class Json {
  private Json() {}

  // doc: record
  record User(String name, int age) {}
  // doc: end

  static void both(HttpClient client) throws IOException {
    // doc: both
    User ann = client.get("/users/{id}", 7).as(User.class);
    List<User> all = client.get("/users").as(new GenericType<List<User>>() {});
    client.post("/users", new User("Bob", 40)).requireSuccess().close();
    // doc: end
    System.out.println(ann + " of " + all.size());
  }

  static void errors(HttpClient client) throws IOException {
    // doc: errors
    try {
      System.out.println(client.get("/users/{id}", 8).as(User.class));
    } catch (StatusException e) {
      if (e.status().code() != 404) {
        throw e;
      }
      System.out.println("no such user: " + e.excerpt());
    }
    // doc: end
  }

  // doc: problems
  record Problem(String title, String detail) {}

  static HttpClient problems(String base) {
    return HttpClient.builder()
        .baseUrl(base)
        .interceptor((request, chain) -> {
          try {
            return chain.proceed(request).requireSuccess();
          } catch (StatusException e) {
            throw switch (e.status().code()) {
              case 404 -> new FileNotFoundException(request.path());
              case 409 -> new IOException(e.as(Problem.class).detail(), e);
              default -> e;
            };
          }
        })
        .build();
  }
  // doc: end

  static HttpClient mapper(String base) {
    // doc: mapper
    JsonMapper mapper = JsonMapper.builder()
        .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
        .build();
    HttpClient client =
        HttpClient.builder().baseUrl(base).codec(new Jackson3Codec(mapper)).build();
    // doc: end
    return client;
  }
}
