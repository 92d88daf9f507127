package heddle.codec.http2;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.codec.Role;
import heddle.codec.http2.frame.Frame;
import heddle.codec.http2.frame.Settings;
import heddle.http.Headers;
import heddle.http.Limits;
import heddle.http.Method;
import java.nio.ByteBuffer;
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
  void aServersStreamOneIsTheRequestOfHttp1() throws Exception {
    byte[] switching = "HTTP/1.1 101 Switching Protocols\r\n\r\n".getBytes(US_ASCII);
    Http2Limits limits = Http2Limits.SERVER.toBuilder().heads(Limits.DEFAULTS).build();
    Http2Session server = new Http2Session(limits, switching);
    Settings offered =
        Settings.INITIAL.with(Frame.Settings.ofPayload(new byte[] {0, 3, 0, 0, 0, 9}), Role.CLIENT);
    Headers fields = Headers.of("x", "y".repeat(20_000), "connection", "x-y"); // takes two frames
    Http2Event event = server.upgraded(offered, Method.GET, "a.test", "/p", fields, 0);
    Http2Event.RequestHead head = assertInstanceOf(Http2Event.RequestHead.class, event);
    assertEquals(1, head.stream().id());
    assertEquals(StreamState.HALF_CLOSED_REMOTE, head.stream().state());
    assertEquals("a.test", head.authority());
    assertEquals("/p", head.target());
    assertEquals(Headers.of("x", "y".repeat(20_000)), head.headers());
    assertEquals(offered, server.peerSettings());
    server.settle();
    ByteBuffer first = server.takeOutput()[0];
    byte[] ahead = new byte[switching.length];
    first.get(ahead);
    assertArrayEquals(switching, ahead);
    assertEquals(Frame.Settings.TYPE, first.get(first.position() + 3));
    assertThrows(
        IllegalStateException.class,
        () -> server.upgraded(offered, Method.GET, "a.test", "/p", fields, 0));
  }

  @Test
  void eachRoleHasItsOwnUpgrade() {
    Http2Session server = new Http2Session(Role.SERVER, Http2Limits.SERVER);
    assertThrows(IllegalStateException.class, () -> server.upgraded(Method.GET, null));
    assertThrows(
        IllegalStateException.class,
        () -> session.upgraded(Settings.INITIAL, Method.GET, "a", "/", Headers.empty(), 0));
  }
}
