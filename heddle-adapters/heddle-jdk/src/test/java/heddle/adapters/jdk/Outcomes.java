package heddle.adapters.jdk;

import heddle.testkit.ScriptedPeer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;

/** Results of calls, as text that can be compared. */
final class Outcomes {
  private Outcomes() {}

  /**
   * A server that sends this for any request.
   *
   * @param ends whether it ends its connections then
   */
  static ScriptedPeer.Script saying(String said, boolean ends) {
    return connection -> {
      while (connection.hasMore()) {
        connection.expectHead();
        connection.send(said);
        if (ends) {
          connection.shutdownOutput();
        }
      }
    };
  }

  static HttpRequest.Builder to(ScriptedPeer peer) {
    return HttpRequest.newBuilder(URI.create(peer.url("/")))
        .version(Version.HTTP_1_1)
        .timeout(Duration.ofSeconds(20));
  }

  private static String text(HttpResponse<?> response) {
    return response.statusCode() + " " + response.version() + " "
        + new TreeMap<>(response.headers().map()) + " "
        + response.previousResponse().isPresent() + " ";
  }

  /** The results of a blocking call and an asynchronous one. */
  static <T> List<String> of(
      HttpClient client, HttpRequest request, BodyHandler<T> handler, Reading<T> reading)
      throws Exception {
    List<String> outcomes = new ArrayList<>();
    try {
      HttpResponse<T> response = client.send(request, handler);
      outcomes.add(text(response) + reading.read(response.body()));
    } catch (IOException | RuntimeException | AssertionError e) {
      outcomes.add(e.getClass().getSimpleName());
    }
    try {
      HttpResponse<T> response = client.sendAsync(request, handler).get();
      outcomes.add(text(response) + reading.read(response.body()));
    } catch (ExecutionException e) {
      outcomes.add(e.getCause().getClass().getSimpleName());
    } catch (IOException | RuntimeException | AssertionError e) {
      outcomes.add("later " + e.getClass().getSimpleName());
    }
    return outcomes;
  }

  /** Reads a body. */
  @FunctionalInterface
  interface Reading<T> {
    String read(T body) throws IOException;
  }
}
