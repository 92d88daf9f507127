package heddle.client.interim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.ClientWorld;
import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.HttpException;
import heddle.http.InformationalListener;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.failure.DeadlineExceededException;
import heddle.http.failure.MessageTooLargeException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Listeners of informational responses, called on the thread of the call. */
class InformationalListenerTest extends WireTest {
  private static final Duration MOMENT = Duration.ofMillis(300);

  /** Records the responses, and the thread of each call. */
  private static final class Notes implements InformationalListener {
    final List<String> told = new ArrayList<>();
    final List<Thread> threads = new ArrayList<>();

    @Override
    public void onInformational(Status status, Headers headers) {
      told.add(status.code() + " " + headers.first("link"));
      threads.add(Thread.currentThread());
    }
  }

  private static Request get(String url, InformationalListener listener) throws IOException {
    return Request.builder(url + "/").onInformational(listener).build();
  }

  @Test
  void listenersRunInOrderOnTheCallersThreadBeforeTheResponse() throws Exception {
    Notes notes = new Notes();
    serve(server -> {
      server.expectHead();
      server.inform(103, "link: </a.css>");
      server.inform(102);
      server.sleep(MOMENT);
      server.inform(103, "link: </b.js>");
      server.sleep(MOMENT);
      server.answer(200, "fine");
      server.expectEnd();
    });
    visit(url -> {
      Response response = world.client.send(get(url, notes));
      assertEquals(List.of("103 </a.css>", "102 null", "103 </b.js>"), notes.told);
      notes.threads.forEach(thread -> assertSame(Thread.currentThread(), thread));
      assertEquals("fine", response.string());
    });
  }

  @Test
  void earlyHintsArriveBeforeTheResponse() throws Exception {
    List<Duration> toldAt = new ArrayList<>();
    serve(server -> {
      server.expectHead();
      server.inform(103);
      server.sleep(Duration.ofSeconds(10));
      server.answer(200, "fine");
      server.expectEnd();
    });
    visit(url -> {
      Request request = get(url, (status, headers) -> toldAt.add(world.now()));
      assertEquals("fine", world.client.send(request).string());
      assertEquals(10, world.now().minus(toldAt.getFirst()).toSeconds());
    });
  }

  @Test
  void thoseThatComeWithTheResponseAreReportedBeforeIt() throws Exception {
    Notes notes = new Notes();
    serve(server -> {
      server.expectHead();
      server.answerHead(204, 0, 103, 102);
      server.expectEnd();
    });
    visit(url -> {
      world.client.send(get(url, notes)).close();
      assertEquals(List.of("103 null", "102 null"), notes.told);
    });
  }

  @Test
  void listenerHearsOfTheContinueForWhichTheBodyWaited() throws Exception {
    Notes notes = new Notes();
    serve(server -> {
      server.expectHead();
      server.inform(103);
      server.sleep(MOMENT);
      server.inform(100);
      assertEquals("hello", server.expectContent());
      server.inform(102);
      server.answer(200, "fine");
      server.expectEnd();
    });
    visit(url -> {
      Request request = Request.builder(url + "/")
          .method(Method.PUT)
          .body(Body.of("hello"))
          .expectContinue()
          .onInformational(notes)
          .build();
      assertEquals("fine", world.client.send(request).string());
      assertEquals(List.of("103 null", "100 null", "102 null"), notes.told);
    });
  }

  @Test
  void listenerThatTakesItsTimeMissesNothing() throws Exception {
    List<Integer> told = new ArrayList<>();
    serve(server -> {
      server.expectHead();
      server.inform(103);
      server.sleep(Duration.ofSeconds(1));
      server.inform(104);
      server.sleep(Duration.ofMillis(500));
      server.inform(105);
      server.answer(200, "fine");
      server.expectEnd();
    });
    visit(url -> {
      Request request = get(url, (status, headers) -> {
        told.add(status.code());
        sleep(Duration.ofSeconds(2));
      });
      assertEquals("fine", world.client.send(request).string());
      assertEquals(List.of(103, 104, 105), told);
    });
  }

  private void sleep(Duration time) {
    try {
      world.network.sleep(time);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void ninthInARowFailsTheCallAfterEightWereReported() throws Exception {
    Notes notes = new Notes();
    serve(server -> {
      server.expectHead();
      for (int i = 0; i < 9; i++) {
        server.inform(103);
      }
      server.sleep(MOMENT);
    });
    visit(url -> {
      HttpException failure =
          assertThrows(HttpException.class, () -> world.client.send(get(url, notes)));
      assertInstanceOf(MessageTooLargeException.class, failure);
      assertEquals(8, notes.told.size());
      assertEquals(0, world.inUse());
    });
  }

  @Test
  void whatAListenerThrowsEndsTheCallAndGivesTheExchangeUp() throws Exception {
    IllegalStateException broken = new IllegalStateException("not today");
    serve(server -> {
      server.expectHead();
      server.inform(103);
      server.expectGivenUp();
    });
    visit(url -> {
      Request request = get(url, (status, headers) -> {
        throw broken;
      });
      assertSame(
          broken, assertThrows(IllegalStateException.class, () -> world.client.send(request)));
      assertEquals(0, world.inUse());
    });
  }

  @Test
  void listenerThatHangsIsInterruptedAtTheDeadline() throws Exception {
    serve(server -> {
      server.expectHead();
      server.inform(103);
      server.expectGivenUp();
    });
    visit(url -> {
      Request request = get(url, (status, headers) -> hang()).toBuilder()
          .deadline(Duration.ofSeconds(3))
          .build();
      Duration began = world.now();
      ClientWorld.Running call = world.start(request);
      world.untilOver(call.outcome());
      assertInstanceOf(DeadlineExceededException.class, call.outcome().exceptionNow());
      assertEquals(3, world.now().minus(began).toSeconds());
      assertFalse(call.interrupted().get(), "an interrupt is left behind");
      assertEquals(0, world.inUse());
    });
  }

  private static void hang() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
  }

  @Test
  void interruptHoldsAfterSomethingWasTold() throws Exception {
    Notes notes = new Notes();
    serve(server -> {
      server.expectHead();
      server.inform(103);
      server.expectGivenUp();
    });
    visit(url -> {
      ClientWorld.Running call = world.start(get(url, notes));
      world.until(() -> world.now().toMillis() > 2000);
      assertEquals(1, notes.told.size());
      call.thread().interrupt();
      world.untilOver(call.outcome());
      assertInstanceOf(InterruptedIOException.class, call.outcome().exceptionNow());
      assertTrue(call.interrupted().get());
      assertEquals(0, world.inUse());
    });
  }
}
