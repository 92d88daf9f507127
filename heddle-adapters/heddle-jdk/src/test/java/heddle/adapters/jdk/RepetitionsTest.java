package heddle.adapters.jdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.testkit.ScriptedPeer;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is sent again, and how often. */
@Timeout(60)
class RepetitionsTest {
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";
  private static final String CLOSING =
      "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi";

  private final AtomicInteger requests = new AtomicInteger();

  /** Closes this number of connections instead of responding, and responds on the others. */
  private ScriptedPeer endingFirst(int count, String said) throws IOException {
    return ScriptedPeer.each(TcpNetwork.shared(), connection -> {
      connection.expectHead();
      connection.send(requests.incrementAndGet() <= count ? said : OK);
    });
  }

  private static HttpRequest.Builder to(ScriptedPeer peer) {
    return HttpRequest.newBuilder(URI.create(peer.url("/"))).version(Version.HTTP_1_1);
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void aGetThatANewConnectionDidNotAnswerIsSentAgain(Stack stack) throws Exception {
    ScriptedPeer.Script script = connection -> {
      connection.expectHead();
      connection.send(requests.incrementAndGet() % 2 == 1 ? "" : CLOSING);
    };
    try (ScriptedPeer peer = ScriptedPeer.each(TcpNetwork.shared(), script);
        HttpClient client = stack.client()) {
      assertEquals("hi", client.send(to(peer).build(), BodyHandlers.ofString()).body());
      assertEquals(
          200, client.send(to(peer).HEAD().build(), BodyHandlers.ofString()).statusCode());
    }
    assertEquals(4, requests.get());
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void aGetIsSentTwiceAtMost(Stack stack) throws Exception {
    try (ScriptedPeer peer = endingFirst(100, "");
        HttpClient client = stack.client()) {
      assertThrows(IOException.class, () -> client.send(to(peer).build(), BodyHandlers.ofString()));
    }
    assertEquals(2, requests.get());
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void allOfManyCallsAreRepeatedThatHaveToBe(Stack stack) throws Exception {
    int calls = 200; // More than a budget that grows with the requests would allow.
    AtomicInteger asked = new AtomicInteger();
    ScriptedPeer.Script script = connection -> {
      connection.expectHead();
      if (asked.getAndIncrement() % 2 == 1) {
        connection.send(CLOSING);
      }
    };
    try (ScriptedPeer peer = ScriptedPeer.each(TcpNetwork.shared(), script);
        HttpClient client = stack.client()) {
      for (int i = 0; i < calls; i++) {
        assertEquals(
            "hi", client.send(to(peer).build(), BodyHandlers.ofString()).body());
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void aPostIsSentOnce(Stack stack) throws Exception {
    try (ScriptedPeer peer = endingFirst(1, "");
        HttpClient client = stack.client()) {
      HttpRequest post = to(peer).POST(BodyPublishers.noBody()).build();
      assertThrows(IOException.class, () -> client.send(post, BodyHandlers.ofString()));
    }
    assertEquals(1, requests.get());
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void aRequestWhoseResponseHasBegunIsNotSentAgain(Stack stack) throws Exception {
    try (ScriptedPeer peer = endingFirst(1, "HTTP/1.1 200 O");
        HttpClient client = stack.client()) {
      assertThrows(IOException.class, () -> client.send(to(peer).build(), BodyHandlers.ofString()));
    }
    assertEquals(1, requests.get());
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void aRefusedExpectationIsTheResponse(Stack stack) throws Exception {
    ScriptedPeer.Script script = connection -> {
      connection.expectHead();
      requests.incrementAndGet();
      connection.send("HTTP/1.1 417 No\r\nContent-Length: 2\r\n\r\nno");
      connection.drain();
    };
    try (ScriptedPeer peer = ScriptedPeer.each(TcpNetwork.shared(), script);
        HttpClient client = stack.client()) {
      HttpRequest post =
          to(peer).expectContinue(true).POST(BodyPublishers.ofString("text")).build();
      assertEquals(417, client.send(post, BodyHandlers.discarding()).statusCode());
    }
    assertEquals(1, requests.get());
  }
}
