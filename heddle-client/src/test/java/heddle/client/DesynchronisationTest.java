package heddle.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.http.HttpException;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.failure.MalformedMessageException;
import heddle.testkit.ScriptedPeer;
import java.io.IOException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A response is never paired with a request that it does not answer. */
@Timeout(60)
class DesynchronisationTest {
  private static final String OK = "HTTP/1.1 200 OK\r\n";

  @AutoClose
  private final ClientWorld world = new ClientWorld();

  private Response send(ScriptedPeer peer, Method method) throws IOException {
    return world.client.send(Request.builder().method(method).url(peer.url("/")).build());
  }

  /** CVE-2026-42584: interim responses must not shift the methods that responses belong to. */
  @Test
  void interimResponsesKeepHeadAndGetApart() throws Exception {
    world.serve(c -> {
      for (int i = 0; i < 3; i++) {
        c.expectHead();
        c.send("HTTP/1.1 103 E\r\n\r\n" + OK + "Content-Length: 6\r\n\r\n");
        c.expectHead();
        c.send("HTTP/1.1 100 C\r\n\r\nHTTP/1.1 103 E\r\n\r\n" + OK
            + "Content-Length: 6\r\n\r\nHello!");
      }
      c.expectEnd();
    });
    world.visit(peer -> {
      for (int i = 0; i < 3; i++) {
        assertEquals("", send(peer, Method.HEAD).string());
        assertEquals("Hello!", send(peer, Method.GET).string());
      }
    });
  }

  @ParameterizedTest
  @CsvSource({
    "HTTP/1.0 200 OK~Content-Length: 5~Transfer-Encoding: chunked~~0~~",
    "HTTP/1.0 200 OK~Transfer-Encoding: chunked~~0~~",
    "<html>an answer of HTTP/0.9</html>",
    "Hello from HTTP/0.9~~",
    "HTTP/0.9 200 OK~~",
    "~HTTP/1.1 200 OK~Content-Length: 0~~",
    "HTTP/1.1 200 OK^JContent-Length: 0^J^J",
    "HTTP/1.1^I200 OK~Content-Length: 0~~",
    "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~5;a=\"~hello~0~~",
    "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~5;a^Jhello~0~~",
    "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~0x5~hello~0~~",
    "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~5_0~hello~0~~",
    "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~5~helloXX0~~"
  })
  void aResponseThatRecipientsReadDifferentlyFailsAndEndsItsConnection(String response)
      throws Exception {
    world.serve(c -> {
      c.expectHead();
      c.send(response.replace("~", "\r\n").replace("^J", "\n").replace("^I", "\t"));
      c.expectEnd();
    });
    world.visit(peer -> {
      HttpException failure = assertThrows(HttpException.class, () -> {
        try (Response got = send(peer, Method.GET)) {
          got.string();
        }
      });
      assertEquals(MalformedMessageException.class, failure.getClass(), failure.toString());
      assertEquals(0, world.inUse());
    });
  }

  @Test
  void oneByteChunksWithoutEndFailTheCall() throws Exception {
    world.serve(c -> {
      c.expectHead();
      c.send(OK + "Transfer-Encoding: chunked\r\n\r\n" + "1\r\nx\r\n".repeat(30_000));
      c.expectEnd();
    });
    world.visit(peer -> {
      HttpException failure = assertThrows(HttpException.class, () -> {
        try (Response got = send(peer, Method.GET)) {
          got.body().discard();
        }
      });
      assertEquals(MalformedMessageException.class, failure.getClass(), failure.toString());
    });
  }
}
