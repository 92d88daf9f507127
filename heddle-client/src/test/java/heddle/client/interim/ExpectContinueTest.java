package heddle.client.interim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.ClientWorld;
import heddle.client.settings.Timeouts;
import heddle.http.Body;
import heddle.http.HttpException;
import heddle.http.Method;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Sent;
import heddle.http.failure.ConnectionLostException;
import heddle.http.failure.DeadlineExceededException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Requests whose body waits until the server says that it takes it: RFC 9110 §10.1.1. */
class ExpectContinueTest extends WireTest {
  private static final Duration MOMENT = Duration.ofMillis(300);

  private static Request.Builder put(String url, Body body) throws IOException {
    return Request.builder(url + "/").method(Method.PUT).body(body).expectContinue();
  }

  private String send(Request request) throws IOException {
    try (Response response = world.client.send(request)) {
      return response.status().code() + " " + response.string();
    }
  }

  private static void letContentCome(Server server) throws Exception {
    server.expectHead();
    assertEquals("100-continue", server.field("expect"));
    server.sleep(MOMENT);
    server.expectNothingYet();
    server.inform(100);
    assertEquals("hello", server.expectContent());
    server.answer(200, "fine");
    server.expectEnd();
  }

  @Test
  void bodyFollowsOnceTheServerWantsIt() throws Exception {
    for (Body body : new Body[] {
      Body.of("hello"), Content.ofKnownLength("hello"), Content.ofUnknownLength("hello")
    }) {
      renew(client -> client);
      serve(ExpectContinueTest::letContentCome);
      visit(url -> {
        assertEquals("200 fine", send(put(url, body).build()));
        assertEquals(1, world.pool().open());
      });
    }
  }

  @Test
  void bodyFollowsAfterASecondWithoutAnAnswer() throws Exception {
    CompletableFuture<Duration> headAt = new CompletableFuture<>();
    CompletableFuture<Duration> contentAt = new CompletableFuture<>();
    serve(server -> {
      server.expectHead();
      headAt.complete(world.now());
      assertEquals("hello", server.expectContent());
      contentAt.complete(world.now());
      server.inform(100);
      server.answer(200, "fine");
      server.expectEnd();
    });
    visit(url -> assertEquals("200 fine", send(put(url, Body.of("hello")).build())));
    long waited = contentAt.get().minus(headAt.get()).toMillis();
    assertTrue(waited >= 1000 && waited < 1100, "the body came after " + waited + " ms");
  }

  @Test
  void otherInformationalResponsesDoNotLetTheBodyGo() throws Exception {
    serve(server -> {
      server.expectHead();
      server.inform(103, "link: </a.css>");
      server.sleep(MOMENT);
      server.inform(102);
      server.sleep(MOMENT);
      server.expectNothingYet();
      server.inform(100);
      assertEquals("hello", server.expectContent());
      server.answer(200, "fine");
      server.expectEnd();
    });
    visit(url -> assertEquals("200 fine", send(put(url, Body.of("hello")).build())));
  }

  @Test
  void fieldGivenByHandIsTakenAtItsWord() throws Exception {
    serve(server -> {
      server.expectHead();
      assertEquals("100-Continue", server.field("expect"));
      server.sleep(MOMENT);
      server.answer(413, "no");
      server.expectGivenUp();
    });
    visit(url -> {
      Request request = Request.builder(url + "/")
          .method(Method.PUT)
          .body(Body.of("hello"))
          .header("Expect", "100-Continue")
          .build();
      assertEquals("413 no", send(request));
    });
  }

  @Test
  void finalResponseWithholdsTheBody() throws Exception {
    Content content = Content.ofUnknownLength("hello");
    serve(server -> {
      server.expectHead();
      server.sleep(MOMENT);
      server.answer(401, "who?");
      server.expectGivenUp();
      server.expectEnd();
    });
    visit(url -> {
      assertEquals("401 who?", send(put(url, content).build()));
      assertEquals(0, content.opened.get());
      assertEquals(wire.isHttp2() ? 1 : 0, world.pool().open());
      assertEquals(0, world.inUse());
    });
    // What was not opened can be sent with another request.
    assertEquals("hello", content.string());
  }

  @Test
  void finalResponseRightBehindTheContinueWithholdsTheBody() throws Exception {
    Content content = Content.ofKnownLength("hello");
    serve(server -> {
      server.expectHead();
      server.answerHead(500, 0, 100);
      server.expectGivenUp();
    });
    visit(url -> assertEquals("500 ", send(put(url, content).build())));
    assertEquals(0, content.opened.get());
  }

