package heddle.examples;

import heddle.bench.driver.Answer;
import heddle.client.HttpClient;
import heddle.http.Request;
import heddle.http.Response;
import heddle.load.Load;
import heddle.load.LoadReport;
import heddle.load.goal.LoadFigures;
import heddle.load.goal.Slo;
import java.time.Duration;
import java.util.List;

/** Shows an open load on a service, with goals for its latency and errors. */
final class GoalsOfALoad {

  void main(String[] args) throws Exception {
    String url = args.length > 0 ? args[0] : "http://127.0.0.1:8080/hello";
    Request request = Request.get(url);
    try (HttpClient client = HttpClient.create()) {
      LoadReport report = Load.of(() -> {
            try (Response response = client.send(request)) {
              return new Answer(response.status().code(), response.bytes().length);
            }
          })
          .rate(200)
          .poisson()
          .warmUp(Duration.ofMillis(300))
          .requests(100)
          .run();
      report.doubts().forEach(doubt -> IO.println("do not believe this: " + doubt));
      for (String goal : List.of("p99<1m", "errors<1%")) {
        IO.println(Slo.parse(goal).check(LoadFigures.of(report)));
      }
    }
  }
}
