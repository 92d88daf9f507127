package heddle.examples;

import heddle.client.HttpClient;
import heddle.http.Request;
import heddle.http.Response;
import java.nio.file.Path;

/**
 * Shows the download of a body of any size into a file, with only a piece of it in memory at a
 * time.
 */
final class DownloadToFile {

  void main(String[] args) throws Exception {
    String url = args.length > 0 ? args[0] : "http://127.0.0.1:8080/bytes/10000000";
    Path file = Path.of(args.length > 1 ? args[1] : "download.bin");
    try (HttpClient client = HttpClient.create();
        Response response = client.send(Request.get(url))) {
      IO.println(response.body().transferTo(file) + " bytes are in " + file.getFileName());
    }
  }
}
