package heddle.codec.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.Role;
import heddle.codec.http2.frame.Settings;
import org.junit.jupiter.api.Test;

class Http2LimitsTest {

  @Test
  void clientRefusesPushes() {
    Settings settings = Http2Limits.CLIENT.settings(Role.CLIENT);
    assertFalse(settings.enablePush());
    assertEquals(Settings.UNLIMITED, settings.maxConcurrentStreams());
    assertEquals(256 * 1024, settings.initialWindowSize());
    assertEquals(64 * 1024, settings.maxHeaderListSize());
  }

  @Test
  void serverBoundsStreamsAndSaysNothingOfPushes() {
    Settings settings = Http2Limits.SERVER.settings(Role.SERVER);
    assertEquals(128, settings.maxConcurrentStreams());
    assertTrue(settings.noRfc7540Priorities());
    assertTrue(settings.changesFrom(Settings.INITIAL).parameters().stream()
        .noneMatch(each -> each.id() == Settings.ENABLE_PUSH));
  }

  @Test
  void extendedConnectIsOfferedOnlyWhereSomebodyTakesIt() {
    assertFalse(Http2Limits.SERVER.settings(Role.SERVER).enableConnectProtocol());
    Http2Limits taking = Http2Limits.SERVER.toBuilder().extendedConnect().build();
    assertTrue(taking.settings(Role.SERVER).enableConnectProtocol());
    assertTrue(taking.toBuilder().maxStreams(7).build().extendedConnect());
  }

  @Test
  void connectionHoldsTwoStreamsAndAServersAtMostTwoMegabytes() {
    Http2Limits server = Http2Limits.SERVER;
    assertEquals(2 * server.streamWindow(), server.connectionWindow(server.streamWindow()));
    assertTrue(server.connectionWindow(server.maxStreamWindow()) <= 2_000_000);
    assertEquals(16 * 1024 * 1024, Http2Limits.CLIENT.maxStreamWindow());
  }

  @Test
  void limitOutsideOfItsRangeIsRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> Http2Limits.CLIENT.toBuilder().maxStreams(0).build());
    assertThrows(
        IllegalArgumentException.class,
        () -> Http2Limits.CLIENT.toBuilder().windows(10, 9).build());
    assertThrows(IllegalArgumentException.class, () -> new Http2Limits.Rate(0, 1));
    IllegalArgumentException refused = assertThrows(
        IllegalArgumentException.class,
        () -> Http2Limits.CLIENT.toBuilder().windows(1, 1 << 30).build());
    assertEquals(
        "maxStreamWindow is 1073741824, must be from 1 to 1073741823", refused.getMessage());
  }

  @Test
  void roundTripIsTheShortestSeen() {
    RoundTrip roundTrip = new RoundTrip();
    assertEquals(RoundTrip.ASSUMED_NANOS, roundTrip.nanos());
    roundTrip.acknowledged(5);
    assertEquals(RoundTrip.ASSUMED_NANOS, roundTrip.nanos(), "nothing was asked");
    roundTrip.sent(Long.MAX_VALUE - 10);
    roundTrip.sent(Long.MAX_VALUE);
    roundTrip.acknowledged(Long.MIN_VALUE + 89);
    assertEquals(100, roundTrip.nanos());
    roundTrip.sent(0);
    roundTrip.acknowledged(500);
    assertEquals(100, roundTrip.nanos());
    roundTrip.sent(0);
    roundTrip.acknowledged(0);
    assertEquals(1, roundTrip.nanos());
  }
}
