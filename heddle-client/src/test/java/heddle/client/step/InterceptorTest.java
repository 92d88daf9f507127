package heddle.client.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.ClientWorld;
import heddle.client.settings.DecodingLimits;
import heddle.client.settings.RedirectPolicy;
import heddle.client.spi.Interceptor;
import heddle.http.Body;
import heddle.http.HttpVersion;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.testkit.ScriptedPeer;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What steps of a call may do, and what is said to those that do something else. */
@Timeout(60)
class InterceptorTest {
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nHello!";
  private static final String BUSY = "HTTP/1.1 503 Busy\r\nContent-Length: 4\r\n\r\nbusy";

  /** Its head is there, and its content only in part. */
  private static final String LARGE = "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nHello!";

  @AutoClose
  private ClientWorld world;

  private static ClientWorld world(Interceptor... steps) {
    return new ClientWorld(client -> {
      List.of(steps).forEach(client::interceptor);
      return client;
    });
  }

  /** Answers each request with the next of these, on one connection. */
  private static ScriptedPeer.Script answers(String... responses) {
    return c -> {
      for (String response : responses) {
        c.expectHead();
        c.send(response);
      }
      c.hasMore();
    };
  }

  private static Interceptor adding(String value) {
    return (request, chain) -> {
      Response response =
          chain.proceed(request.toBuilder().header("X-Step", value).build());
      return response.toBuilder().header("X-Step", value).build();
    };
  }

  @Test
  void theFirstStepIsTheOutermost() throws Exception {
    world = world(adding("a"), adding("b"));
    world.serve(c -> {
      String head = c.expectHead();
      assertTrue(head.contains("X-Step: a\r\nX-Step: b\r\n"), head);
      c.send(OK);
    });
    world.visit(peer -> {
      Response response = world.get(peer);
      assertEquals(List.of("b", "a"), response.headers().all("X-Step"));
      assertEquals("Hello!", response.string());
    });
  }

