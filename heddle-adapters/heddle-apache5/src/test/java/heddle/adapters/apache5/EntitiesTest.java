package heddle.adapters.apache5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.core5.http.HttpVersion;
import org.apache.hc.core5.http.io.entity.EntityTemplate;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Entities that write something else than they have announced. */
@Timeout(60)
class EntitiesTest {
  private static EntityTemplate announcing(long length, int written) {
    return new EntityTemplate(length, null, null, sink -> {
      sink.write(new byte[written - 1]);
      sink.write('x');
    });
  }

  private static HttpPost post(MockServer server, EntityTemplate entity) {
    HttpPost post = new HttpPost(server.url("/"));
    post.setEntity(entity);
    return post;
  }

  @ParameterizedTest
  @EnumSource
  void whatGoesBeyondIsLeftOut(Stack stack) throws Exception {
    try (MockServer server = MockServer.start();
        Stack.Running running = stack.start()) {
      server.answer("/", MockResponse.ok("ok"));
      for (int length : new int[] {5, 300_000}) {
        int status = running
            .client()
            .execute(post(server, announcing(length, length + 7)), response -> response.getCode());
        assertEquals(200, status);
        assertEquals(length, server.takeRequest().body().length);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 300_000})
  void lessIsAFailure(int length) throws Exception {
    try (MockServer server = MockServer.start();
        Stack.Running running = Stack.HEDDLE.start(b -> b.disableAutomaticRetries())) {
      server.answer("/", MockResponse.ok("ok"));
      HttpPost post = post(server, announcing(length, 3));
      IOException failed = assertThrows(
          IOException.class, () -> running.client().execute(post, response -> response.getCode()));
      String said = String.valueOf(failed.getMessage());
      assertEquals(true, said.contains("3") && said.contains(String.valueOf(length)), said);
      assertEquals(0, running.pool().getTotalStats().getLeased());
    }
  }

  @ParameterizedTest
  @EnumSource
  void anOldServerEndsItsContentByClosing(Stack stack) throws Exception {
    try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Stack.Running running = stack.start()) {
      Thread.ofVirtual().start(() -> answerAsOfOld(listening));
      HttpGet get = new HttpGet("http://localhost:" + listening.getLocalPort() + "/");
      running.client().execute(get, response -> {
        assertEquals(HttpVersion.HTTP_1_0, response.getVersion());
        assertEquals("old", EntityUtils.toString(response.getEntity()));
        return null;
      });
    }
  }

  private static void answerAsOfOld(ServerSocket listening) {
    try (Socket client = listening.accept()) {
      BufferedReader head = new BufferedReader(
          new InputStreamReader(client.getInputStream(), StandardCharsets.ISO_8859_1));
      while (!head.readLine().isEmpty()) {
        // What is asked for does not matter.
      }
      client
          .getOutputStream()
          .write("HTTP/1.0 200 OK\r\n\r\nold".getBytes(StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What failed then is the connection, and that is what retry strategies want to know. */
  @Test
  void thatNobodyReadsAnEntityIsNotItsFailure() throws Exception {
    RequestContent content = new RequestContent(announcing(-1, 1_000_000));
    InputStream read = content.stream();
    assertEquals(0, read.read());
    read.close();
    assertThrows(IOException.class, read::readAllBytes);
    assertNull(content.failure());
  }
}
