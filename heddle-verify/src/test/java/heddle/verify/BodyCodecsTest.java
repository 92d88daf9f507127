package heddle.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.gson.GsonCodec;
import heddle.http.Body;
import heddle.http.BodyCodec;
import heddle.http.BodyCodecException;
import heddle.http.GenericType;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.StatusException;
import heddle.http.Trailers;
import heddle.jackson2.Jackson2Codec;
import heddle.jackson3.Jackson3Codec;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the codecs of all modules do. */
final class BodyCodecsTest {

  public record User(String name, List<Integer> scores) {}

  private static final User ANN = new User("Ann", List.of(1, 2));

  static List<BodyCodec> codecs() {
    return List.of(new Jackson3Codec(), new Jackson2Codec(), new GsonCodec());
  }

  static List<BodyCodec> jacksons() {
    return codecs().subList(0, 2);
  }

  private static Response ok(BodyCodec codec, String json) {
    Request asked = Request.builder(URI.create("http://a/")).codec(codec).build();
    return Response.received(
        asked, Status.OK, HttpVersion.HTTP_1_1, Headers.empty(), Body.of(json), Trailers.none());
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void typesWithParametersAreRead(BodyCodec codec) throws Exception {
    assertEquals(
        Map.of("a", List.of(ANN)),
        ok(codec, "{\"a\":[{\"name\":\"Ann\",\"scores\":[1,2]}]}")
            .as(new GenericType<Map<String, List<User>>>() {}));
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void fieldsThatAreNotKnownAreIgnored(BodyCodec codec) throws Exception {
    assertEquals(
        ANN, ok(codec, "{\"name\":\"Ann\",\"new\":{},\"scores\":[1,2]}").as(User.class));
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void contentThatIsNoSuchValueIsNamedWithItsResponse(BodyCodec codec) {
    for (String bad : List.of("", "null", "<html>", "{\"name\":", "[]", "{\"scores\":7}")) {
      BodyCodecException failure =
          assertThrows(BodyCodecException.class, () -> ok(codec, bad).as(User.class), bad);
      String message = String.valueOf(failure.getMessage());
      assertTrue(message.startsWith("the text/plain; charset=utf-8 content of 200"), message);
      assertTrue(message.contains(User.class.getName()), message);
    }
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void contentOfAnErrorIsReadFromItsException(BodyCodec codec) throws Exception {
    Response refused = ok(codec, "{\"name\":\"Ann\",\"scores\":[1,2]}").toBuilder()
        .status(Status.CONFLICT)
        .build();
    StatusException failure = assertThrows(StatusException.class, refused::requireSuccess);
    assertEquals(ANN, failure.as(User.class));
    assertEquals(ANN, failure.as(User.class), "read again");
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void failureOfReadingIsNoFailureOfConverting(BodyCodec codec) {
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
    assertSame(lost, assertThrows(IOException.class, () -> codec.decode(broken, User.class)));
  }

  @ParameterizedTest
  @MethodSource("jacksons")
  void valueThatCannotBeWrittenIsNamed(BodyCodec codec) {
    List<Object> endless = new ArrayList<>();
    endless.add(endless);
    BodyCodecException failure =
        assertThrows(BodyCodecException.class, () -> codec.encode(endless));
    assertTrue(failure.problem().startsWith("a java.util.ArrayList cannot be written"));
  }

  @Test
  void severalOnTheClassPathAreNamedInsteadOfOneChosen() {
    String message =
        assertThrows(IllegalStateException.class, BodyCodec::installed).getMessage();
    for (BodyCodec each : codecs()) {
      assertTrue(message.contains(each.getClass().getName()), message);
    }
  }
}
