package heddle.client.upgrade;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.ClientWorld;
import heddle.client.HttpClient;
import heddle.codec.http2.frame.ErrorCode;
import heddle.http.HeaderName;
import heddle.http.HttpVersion;
import heddle.http.Request;
import heddle.http.Response;
import heddle.testkit.Http2Peer;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which requests offer the upgrade to HTTP/2, and what they say in it. */
@Timeout(120)
class OfferTest {
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";

  /** RFC 7540 section 3.2.1: identifier and value of each, where the value is not the default. */
  @Test
  void theOfferTellsTheSettingsThatThePrefaceTells() throws Exception {
    try (ClientWorld world = UpgradeTest.upgrading()) {
      world.visit(
          peer -> assertEquals(200, world.get(peer).status().code()), Http2Peer.server(h2 -> {
            String head = h2.connection().expectHead();
            String told = head.replaceAll("(?s).*HTTP2-Settings: ([A-Za-z0-9_-]+)\r\n.*", "$1");
            byte[] payload = Base64.getUrlDecoder().decode(told);
            h2.connection().send(UpgradeTest.SWITCHING);
            h2.connection().expect(UpgradeTest.PREFACE);
            byte[] frame = h2.connection().expectBytes(9 + payload.length);
            assertEquals(payload.length, frame[2]);
            assertArrayEquals(payload, Arrays.copyOfRange(frame, 9, frame.length));
            h2.sendSettings();
            h2.sendSettingsAck();
            h2.sendHeaders(1, true, ":status: 200");
            h2.expectGoAway(ErrorCode.NO_ERROR);
          }));
    }
  }

  @Test
  void aServerThatDoesNotSwitchIsSpokenToInHttp1() throws Exception {
    try (ClientWorld world = UpgradeTest.upgrading()) {
      world.serve(c -> {
        assertTrue(UpgradeTest.offers(c.expectHead()));
        c.send(OK);
        String second = c.expectHead();
        assertFalse(second.contains("Upgrade") || second.contains("Settings"), second);
        c.send(OK);
        c.expectEnd();
      });
      world.visit(peer -> {
        for (int i = 0; i < 2; i++) {
          Response response = world.get(peer);
          assertEquals(HttpVersion.HTTP_1_1, response.version());
          assertEquals("hi", response.string());
        }
      });
    }
  }

  @Test
  void theOfferIsMadeWhereItWasAskedForAndNothingElseWas() throws Exception {
    assertNotOffered(client -> client, request -> request);
    assertNotOffered(client -> client.upgradeToH2c(true).upgradeToH2c(false), request -> request);
    UnaryOperator<HttpClient.Builder> upgrading = client -> client.upgradeToH2c(true);
    assertNotOffered(upgrading, request -> request.version(HttpVersion.HTTP_1_1));
    for (HeaderName own :
        List.of(HeaderName.CONNECTION, HeaderName.UPGRADE, HeaderName.HTTP2_SETTINGS)) {
      assertNotOffered(upgrading, request -> request.header(own, "own"));
    }
  }

  private static void assertNotOffered(
      UnaryOperator<HttpClient.Builder> settings, UnaryOperator<Request.Builder> request)
      throws Exception {
    try (ClientWorld world = new ClientWorld(settings)) {
      world.serve(c -> {
        String head = c.expectHead();
        assertFalse(head.contains("h2c"), head);
        c.send(OK);
        c.drain();
      });
      world.visit(peer -> assertEquals(
          "hi",
          world
              .client
              .send(request.apply(Request.builder(peer.url("/"))).build())
              .string()));
    }
  }
}
