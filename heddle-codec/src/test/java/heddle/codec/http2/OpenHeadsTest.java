package heddle.codec.http2;

import static heddle.codec.http2.Wire.data;
import static heddle.codec.http2.Wire.get;
import static heddle.codec.http2.Wire.headers;
import static heddle.codec.http2.Wire.lastHeaders;
import static heddle.codec.http2.Wire.ok;
import static heddle.codec.http2.Wire.post;
import static heddle.codec.http2.Wire.request;
import static heddle.codec.http2.Wire.rst;
import static heddle.codec.http2.frame.ErrorCode.CANCEL;
import static heddle.codec.http2.frame.ErrorCode.ENHANCE_YOUR_CALM;
import static heddle.codec.http2.frame.ErrorCode.REFUSED_STREAM;

import heddle.http.Headers;
import heddle.http.Limits;
import heddle.http.Method;
import heddle.http.Status;
import org.junit.jupiter.api.Test;

/** What the heads of all open streams of a connection take together is bounded. */
class OpenHeadsTest {
  /** The value of a field that makes a head of some 10,000 bytes. */
  private static final String LARGE = "v".repeat(9_800);

  /** Heads may take 20,000 bytes beyond what each stream may hold anyway: those of two. */
  private static Http2Limits limited(Http2Limits limits) {
    return limits.toBuilder()
        .heads(Limits.SERVER_DEFAULTS)
        .maxStreams(100)
        .maxOpenHeadBytes(20_000 + 100 * HeadBudget.FREE)
        .build();
  }

  private static Script server() {
    return Script.server(Cut.WHOLE, limited(Http2Limits.SERVER));
  }

  private static Wire large(int id) {
    return lastHeaders(id, get("x", LARGE));
  }

  /** Sends a large request that is taken. */
  private static void takes(Script script, int id) {
    script.sends(large(id));
    script.yields("request " + id + " GET http a /" + " " + script.lastHeaders, "end " + id);
    script.isAlive();
  }

  private static void refuses(Script script, int id) {
    script.sends(large(id)).resets(id, REFUSED_STREAM);
  }

  @Test
  void requestBeyondTheBudgetIsRefused() {
    Script script = server();
    takes(script, 1);
    takes(script, 3);
    refuses(script, 5);
    script.sends(request(7)).yields("request 7 GET http a /", "end 7");
  }

  @Test
  void roomReturnsWhenTheStreamHasEndedAndItsHandlerToo() {
    Script answeredFirst = server();
    takes(answeredFirst, 1);
    takes(answeredFirst, 3);
    answeredFirst.session.response(answeredFirst.stream(1), Status.OK, Headers.empty(), true);
    answeredFirst.output();
    refuses(answeredFirst, 5);
    answeredFirst.session.headUnused(answeredFirst.stream(1));
    takes(answeredFirst, 7);
    refuses(answeredFirst, 9);

    Script doneFirst = server();
    takes(doneFirst, 1);
    takes(doneFirst, 3);
    doneFirst.session.headUnused(doneFirst.stream(1));
    refuses(doneFirst, 5);
    doneFirst.session.response(doneFirst.stream(1), Status.OK, Headers.empty(), true);
    doneFirst.output();
    takes(doneFirst, 7);
  }

  @Test
  void handlersOfStreamsThatWereResetHoldTheirHeads() {
    Script script = server();
    takes(script, 1);
    takes(script, 3);
    script.sends(rst(1, CANCEL), rst(3, CANCEL)).yields("reset 1 CANCEL", "reset 3 CANCEL");
    refuses(script, 5);
    script.session.headUnused(script.stream(1));
    takes(script, 7);
  }

  @Test
  void requestsThatTheDriverRefusesHoldNothing() {
    Script script = server();
    script.refuses = true;
    for (int i = 0; i < 20; i++) {
      int id = 2 * i + 1;
      script.sends(large(id)).replies(rst(id, REFUSED_STREAM));
    }
    script.refuses = false;
    script.sends(large(101), large(103)).replies();
    script.sends(large(105)).replies(rst(105, REFUSED_STREAM));
  }

  @Test
  void requestsThatAreMalformedHoldNothing() {
    Script script = server();
    for (int i = 0; i < 20; i++) {
      script.sends(lastHeaders(2 * i + 1, get("x", LARGE, "te", "wrong")));
    }
    script.output();
    script.sends(large(101), large(103)).replies().isAlive();
  }

  @Test
  void trailersOfRequestsCount() {
    Script script = server();
    script.sends(headers(1, post("x", LARGE)), data(1, "x"), lastHeaders(1, "y", LARGE));
    script.output();
    script.sends(large(3)).replies(rst(3, REFUSED_STREAM)).isAlive();
  }

  @Test
  void headBeyondTheBudgetEndsItsResponse() {
    Script script = Script.client(Cut.WHOLE, limited(Http2Limits.CLIENT));
    for (int i = 0; i < 3; i++) {
      script.get();
    }
    script.output();
    script.sends(headers(1, ok("x", LARGE)), headers(3, ok("x", LARGE))).replies();
    script.sends(headers(5, ok("x", LARGE))).replies(rst(5, ENHANCE_YOUR_CALM)).isAlive();
    // What has ended makes room: by the server's end of the stream, or a reset of ours.
    script.sends(data(1, 1, new byte[0]));
    script.session.reset(script.session.streams().getFirst(), CANCEL);
    for (int i = 0; i < 2; i++) {
      script.get();
    }
    script.output();
    script
        .sends(headers(7, ok("x", LARGE)), headers(9, ok("x", LARGE)))
        .replies()
        .isAlive();
  }

  @Test
  void interimResponsesCount() {
    Script script = Script.client(Cut.WHOLE, limited(Http2Limits.CLIENT));
    script.session.request(Method.GET, "http", "a", "/", Headers.empty(), true, null);
    script.output();
    Wire hints = headers(1, ":status", "103", "x", LARGE);
    script.sends(hints, hints).replies();
    script.sends(hints).replies(rst(1, ENHANCE_YOUR_CALM)).isAlive();
  }
}