  @Test
  void aStepMayAnswerWithoutAskingAnybody() throws Exception {
    world = world((request, chain) -> Response.ok("made up"));
    world.network.run(() -> {
      Response response = world.client.send(Request.get("http://a.test:81/"));
      assertEquals("made up", response.string());
      assertEquals(0, world.network.connections().size());
    });
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void aStepMayProceedAgainOnceItHasClosedTheResponse(HttpVersion version) throws Exception {
    Interceptor again = (request, chain) -> {
      Response first = chain.proceed(request);
      if (first.status().isSuccess()) {
        return first;
      }
      first.close();
      return chain.proceed(request.toBuilder().header("X-Again", "yes").build());
    };
    world = new ClientWorld(client -> client.version(version).interceptor(again));
    world.network.run(() -> {
      try (MockServer server = MockServer.builder().network(world.network).start()) {
        server.enqueue(MockResponse.of(503).body(new byte[300_000]));
        server.enqueue(MockResponse.ok("Hello!"));
        Response response = world.client.send(Request.get(server.url("/")));
        assertEquals("Hello!", response.string());
        assertEquals("yes", response.request().headers().first("X-Again"));
        assertNull(server.requests().getFirst().header("X-Again"));
        assertEquals("yes", server.requests().getLast().header("X-Again"));
        assertEquals(0, world.inUse());
        world.client.close();
      }
    });
  }

  /** As a step that replaces the network needs it; it was added first. */
  @Test
  void innermostStepGetsWhatTheClientWouldSend() throws Exception {
    List<String> sent = new ArrayList<>();
    Interceptor network = new Interceptor() {
      @Override
      public Response intercept(Request request, Chain chain) {
        sent.add(request.target() + " " + request.headers().first("X-Step"));
        return request.target().equals("/")
            ? Response.builder(Status.FOUND).header("Location", "/there").build()
            : Response.ok(request.headers().contains("Accept-Encoding") ? "coded" : "plain");
      }

      @Override
      public boolean isInnermost() {
        return true;
      }
    };
    world = new ClientWorld(client -> client
        .interceptor(network)
        .interceptor(adding("outer"))
        .redirects(RedirectPolicy.ofSafeMethods())
        .contentCodings(DecodingLimits.DEFAULTS));
    world.network.run(() -> {
      Response response = world.client.send(Request.get("http://a.test:81/"));
      assertEquals("coded", response.string());
      assertEquals(List.of("/ outer", "/there outer"), sent);
    });
  }

  @Test
  void proceedingWithAnOpenResponseFailsAndClosesIt() throws Exception {
    Interceptor greedy = (request, chain) -> {
      Response open = chain.proceed(request);
      assertSame(Status.OK, open.status());
      return chain.proceed(request);
    };
    world = world(greedy);
    world.serve(answers(LARGE));
    world.visit(peer -> {
      IllegalStateException refused =
          assertThrows(IllegalStateException.class, () -> world.get(peer));
      assertTrue(refused.getMessage().contains("close it"), refused.getMessage());
      assertEquals(0, world.inUse());
    });
  }

  @Test
  void aResponseThatWasReadToItsEndNeedNotBeClosedBeforeProceeding() throws Exception {
    Interceptor reading = (request, chain) -> {
      assertEquals("busy", chain.proceed(request).string());
      return chain.proceed(request);
    };
    world = world(reading);
    world.visit(peer -> assertEquals("Hello!", world.get(peer).string()), answers(BUSY, OK));
  }

  @Test
  void whenAStepFailsItsResponseIsClosed() throws Exception {
    IOException of = new IOException("of a step");
    Interceptor failing = (request, chain) -> {
      Response open = chain.proceed(request);
      assertEquals(100_000, open.body().length());
      throw of;
    };
    world = world(failing);
    world.serve(answers(LARGE));
    world.visit(peer -> {
      assertSame(of, assertThrows(IOException.class, () -> world.get(peer)));
      world.assertNothingIsOpen();
    });
  }

  @Test
  void aStepCannotProceedOnceItHasReturned() throws Exception {
    AtomicReference<Interceptor.Chain> kept = new AtomicReference<>();
    Interceptor keeping = (request, chain) -> {
      kept.set(chain);
      return chain.proceed(request);
    };
    world = world(adding("a"), keeping);
    world.serve(answers(OK));
    world.visit(peer -> {
      Request request = Request.get(peer.url("/"));
      assertEquals("Hello!", world.client.send(request).string());
      IllegalStateException late =
          assertThrows(IllegalStateException.class, () -> kept.get().proceed(request));
      assertTrue(late.getMessage().contains("is over"), late.getMessage());
    });
  }

  @Test
  void restOfTheChainMayBeCalledSeparatelyAndLater() throws Exception {
    AtomicReference<Interceptor.Chain> kept = new AtomicReference<>();
    Interceptor keeping = (request, chain) -> {
      kept.set(chain);
      return chain.proceed(request);
    };
    world = world(adding("a"), keeping, adding("b"));
    world.serve(c -> {
      c.expectHead();
      c.send(OK);
      String head = c.expectHead();
      assertTrue(head.contains("X-Step: b\r\n") && !head.contains("X-Step: a"), head);
      c.send(OK);
      c.hasMore();
    });
    world.visit(peer -> {
      Request request = Request.get(peer.url("/"));
      assertEquals("Hello!", world.client.send(request).string());
      Response separate = kept.get().callSeparately(request);
      assertEquals(List.of("b"), separate.headers().all("X-Step"));
      assertEquals("Hello!", separate.string());
      assertEquals(0, world.inUse());
    });
  }

  @Test
  void noOtherThreadMayProceed() throws Exception {
    Interceptor elsewhere = (request, chain) -> {
      CompletableFuture<Response> outcome = new CompletableFuture<>();
      Thread.ofVirtual().start(() -> {
        try {
          outcome.complete(chain.proceed(request));
        } catch (Throwable e) {
          outcome.completeExceptionally(e);
        }
      });
      ExecutionException refused = assertThrows(ExecutionException.class, outcome::get);
      assertInstanceOf(IllegalStateException.class, refused.getCause());
      return Response.ok(refused.getCause().getMessage());
    };
    world = world(elsewhere);
    world.network.run(() -> {
      String said = world.client.send(Request.get("http://a.test:81/")).string();
      assertTrue(said.startsWith("only the thread that makes the call"), said);
    });
  }

  @Test
  void aBodyThatWasSentAndCannotBeProducedAgainIsNotSentAgain() throws Exception {
    Interceptor twice = (request, chain) -> {
      chain.proceed(request).close();
      return chain.proceed(request);
    };
    world = world(twice);
    world.serve(c -> {
      c.expectHead();
      c.expectBytes(1);
      c.send(BUSY);
      c.hasMore();
    });
    world.visit(peer -> {
      Body once = Body.of(new ByteArrayInputStream(new byte[] {'x'}), 1);
      Request put = Request.put(peer.url("/"), once);
      IllegalStateException refused =
          assertThrows(IllegalStateException.class, () -> world.client.send(put));
      assertTrue(refused.getMessage().contains("if a step"), refused.getMessage());
      assertEquals(0, world.inUse());
    });
  }

  @Test
  void unreadBodyMayBeSentElsewhere() throws Exception {
    Interceptor elsewhere = (request, chain) -> {
      Request dead = request.toBuilder().url("http://localhost:1/").build();
      assertThrows(IOException.class, () -> chain.proceed(dead));
      return chain.proceed(request);
    };
    world = world(elsewhere);
    world.serve(c -> {
      c.expectHead();
      c.expectBytes(1);
      c.send(OK);
    });
    world.visit(peer -> {
      Body once = Body.of(new ByteArrayInputStream(new byte[] {'x'}), 1);
      Request put = Request.put(peer.url("/"), once);
      assertEquals("Hello!", world.client.send(put).string());
    });
  }

  @Test
  @SuppressWarnings("NullAway") // what a step must not do
  void aStepThatAnswersNullIsNamed() throws Exception {
    Interceptor silent = (request, chain) -> null;
    world = world(silent);
    world.network.run(() -> {
      NullPointerException named = assertThrows(
          NullPointerException.class, () -> world.client.send(Request.get("http://a.test:81/")));
      assertTrue(named.getMessage().startsWith(getClass().getName()), named.getMessage());
    });
  }
}
