package heddle.examples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.client.HttpClient;
import heddle.http.Body;
import heddle.http.MediaType;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.MockServerExtension;
import heddle.testkit.mock.RecordedRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** More code of docs/guide/testing.md. */
// doc: extension
@ExtendWith(MockServerExtension.class)
final class MockServerGuideTest {
  @Test
  void noteIsSentAsJson(MockServer server) throws Exception {
    server.enqueue(MockResponse.of(201));
    try (HttpClient client = HttpClient.builder().baseUrl(server.url("/v1")).build()) {
      client
          .post("/notes", Body.of("{}", MediaType.APPLICATION_JSON))
          .requireSuccess()
          .close();
    }
    RecordedRequest note = server.takeRequest();
    assertEquals("POST /v1/notes", note.method() + " " + note.target());
    assertEquals("application/json", note.header("Content-Type"));
    assertEquals("{}", note.text());
  }
}
// doc: end
