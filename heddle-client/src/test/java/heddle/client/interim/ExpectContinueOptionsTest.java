package heddle.client.interim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.ClientWorld;
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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Settings for expectations, and what the client does if a server does not support them. */
@Timeout(60)
class ExpectContinueOptionsTest {
  private static final Duration MOMENT = Duration.ofMillis(300);

  private static String put(ClientWorld world, String url, Body body) throws IOException {
    return send(world, Request.builder(url + "/").method(Method.PUT).body(body));
  }

  private static Request.Builder expecting(String url, Body body) throws IOException {
    return Request.builder(url + "/").method(Method.PUT).body(body).expectContinue();
  }

  private static String send(ClientWorld world, Request.Builder request) throws IOException {
    try (Response response = world.client.send(request.build())) {
      return response.status().code() + " " + response.string();
    }
  }

  @ParameterizedTest
  @EnumSource
  void largeBodiesWaitIfTheClientSaysSo(Wire wire) throws Exception {
    try (ClientWorld world = wire.world(client -> client.expectContinueFrom(6))) {
      wire.visit(
          world,
          url -> {
            assertEquals("200 small", put(world, url, Body.of("small")));
            assertEquals("200 larger", put(world, url, Body.of("larger")));
            assertEquals("200 any", put(world, url, Content.ofUnknownLength("any")));
            assertEquals("200 get", send(world, Request.builder(url + "/")));
          },
          server -> {
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
    }
  }

  @Test
  void nothingCannotBeMuch() {
    HttpClient.Builder builder = HttpClient.builder();
    String message = assertThrows(
            IllegalArgumentException.class, () -> builder.expectContinueFrom(0))
        .getMessage();
    assertTrue(message.contains("at least 1 (1 byte: all content), but was 0"), message);
  }

  @ParameterizedTest
  @EnumSource
  void bodyWaitsForTheConfiguredTime(Wire wire) throws Exception {
    Timeouts patient = Timeouts.builder().expectContinue(Duration.ofSeconds(7)).build();
    CompletableFuture<Duration> headAt = new CompletableFuture<>();
    CompletableFuture<Duration> contentAt = new CompletableFuture<>();
    try (ClientWorld world = wire.world(client -> client.timeouts(patient))) {
      wire.visit(
          world,
          url -> assertEquals("200 fine", send(world, expecting(url, Body.of("hello")))),
          server -> {
            server.expectHead();
            headAt.complete(world.now());
            server.expectContent();
            contentAt.complete(world.now());
            server.answer(200, "fine");
            server.expectEnd();
          });
    }
    assertEquals(7, contentAt.get().minus(headAt.get()).toSeconds());
  }

  // ---- 417

  /** Refuses the expectation, and takes what comes instead on the connections that come. */
  private static void refusing(Wire wire, ClientWorld world, Wire.Visit visit) throws Exception {
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
      wire.visit(world, visit, server -> {
        refusal.by(server);
        taking.by(server);
      });
    } else {
      wire.visit(world, visit, refusal, taking);
    }
  }

  @ParameterizedTest
  @EnumSource
  void refusedExpectationIsFollowedByTheRequestWithoutIt(Wire wire) throws Exception {
    Content once = Content.ofUnknownLength("hello");
    try (ClientWorld world = wire.world()) {
      refusing(
          wire,
          world,
          url -> assertEquals(
              "200 hello",
              send(
                  world,
                  Request.builder(url + "/").method(Method.POST).body(once).expectContinue())));
    }
    assertEquals(1, once.opened.get());
  }

  @ParameterizedTest
  @EnumSource
  void refusedExpectationOfTheClientsOwnIsFollowedByTheRequestWithoutIt(Wire wire)
      throws Exception {
    try (ClientWorld world = wire.world(client -> client.expectContinueFrom(1))) {
      refusing(wire, world, url -> assertEquals("200 hello", put(world, url, Body.of("hello"))));
    }
  }

  @ParameterizedTest
  @EnumSource
  void refusalOfWhatWasSentIsHandedOver(Wire wire) throws Exception {
    try (ClientWorld world = wire.world()) {
      wire.visit(
          world,
          url -> {
            assertEquals("417 what?", send(world, expecting(url, Body.of("hello"))));
            assertEquals("417 what?", put(world, url, Body.of("hello")));
          },
          server -> {
            for (int i = 0; i < 2; i++) {
              server.expectHead();
              assertEquals("hello", server.expectContent());
              server.answer(417, "what?");
            }
            server.expectEnd();
          });
    }
  }

  @ParameterizedTest
  @EnumSource
  void secondRefusalIsHandedOver(Wire wire) throws Exception {
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
    try (ClientWorld world = wire.world()) {
      Wire.Visit visit =
          url -> assertEquals("417 what?", send(world, expecting(url, Body.of("hello"))));
      if (wire.isHttp2()) {
        wire.visit(world, visit, server -> {
          refusal.by(server);
          server.expectGivenUp();
          again.by(server);
        });
      } else {
        wire.visit(world, visit, refusal, again);
      }
    }
  }

  /** Whatever the policy says: it is no retry of what may have been done. */
  @ParameterizedTest
  @EnumSource
  void refusedExpectationNeedsNoRetries(Wire wire) throws Exception {
    List<String> told = new CopyOnWriteArrayList<>();
    ExchangeListener listener = new ExchangeListener() {
      @Override
      public void attemptEnded(
          AttemptInfo attempt, @Nullable Status status, @Nullable IOException failure) {
        told.add(attempt.number() + " " + status.code());
      }
    };
    try (ClientWorld world = wire.world(client -> client
        .retries(RetryPolicy.never())
        .retryBudget(new RetryBudget(0, 0))
        .listener(listener))) {
      refusing(
          wire,
          world,
          url -> assertEquals("200 hello", send(world, expecting(url, Body.of("hello")))));
    }
    assertEquals(List.of("1 417", "2 200"), told);
  }

  /** It is asked about what is sent now, and knows of the attempts before. */
  @ParameterizedTest
  @EnumSource
  void retryPolicySeesTheRequestWithoutTheExpectation(Wire wire) throws Exception {
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
    try (ClientWorld world = wire.world(client -> client.retries(policy))) {
      Wire.Visit visit =
          url -> assertEquals("503 later", send(world, expecting(url, Body.of("hello"))));
      if (wire.isHttp2()) {
        wire.visit(world, visit, server -> {
          busy.by(server);
          refusal.by(server);
          taking.by(server);
        });
      } else {
        wire.visit(world, visit, busy, refusal, taking);
      }
    }
    assertEquals(2, told.size());
    assertTrue(told.getFirst().request().headers().contains("Expect"));
    RetryPolicy.Attempt last = told.getLast();
    assertFalse(last.request().headers().contains("Expect"));
    assertEquals(3, last.number());
    assertEquals(1, last.refusals());
  }

  /** What else it expects it may need. */
  @ParameterizedTest
  @EnumSource
  void refusalOfARequestThatExpectsMoreIsHandedOver(Wire wire) throws Exception {
    try (ClientWorld world = wire.world()) {
      wire.visit(
          world,
          url -> assertEquals(
              "417 what?", send(world, expecting(url, Body.of("hello")).header("Expect", "quiet"))),
          server -> {
            server.expectHead();
            server.answer(417, "what?");
            server.expectGivenUp();
          });
    }
  }

  @ParameterizedTest
  @EnumSource
  void requestThatHasAnExpectFieldIsUnchanged(Wire wire) throws Exception {
    try (ClientWorld world = wire.world(client -> client.expectContinueFrom(1))) {
      wire.visit(
          world,
          url -> {
            Request.Builder request = Request.builder(url + "/").method(Method.PUT);
            assertEquals(
                "200 fine", send(world, request.body(Body.of("hello")).header("Expect", "quiet")));
          },
          server -> {
            server.expectHead();
            assertEquals("quiet", server.field("expect"));
            Duration headAt = world.now();
            assertEquals("hello", server.expectContent());
            assertEquals(0, world.now().minus(headAt).toSeconds());
            server.answer(200, "fine");
            server.expectEnd();
          });
    }
  }

  // ---- steps of a call

  @ParameterizedTest
  @EnumSource
  void stepSendsABodyThatWasWithheldWithItsNextRequest(Wire wire) throws Exception {
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
    try (ClientWorld world = wire.world(client -> client.interceptor((request, chain) -> {
      chain.proceed(request).close();
      return chain.proceed(request.toBuilder().header("Authorization", "me").build());
    }))) {
      Wire.Visit visit = url -> assertEquals(
          "200 hello",
          send(world, Request.builder(url + "/").method(Method.PUT).body(once).expectContinue()));
      if (wire.isHttp2()) {
        wire.visit(world, visit, server -> {
          challenge.by(server);
          welcome.by(server);
        });
      } else {
        wire.visit(world, visit, challenge, welcome);
      }
    }
    assertEquals(1, once.opened.get());
  }

  @ParameterizedTest
  @EnumSource
  void bodyThatWasSentInTheEndIsNotSentOnceMore(Wire wire) throws Exception {
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
    try (ClientWorld world = wire.world(client -> client.interceptor((request, chain) -> {
      chain.proceed(request).close();
      chain.proceed(request).string();
      return chain.proceed(request);
    }))) {
      Wire.Visit visit = url -> {
        Request.Builder request = expecting(url, Content.ofKnownLength("hello"));
        String message = assertThrows(IllegalStateException.class, () -> send(world, request))
            .getMessage();
        assertTrue(message.contains("sent only once"), message);
      };
      if (wire.isHttp2()) {
        wire.visit(world, visit, server -> {
          challenge.by(server);
          taking.by(server);
        });
      } else {
        wire.visit(world, visit, challenge, taking);
      }
    }
  }
}
