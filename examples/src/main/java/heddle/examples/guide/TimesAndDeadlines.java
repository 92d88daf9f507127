package heddle.examples.guide;

import heddle.client.Deadlines;
import heddle.client.HttpClient;
import heddle.client.settings.Timeouts;
import heddle.http.HeaderName;
import heddle.http.Request;
import heddle.http.failure.DeadlineExceededException;
import java.io.IOException;
import java.time.Duration;

/** The code of docs/guide/timeouts-and-deadlines.md. */
final class TimesAndDeadlines {
  private TimesAndDeadlines() {}

  static void deadline(HttpClient client, String url) throws IOException {
    // doc: deadline
    Request request = Request.builder(url).deadline(Duration.ofSeconds(2)).build();
    try {
      System.out.println(client.send(request).string());
    } catch (DeadlineExceededException e) {
      System.out.println(e.getMessage()); // with the phase, and the time in each phase
    }
    // doc: end
  }

  static String within(HttpClient client, String user, String orders) throws IOException {
    // doc: within
    return Deadlines.within(Duration.ofSeconds(1), () -> {
      String who = client.get(user).requireSuccess().string();
      String what = client.get(orders).requireSuccess().string(); // in the rest of the second
      return who + what;
    });
    // doc: end
  }

  static HttpClient timeouts() {
    // doc: timeouts
    HttpClient client = HttpClient.builder()
        .timeouts(Timeouts.builder()
            .call(Duration.ofSeconds(10))
            .connect(Duration.ofSeconds(2))
            .silence(Duration.ofSeconds(5))
            .build())
        .deadlineHeader(HeaderName.of("X-Deadline-Ms"))
        .build();
    // doc: end
    return client;
  }

  static void stream(HttpClient client, String url) throws IOException {
    // doc: stream
    Request events = Request.builder(url).noDeadline().build();
    client.send(events).body().transferTo(System.out);
    // doc: end
  }
}
