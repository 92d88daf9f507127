package heddle.client.interim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.client.ClientWorld;
import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Trailers;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The Trailer field (RFC 9110 §6.6.2) of requests that set it themselves. */
@Timeout(60)
class TrailerAnnouncementTest {
  /** It may name more than is known beforehand. */
  @ParameterizedTest
  @EnumSource
  void announcementOfTheUsersOwnIsLeftAlone(Wire wire) throws Exception {
    try (ClientWorld world = wire.world()) {
      wire.visit(
          world,
          url -> {
            Request request = Request.builder(url + "/")
                .method(Method.PUT)
                .body(Body.of("hello"))
                .trailers(Trailers.of(Headers.of("Sum", "17")))
                .header("Trailer", "Sum, Signature")
                .build();
            try (Response response = world.client.send(request)) {
              assertEquals("fine", response.string());
            }
          },
          server -> {
            server.expectHead();
            assertEquals("Sum, Signature", server.field("trailer"));
            assertEquals("hello", server.expectContent());
            assertEquals("17", server.trailer("sum"));
            server.answer(200, "fine");
            server.expectEnd();
          });
    }
  }
}
