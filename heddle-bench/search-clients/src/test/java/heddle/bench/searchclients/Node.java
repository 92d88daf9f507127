package heddle.bench.searchclients;

import heddle.client.HttpClient;
import heddle.http.Request;
import heddle.http.Response;
import java.io.IOException;
import java.net.URI;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A node that runs. Used by one thread. */
final class Node {

  private static final Pattern OPENED = Pattern.compile("\"total_opened\":(\\d+)");

  private final URI uri;
  private int questions;

  Node(URI uri) {
    this.uri = uri;
  }

  URI uri() {
    return uri;
  }

  /**
   * How many connections it has accepted so far, except those of this method, each call of which
   * opens one.
   */
  long connectionsEver() throws IOException {
    try (HttpClient client = HttpClient.create();
        Response response = client.send(Request.get(uri + "/_nodes/stats/http"))) {
      String stats = response.string();
      Matcher opened = OPENED.matcher(stats);
      if (!opened.find()) {
        throw new IOException("the node does not count its connections: " + stats);
      }
      return Long.parseLong(opened.group(1)) - ++questions;
    }
  }
}