  @Test
  void responseThatTakesItsTimeIsReadThoughTheBodyWasWithheld() throws Exception {
    serve(server -> {
      server.expectHead();
      server.answerHead(413, 6);
      server.send("no ", false);
      server.sleep(Duration.ofSeconds(10));
      server.send("way", true);
      server.expectGivenUp();
    });
    visit(url -> assertEquals("413 no way", send(put(url, Body.of("hello")).build())));
  }

  @Test
  void silenceInTheResponseIsNoticedThoughTheBodyWasWithheld() throws Exception {
    Timeouts impatient = Timeouts.builder().silence(Duration.ofSeconds(5)).build();
    renew(client -> client.timeouts(impatient));
    serve(server -> {
      server.expectHead();
      server.answerHead(413, 6);
      server.send("no ", false);
      server.expectGivenUp();
    });
    visit(url -> {
      Response response = world.client.send(put(url, Body.of("hello")).build());
      Duration began = world.now();
      HttpException failure = assertThrows(HttpException.class, response::string);
      assertInstanceOf(DeadlineExceededException.class, failure);
      assertEquals(5, world.now().minus(began).toSeconds());
      assertEquals(Sent.UNKNOWN, failure.at().sent());
    });
  }

  @Test
  void deadlineHoldsWhileTheBodyWaits() throws Exception {
    Content content = Content.ofKnownLength("hello");
    serve(server -> {
      server.expectHead();
      server.expectGivenUp();
    });
    visit(url -> {
      Request request = put(url, content).deadline(Duration.ofMillis(500)).build();
      Duration began = world.now();
      HttpException failure = assertThrows(HttpException.class, () -> world.client.send(request));
      assertInstanceOf(DeadlineExceededException.class, failure);
      assertEquals(500, world.now().minus(began).toMillis());
      assertEquals(Phase.SEND, failure.at().phase());
      assertEquals(Sent.UNKNOWN, failure.at().sent());
      assertEquals(0, world.inUse());
    });
    assertEquals(0, content.opened.get());
  }

  @Test
  void interruptHoldsWhileTheBodyWaits() throws Exception {
    Content content = Content.ofKnownLength("hello");
    serve(server -> {
      server.expectHead();
      server.expectGivenUp();
    });
    visit(url -> {
      ClientWorld.Running call = world.startUnderWay(put(url, content).build());
      Duration began = world.now();
      call.thread().interrupt();
      world.untilOver(call.outcome());
      assertInstanceOf(InterruptedIOException.class, call.outcome().exceptionNow());
      assertTrue(call.interrupted().get());
      assertTrue(world.now().minus(began).toMillis() <= 1);
      assertEquals(0, world.inUse());
    });
    assertEquals(0, content.opened.get());
  }

  @Test
  void lostConnectionFailsTheCall() throws Exception {
    Content content = Content.ofKnownLength("hello");
    serve(server -> {
      server.expectHead();
      server.sleep(MOMENT);
      server.reset();
    });
    visit(url -> {
      HttpException failure = assertThrows(
          HttpException.class, () -> world.client.send(put(url, content).build()));
      assertInstanceOf(ConnectionLostException.class, failure);
      assertEquals(Sent.UNKNOWN, failure.at().sent());
      assertEquals(0, world.pool().open());
    });
    assertEquals(0, content.opened.get());
  }

  @Test
  void requestWithoutABodyExpectsNothing() throws Exception {
    serve(server -> {
      server.expectHead();
      assertNull(server.field("expect"));
      server.answer(200, "fine");
      server.expectEnd();
    });
    visit(url -> {
      Request request = Request.builder(url + "/").expectContinue().build();
      assertEquals("200 fine", send(request));
    });
  }

  /** Such as a form that an interceptor makes once the request is built. */
  @Test
  void contentThatAStepAddsIsWaitedFor() throws Exception {
    renew(client -> client.interceptor((request, chain) ->
        chain.proceed(request.toBuilder().body(Body.of("hello")).build())));
    serve(ExpectContinueTest::letContentCome);
    visit(url -> {
      Request request =
          Request.builder(url + "/").method(Method.PUT).expectContinue().build();
      assertEquals("200 fine", send(request));
    });
  }

  /** RFC 9110 §10.1.1 forbids 100-continue alone where there is no content. */
  @Test
  void otherExpectationsGoWithoutABodyToo() throws Exception {
    serve(server -> {
      server.expectHead();
      assertEquals("quiet", server.field("expect"));
      server.answer(200, "fine");
      server.expectEnd();
    });
    visit(url -> {
      Request request = Request.builder(url + "/").header("Expect", "quiet").build();
      assertEquals("200 fine", send(request));
    });
  }
}
