package heddle.verify.torture;

import heddle.client.HttpClient;
import heddle.http.HttpVersion;
import heddle.http.Request;
import heddle.http.Response;
import heddle.server.HttpServer;
import heddle.testkit.SimNetwork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The clock leaps forward by up to half a day at each millisecond of an exchange in a simulated
 * world, as after a machine was suspended. Calls may fail by that, the next one must not.
 */
record ClockTrial(HttpVersion version) implements Trial {
  private static final int MOMENTS = 60;
  private static final Duration DEADLINE = Duration.ofSeconds(2);

  static List<Trial> all() {
    return List.of(new ClockTrial(HttpVersion.HTTP_1_1), new ClockTrial(HttpVersion.HTTP_2));
  }

  @Override
  public String name() {
    return "clock-jumps-" + (version == HttpVersion.HTTP_2 ? "h2" : "h1");
  }

  @Override
  public String what() {
    return "the clock leaps by seconds to hours at each moment of an exchange (simulated)";
  }

  @Override
  public int seconds() {
    return 2;
  }

  @Override
  public Result run(Stalls stalls) throws Exception {
    List<String> failures = new ArrayList<>();
    for (int moment = 0; moment < MOMENTS && failures.isEmpty(); moment++) {
      for (Duration leap :
          List.of(Duration.ofSeconds(3), Duration.ofMinutes(2), Duration.ofHours(12))) {
        exchange(moment, leap, failures);
      }
    }
    return Result.of(name(), failures, MOMENTS + " moments");
  }

  private void exchange(int moment, Duration leap, List<String> failures) throws Exception {
    try (SimNetwork network = SimNetwork.builder()
            .seed(moment)
            .virtualTime()
            .latency(Duration.ofMillis(3), Duration.ofMillis(3))
            .build();
        HttpServer server = HttpServer.builder()
            .network(network.lasting())
            .executor(network.executor())
            .closeTimeout(Duration.ZERO)
            .handler(request -> {
              network.sleep(Duration.ofMillis(10));
              return Response.ok("ok");
            })
            .start();
        HttpClient client = HttpClient.builder().network(network.lasting()).build()) {
      String url = "http://127.0.0.1:" + server.port() + "/";
      network.run(() -> {
        network
            .threadFactory()
            .newThread(() -> {
              sleep(network, Duration.ofMillis(moment));
              network.leap(leap);
            })
            .start();
        String when = leap + " after " + moment + " ms: ";
        for (int i = 0; i < 3; i++) {
          call(network, client, url, leap, when, failures);
        }
        network.sleep(Duration.ofMillis(MOMENTS));
        String failure = call(network, client, url, Duration.ZERO, when, failures);
        if (!failure.isEmpty()) {
          failures.add(when + "the next call failed with " + failure);
        }
      });
      int left =
          client.pool().routes().stream().mapToInt(route -> route.inFlight()).sum();
      if (left > 0 || server.active() > 0) {
        failures.add(leap + " after " + moment + " ms: something is left of the calls");
      }
    }
  }

  private static void sleep(SimNetwork network, Duration time) {
    try {
      network.sleep(time);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String call(
      SimNetwork network,
      HttpClient client,
      String url,
      Duration leap,
      String when,
      List<String> failures) {
    long start = network.clock().nanoTime();
    String failure = "";
    try (Response response = client.send(
        Request.get(url).toBuilder().version(version).deadline(DEADLINE).build())) {
      response.bytes();
    } catch (IOException e) {
      failure = e.toString();
    }
    long took = network.clock().nanoTime() - start;
    if (took > DEADLINE.plusMillis(250).plus(leap).toNanos()) {
      failures.add(when + "a call took " + Duration.ofNanos(took));
    }
    return failure;
  }
}
