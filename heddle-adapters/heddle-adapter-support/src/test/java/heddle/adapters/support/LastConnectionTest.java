package heddle.adapters.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.client.HttpCall;
import heddle.client.HttpClient;
import heddle.client.spi.ConnectionInfo;
import heddle.http.Request;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import java.io.IOException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which connection a series of calls has used last. */
@Timeout(60)
class LastConnectionTest {
  @AutoClose
  private final HttpClient client = HttpClient.create();

  @AutoClose
  private final MockServer server;

  private final LastConnection connection = new LastConnection();

  LastConnectionTest() throws IOException {
    server = MockServer.start();
    server.answer("/", MockResponse.ok("hello"));
  }

  private HttpCall follow(String url) throws IOException {
    HttpCall call = client.newCall(Request.get(url));
    connection.follow(call);
    return call;
  }

  @Test
  void thereIsNoneBeforeACallHasOne() throws Exception {
    assertNull(connection.get());
    HttpCall call = follow(server.url("/"));
    assertNull(connection.get());
    call.execute().close();
    assertEquals(call.connection(), connection.get());
  }

  @Test
  void theConnectionStaysWhileTheNextCallHasNone() throws Exception {
    HttpCall call = follow(server.url("/"));
    call.execute().close();
    ConnectionInfo used = call.connection();
    HttpCall next;
    try (MockServer gone = MockServer.start()) {
      next = follow(gone.url("/"));
    }
    assertThrows(IOException.class, next::execute);
    assertEquals(used, connection.get());
  }

  @Test
  void theConnectionOfAReleasedCallStays() throws Exception {
    HttpCall call = follow(server.url("/"));
    call.execute().close();
    connection.release(call);
    assertEquals(call.connection(), connection.get());
  }
}
