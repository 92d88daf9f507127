package heddle.codec.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.codec.Role;
import heddle.http.Headers;
import heddle.http.Method;
import org.junit.jupiter.api.Test;

/** Stream 1 of a connection that was upgraded (RFC 7540 section 3.2). */
class UpgradedTest {
  private final Http2Session session = new Http2Session(Role.CLIENT, Http2Limits.CLIENT);

  @Test
  void theRequestIsStreamOneAndWasSent() {
    Http2Stream stream = session.upgraded(Method.POST, "exchange");
    assertEquals(1, stream.id());
    assertEquals(StreamState.HALF_CLOSED_LOCAL, stream.state());
    assertEquals("exchange", stream.attachment());
    assertEquals(3, open().id());
  }

  private Http2Stream open() {
    return session.request(Method.GET, "http", "a.test", "/", Headers.empty(), true, null);
  }

  @Test
  void onlyTheFirstCanBe() {
    session.upgraded(Method.GET, null);
    assertThrows(IllegalStateException.class, () -> session.upgraded(Method.GET, null));
    Http2Session other = new Http2Session(Role.CLIENT, Http2Limits.CLIENT);
    other.request(Method.GET, "http", "a.test", "/", Headers.empty(), true, null);
    assertThrows(IllegalStateException.class, () -> other.upgraded(Method.GET, null));
  }

  @Test
  void aServerUpgradesNothing() {
    Http2Session server = new Http2Session(Role.SERVER, Http2Limits.SERVER);
    assertThrows(IllegalStateException.class, () -> server.upgraded(Method.GET, null));
  }
}
