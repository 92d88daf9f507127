package heddle.jackson2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Body;
import heddle.http.BodyCodec;
import heddle.http.Request;
import heddle.http.Response;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;

/** BodyCodecsTest of heddle-verify tests what all codecs do. */
class Jackson2CodecTest {
  public record User(String name, List<Integer> scores) {}

  private static final User ANN = new User("Ann", List.of(1, 2));

  @Test
  void codecOnTheClassPathConvertsBothWays() throws Exception {
    assertInstanceOf(Jackson2Codec.class, BodyCodec.installed());
    Request request = Request.builder(URI.create("http://a/")).body(ANN).build();
    assertEquals("{\"name\":\"Ann\",\"scores\":[1,2]}", request.body().string());
    assertEquals("application/json", request.headers().first("Content-Type"));
    assertTrue(request.body().isReplayable());
    assertEquals(ANN, Response.ok(Body.of(request.body().string() + "\n")).as(User.class));
  }
}
