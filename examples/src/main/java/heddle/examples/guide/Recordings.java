package heddle.examples.guide;

import heddle.client.HttpClient;
import heddle.har.HarRecorder;
import heddle.har.WireLog;
import heddle.http.Redaction;
import java.io.IOException;
import java.nio.file.Path;

/** The code of docs/guide/wire-log-and-har.md. */
final class Recordings {
  private Recordings() {}

  static HttpClient log() {
    // doc: log
    HttpClient client = WireLog.create().attach(HttpClient.builder()).build();
    // doc: end
    return client;
  }

  static HttpClient contents() {
    // doc: contents
    WireLog log = WireLog.builder()
        .sink((call, line) -> System.out.println(call.id() + " " + line))
        .contentBytes(1000) // of each content that is text
        .redaction(Redaction.DEFAULTS.withFields("X-Api-Key").withParameters("access_token"))
        .build();
    HttpClient client = log.attach(HttpClient.builder()).build();
    // doc: end
    return client;
  }

  static void record(String url, Path file) throws IOException {
    // doc: record
    try (HarRecorder recorder = HarRecorder.to(file);
        HttpClient client = recorder.attach(HttpClient.builder()).build()) {
      client.get(url).string();
    }
    // doc: end
  }
}
