package heddle.client.interim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.HttpClient;
import heddle.client.settings.RetryBudget;
import heddle.client.settings.RetryPolicy;
import heddle.client.settings.Timeouts;
import heddle.client.spi.AttemptInfo;
import heddle.client.spi.ExchangeListener;
import heddle.http.Body;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Settings for expectations, and what the client does if a server does not support them. */
class ExpectContinueOptionsTest extends WireTest {
  private static final Duration MOMENT = Duration.ofMillis(300);

  private String put(String url, Body body) throws IOException {
    return send(Request.builder(url + "/").method(Method.PUT).body(body));
  }

  private static Request.Builder expecting(String url, Body body) throws IOException {
    return Request.builder(url + "/").method(Method.PUT).body(body).expectContinue();
  }

  private String send(Request.Builder request) throws IOException {
    try (Response response = world.client.send(request.build())) {
      return response.status().code() + " " + response.string();
    }
  }

  @Test
  void largeBodiesWaitIfTheClientSaysSo() throws Exception {
    renew(client -> client.expectContinueFrom(6));
    serve(server -> {
      server.expectHead();
      assertNull(server.field("expect"));
      server.answer(200, server.expectContent());
      for (int i = 0; i < 2; i++) {
        server.expectHead();
        assertEquals("100-continue", server.field("expect"));
        server.sleep(MOMENT);
        server.expectNothingYet();
        server.inform(100);
        server.answer(200, server.expectContent());
      }
      server.expectHead();
      assertNull(server.field("expect"));
      server.answer(200, "get");
      server.expectEnd();
    });
    visit(url -> {
      assertEquals("200 small", put(url, Body.of("small")));
      assertEquals("200 larger", put(url, Body.of("larger")));
      assertEquals("200 any", put(url, Content.ofUnknownLength("any")));
      assertEquals("200 get", send(Request.builder(url + "/")));
    });
  }

  @Test
  void nothingCannotBeMuch() {
    HttpClient.Builder builder = HttpClient.builder();
    String message = assertThrows(
            IllegalArgumentException.class, () -> builder.expectContinueFrom(0))
        .getMessage();
    assertTrue(message.contains("at least 1 (1 byte: all content), but was 0"), message);
  }

  @Test
  void bodyWaitsForTheConfiguredTime() throws Exception {
    Timeouts patient = Timeouts.builder().expectContinue(Duration.ofSeconds(7)).build();
    CompletableFuture<Duration> headAt = new CompletableFuture<>();
    CompletableFuture<Duration> contentAt = new CompletableFuture<>();
    renew(client -> client.timeouts(patient));
    serve(server -> {
      server.expectHead();
      headAt.complete(world.now());
      server.expectContent();
      contentAt.complete(world.now());
      server.answer(200, "fine");
      server.expectEnd();
    });
    visit(url -> assertEquals("200 fine", send(expecting(url, Body.of("hello")))));
    assertEquals(7, contentAt.get().minus(headAt.get()).toSeconds());
  }

  // ---- 417

  /** Refuses the expectation, and takes what comes instead on the connections that come. */
  private void refusing(Wire.Visit visit) throws Exception {
    Server.Talk refusal = server -> {
      server.expectHead();
      assertEquals("100-continue", server.field("expect"));
      server.answer(417, "what?");
      server.expectGivenUp();
    };
    Server.Talk taking = server -> {
      server.expectHead();
      assertNull(server.field("expect"));
      server.answer(200, server.expectContent());
      server.expectEnd();
    };
    if (wire.isHttp2()) {
      visit(visit, server -> {
        refusal.by(server);
        taking.by(server);
      });
    } else {
      visit(visit, refusal, taking);
    }
  }

  @Test
  void refusedExpectationIsFollowedByTheRequestWithoutIt() throws Exception {
    Content once = Content.ofUnknownLength("hello");
    refusing(url -> assertEquals(
        "200 hello",
        send(Request.builder(url + "/").method(Method.POST).body(once).expectContinue())));
    assertEquals(1, once.opened.get());
  }

  @Test
  void refusedExpectationOfTheClientsOwnIsFollowedByTheRequestWithoutIt() throws Exception {
    renew(client -> client.expectContinueFrom(1));
    refusing(url -> assertEquals("200 hello", put(url, Body.of("hello"))));
  }

  @Test
  void refusalOfWhatWasSentIsHandedOver() throws Exception {
    serve(server -> {
      for (int i = 0; i < 2; i++) {
        server.expectHead();
        assertEquals("hello", server.expectContent());
        server.answer(417, "what?");
      }
      server.expectEnd();
    });
    visit(url -> {
      assertEquals("417 what?", send(expecting(url, Body.of("hello"))));
      assertEquals("417 what?", put(url, Body.of("hello")));
    });
  }

  @Test
  void secondRefusalIsHandedOver() throws Exception {
    Server.Talk refusal = server -> {
      server.expectHead();
      server.answer(417, "what?");
    };
    Server.Talk again = server -> {
      server.expectHead();
      assertNull(server.field("expect"));
      server.expectContent();
      server.answer(417, "what?");
      server.expectEnd();
    };
    Wire.Visit visit = url -> assertEquals("417 what?", send(expecting(url, Body.of("hello"))));
    if (wire.isHttp2()) {
      visit(visit, server -> {
        refusal.by(server);
        server.expectGivenUp();
        again.by(server);
      });
    } else {
      visit(visit, refusal, again);
    }
  }

