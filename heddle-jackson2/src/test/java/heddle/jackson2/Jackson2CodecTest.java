package heddle.jackson2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Body;
import heddle.http.BodyCodec;
import heddle.http.BodyCodecException;
import heddle.http.GenericType;
import heddle.http.Request;
import heddle.http.Response;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class Jackson2CodecTest {
  public record User(String name, List<Integer> scores) {}

  private static final User ANN = new User("Ann", List.of(1, 2));

  private static Response ok(String json) {
    return Response.ok(Body.of(json));
  }

  @Test
  void codecOnTheClassPathConvertsBothWays() throws Exception {
    assertInstanceOf(Jackson2Codec.class, BodyCodec.installed());
    Request request = Request.builder(URI.create("http://a/")).body(ANN).build();
    assertEquals("{\"name\":\"Ann\",\"scores\":[1,2]}", request.body().string());
    assertEquals("application/json", request.headers().first("Content-Type"));
    assertTrue(request.body().isReplayable());
    assertEquals(ANN, ok(request.body().string() + "\n").as(User.class));
  }

  @Test
  void typesWithParametersAreRead() throws Exception {
    assertEquals(
        Map.of("a", List.of(ANN)),
        ok("{\"a\":[{\"name\":\"Ann\",\"scores\":[1,2]}]}")
            .as(new GenericType<Map<String, List<User>>>() {}));
  }

  @Test
  void fieldsThatAreNotKnownAreIgnored() throws Exception {
    assertEquals(ANN, ok("{\"name\":\"Ann\",\"new\":{},\"scores\":[1,2]}").as(User.class));
  }

  @Test
  void contentThatIsNoSuchValueIsNamedWithItsResponse() {
    for (String bad : List.of("", "null", "<html>", "{\"name\":", "[]", "{\"scores\":7}")) {
      BodyCodecException failure =
          assertThrows(BodyCodecException.class, () -> ok(bad).as(User.class), bad);
      String message = String.valueOf(failure.getMessage());
      assertTrue(message.startsWith("the text/plain; charset=utf-8 content of 200"), message);
      assertTrue(message.contains(User.class.getName()), message);
    }
  }

  @Test
  void failureOfReadingIsNoFailureOfConverting() {
    IOException lost = new IOException("lost");
    InputStream broken = new InputStream() {
      @Override
      public int read() throws IOException {
        throw lost;
      }

      @Override
      public int read(byte[] buffer, int from, int length) throws IOException {
        throw lost;
      }
    };
    assertSame(lost, assertThrows(IOException.class, () -> new Jackson2Codec()
        .decode(broken, User.class)));
  }

  @Test
  void valueThatCannotBeWrittenIsNamed() {
    List<Object> endless = new ArrayList<>();
    endless.add(endless);
    BodyCodecException failure =
        assertThrows(BodyCodecException.class, () -> new Jackson2Codec().encode(endless));
    assertTrue(failure.problem().startsWith("a java.util.ArrayList cannot be written"));
  }
}
