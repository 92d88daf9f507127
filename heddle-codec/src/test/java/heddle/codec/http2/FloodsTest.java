package heddle.codec.http2;

import static heddle.codec.http2.Wire.END_HEADERS;
import static heddle.codec.http2.Wire.data;
import static heddle.codec.http2.Wire.get;
import static heddle.codec.http2.Wire.headers;
import static heddle.codec.http2.Wire.lastHeaders;
import static heddle.codec.http2.Wire.ping;
import static heddle.codec.http2.Wire.priority;
import static heddle.codec.http2.Wire.raw;
import static heddle.codec.http2.Wire.request;
import static heddle.codec.http2.Wire.rst;
import static heddle.codec.http2.Wire.settings;
import static heddle.codec.http2.Wire.upload;
import static heddle.codec.http2.Wire.windowUpdate;
import static heddle.codec.http2.frame.ErrorCode.CANCEL;
import static heddle.codec.http2.frame.ErrorCode.ENHANCE_YOUR_CALM;
import static heddle.codec.http2.frame.ErrorCode.NO_ERROR;
import static heddle.codec.http2.frame.ErrorCode.REFUSED_STREAM;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import heddle.codec.http2.Http2Limits.Floods;
import heddle.codec.http2.Http2Limits.Rate;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;

/** RFC 9113 §10.5: what costs a peer little and us more is bounded, each by ENHANCE_YOUR_CALM. */
class FloodsTest {
  private static final Rate TEN = new Rate(10, 1);
  private static final Http2Limits LIMITS =
      Http2Limits.SERVER.withFloods(new Floods(TEN, TEN, TEN, TEN, TEN, TEN, TEN), 10_000);

  private static Script server() {
    Script script = Script.server(Cut.WHOLE, LIMITS);
    script.now += 60_000_000_000L; // what the greeting took is forgotten
    return script;
  }

  private static void tenAreTakenAndNoMore(Script script, IntConsumer once) {
    for (int i = 0; i < 10; i++) {
      once.accept(i);
      assertNull(script.broken, "already the one of index " + i);
    }
    once.accept(10);
    assertNotNull(script.broken, "no bound");
    assertEquals(ENHANCE_YOUR_CALM, script.broken.code());
  }

  @Test
  void rapidResetEndsTheConnection() {
    Script script = server();
    tenAreTakenAndNoMore(script, i -> script.sends(upload(2 * i + 1), rst(2 * i + 1, CANCEL)));
  }

  @Test
  void resetsThatThePeerProvokesEndTheConnection() {
    Script zero = server();
    tenAreTakenAndNoMore(zero, i -> zero.sends(request(2 * i + 1), windowUpdate(2 * i + 1, 0)));
    Script late = server();
    tenAreTakenAndNoMore(late, i -> late.sends(request(2 * i + 1), data(2 * i + 1, "x")));
    Script malformed = server();
    tenAreTakenAndNoMore(malformed, i -> malformed.sends(lastHeaders(2 * i + 1, get("te", "x"))));
    Script refused = Script.server(Cut.WHOLE, LIMITS.withMaxStreams(1)).sends(request(1));
    tenAreTakenAndNoMore(refused, i -> refused.sends(request(2 * i + 3)));
  }

  @Test
  void requestsThatTheDriverRefusesAreReset() {
    Script script = server();
    script.refuses = true;
    script.sends(upload(1), data(1, "on its way"), request(3));
    script.replies(rst(1, REFUSED_STREAM), rst(3, REFUSED_STREAM)).isAlive();
    assertEquals(0, script.session.openStreams());
  }

  @Test
  void requestsThatTheDriverRefusesEndTheConnection() {
    Script script = server();
    script.refuses = true;
    tenAreTakenAndNoMore(script, i -> script.sends(request(2 * i + 1)));
  }

  @Test
  void requestsThatAreTooLargeEndTheConnection() {
    Script script = Script.server(Cut.WHOLE, LIMITS.withHeads(300, 200, 60_000, 8));
    tenAreTakenAndNoMore(
        script, i -> script.sends(lastHeaders(2 * i + 1, get("x", "y".repeat(300)))));
  }

  @Test
  void requestsAfterOurGoAwayAreCounted() {
    Script script = server();
    script.session.goAway(NO_ERROR, "");
    tenAreTakenAndNoMore(script, i -> script.sends(request(2 * i + 1)));
  }

  @Test
  void settingsFloodEndsTheConnection() {
    Script script = server();
    tenAreTakenAndNoMore(script, i -> script.sends(settings()));
  }

  @Test
  void pingFloodEndsTheConnection() {
    Script script = server();
    tenAreTakenAndNoMore(script, i -> script.sends(ping(i)));
  }

  @Test
  void emptyFramesEndTheConnection() {
    Script script = server().sends(upload(1));
    tenAreTakenAndNoMore(script, i -> script.sends(data(1, "")));
  }

  @Test
  void priorityFloodEndsTheConnection() {
    Script script = server();
    tenAreTakenAndNoMore(script, i -> script.sends(priority(1, 0)));
  }

  @Test
  void unknownFramesInMassEndTheConnection() {
    Script script = server();
    tenAreTakenAndNoMore(script, i -> script.sends(raw(0x77, 0, 0, new byte[0])));
  }

  @Test
  void clientIsGuardedToo() {
    Script script =
        Script.client(Cut.WHOLE, Http2Limits.CLIENT.withFloods(LIMITS.floods(), 10_000));
    script.now += 60_000_000_000L;
    tenAreTakenAndNoMore(script, i -> {
      Http2Stream stream = script.get();
      script.output();
      script.sends(rst(stream.id(), CANCEL));
    });
  }

  @Test
  void controlFramesForAPeerThatDoesNotReadAreBounded() {
    Http2Limits limits = Http2Limits.SERVER.withFloods(Floods.DEFAULTS, 20);
    Script script = Script.server(Cut.WHOLE, limits);
    for (int i = 0; i < 20; i++) {
      script.sends(ping(i));
    }
    assertNull(script.broken);
    script.output(); // It reads after all.
    for (int i = 0; i < 20; i++) {
      script.sends(ping(i));
    }
    assertNull(script.broken);
    script.sends(ping(1), ping(2), ping(3));
    assertNotNull(script.broken);
    assertEquals(ENHANCE_YOUR_CALM, script.broken.code());
  }

  @Test
  void whatIsTakenSlowlyIsNoFlood() {
    Script script = server();
    for (int i = 0; i < 100; i++) {
      script.now += 1_000_000_000L;
      script.sends(upload(2 * i + 1), rst(2 * i + 1, CANCEL), ping(i), settings());
      script.sends(headers(2 * i + 1, END_HEADERS, Wire.block("x", "y")));
      script.output();
    }
    assertNull(script.broken);
  }
}