  /** Whatever the policy says: it is no retry of what may have been done. */
  @Test
  void refusedExpectationNeedsNoRetries() throws Exception {
    List<String> told = new CopyOnWriteArrayList<>();
    ExchangeListener listener = new ExchangeListener() {
      @Override
      public void attemptEnded(
          AttemptInfo attempt, @Nullable Status status, @Nullable IOException failure) {
        told.add(attempt.number() + " " + status.code());
      }
    };
    renew(client ->
        client.retries(RetryPolicy.never()).retryBudget(new RetryBudget(0, 0)).listener(listener));
    refusing(url -> assertEquals("200 hello", send(expecting(url, Body.of("hello")))));
    assertEquals(List.of("1 417", "2 200"), told);
  }

  /** It is asked about what is sent now, and knows of the attempts before. */
  @Test
  void retryPolicySeesTheRequestWithoutTheExpectation() throws Exception {
    List<RetryPolicy.Attempt> told = new CopyOnWriteArrayList<>();
    RetryPolicy policy = attempt -> {
      told.add(attempt);
      return told.size() == 1 ? RetryPolicy.Decision.repeat() : RetryPolicy.Decision.stop();
    };
    Server.Talk busy = server -> {
      server.expectHead();
      server.answer(503, "later");
      server.expectGivenUp();
    };
    Server.Talk refusal = server -> {
      server.expectHead();
      server.answer(417, "what?");
      server.expectGivenUp();
    };
    Server.Talk taking = server -> {
      server.expectHead();
      server.expectContent();
      server.answer(503, "later");
      server.expectEnd();
    };
    renew(client -> client.retries(policy));
    Wire.Visit visit = url -> assertEquals("503 later", send(expecting(url, Body.of("hello"))));
    if (wire.isHttp2()) {
      visit(visit, server -> {
        busy.by(server);
        refusal.by(server);
        taking.by(server);
      });
    } else {
      visit(visit, busy, refusal, taking);
    }
    assertEquals(2, told.size());
    assertTrue(told.getFirst().request().headers().contains("Expect"));
    RetryPolicy.Attempt last = told.getLast();
    assertFalse(last.request().headers().contains("Expect"));
    assertEquals(3, last.number());
    assertEquals(1, last.refusals());
  }

  /** What else it expects it may need. */
  @Test
  void refusalOfARequestThatExpectsMoreIsHandedOver() throws Exception {
    serve(server -> {
      server.expectHead();
      server.answer(417, "what?");
      server.expectGivenUp();
    });
    visit(url -> assertEquals(
        "417 what?", send(expecting(url, Body.of("hello")).header("Expect", "quiet"))));
  }

  @Test
  void requestThatHasAnExpectFieldIsUnchanged() throws Exception {
    renew(client -> client.expectContinueFrom(1));
    serve(server -> {
      server.expectHead();
      assertEquals("quiet", server.field("expect"));
      Duration headAt = world.now();
      assertEquals("hello", server.expectContent());
      assertEquals(0, world.now().minus(headAt).toSeconds());
      server.answer(200, "fine");
      server.expectEnd();
    });
    visit(url -> {
      Request.Builder request = Request.builder(url + "/").method(Method.PUT);
      assertEquals("200 fine", send(request.body(Body.of("hello")).header("Expect", "quiet")));
    });
  }

  // ---- steps of a call

  @Test
  void stepSendsABodyThatWasWithheldWithItsNextRequest() throws Exception {
    Content once = Content.ofKnownLength("hello");
    Server.Talk challenge = server -> {
      server.expectHead();
      server.answer(401, "who?");
      server.expectGivenUp();
    };
    Server.Talk welcome = server -> {
      server.expectHead();
      assertEquals("me", server.field("authorization"));
      server.inform(100);
      server.answer(200, server.expectContent());
      server.expectEnd();
    };
    renew(client -> client.interceptor((request, chain) -> {
      chain.proceed(request).close();
      return chain.proceed(request.toBuilder().header("Authorization", "me").build());
    }));
    Wire.Visit visit = url -> assertEquals(
        "200 hello",
        send(Request.builder(url + "/").method(Method.PUT).body(once).expectContinue()));
    if (wire.isHttp2()) {
      visit(visit, server -> {
        challenge.by(server);
        welcome.by(server);
      });
    } else {
      visit(visit, challenge, welcome);
    }
    assertEquals(1, once.opened.get());
  }

  @Test
  void bodyThatWasSentInTheEndIsNotSentOnceMore() throws Exception {
    Server.Talk challenge = server -> {
      server.expectHead();
      server.answer(401, "who?");
      server.expectGivenUp();
    };
    Server.Talk taking = server -> {
      server.expectHead();
      server.inform(100);
      server.expectContent();
      server.answer(401, "who?");
      server.expectEnd();
    };
    renew(client -> client.interceptor((request, chain) -> {
      chain.proceed(request).close();
      chain.proceed(request).string();
      return chain.proceed(request);
    }));
    Wire.Visit visit = url -> {
      Request.Builder request = expecting(url, Content.ofKnownLength("hello"));
      String message =
          assertThrows(IllegalStateException.class, () -> send(request)).getMessage();
      assertTrue(message.contains("sent only once"), message);
    };
    if (wire.isHttp2()) {
      visit(visit, server -> {
        challenge.by(server);
        taking.by(server);
      });
    } else {
      visit(visit, challenge, taking);
    }
  }
}
