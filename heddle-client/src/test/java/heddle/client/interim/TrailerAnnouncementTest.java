package heddle.client.interim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Trailers;
import org.junit.jupiter.api.Test;

/** The Trailer field (RFC 9110 §6.6.2) of requests that set it themselves. */
class TrailerAnnouncementTest extends WireTest {
  /** It may name more than is known beforehand. */
  @Test
  void announcementOfTheUsersOwnIsLeftAlone() throws Exception {
    serve(server -> {
      server.expectHead();
      assertEquals("Sum, Signature", server.field("trailer"));
      assertEquals("hello", server.expectContent());
      assertEquals("17", server.trailer("sum"));
      server.answer(200, "fine");
      server.expectEnd();
    });
    visit(url -> {
      Request request = Request.builder(url + "/")
          .method(Method.PUT)
          .body(Body.of("hello"))
          .trailers(Trailers.of(Headers.of("Sum", "17")))
          .header("Trailer", "Sum, Signature")
          .build();
      assertEquals("fine", world.client.send(request).string());
    });
  }
}
