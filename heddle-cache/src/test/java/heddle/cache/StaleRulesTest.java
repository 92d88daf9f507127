package heddle.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Request;
import heddle.http.Response;
import heddle.http.failure.CallCancelledException;
import heddle.http.failure.ClientClosedException;
import heddle.http.failure.ConnectFailedException;
import heddle.http.failure.TlsException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 5861: stale responses when the server fails, and while it is asked. */
@Timeout(60)
final class StaleRulesTest {
  private static final String LOST = "X-Lost: 1";

  /** Failures that a stored response must not hide. */
  static final List<IOException> OWN = List.of(
      new InterruptedIOException("interrupted"),
      new CallCancelledException("cancelled", null, null),
      new ClientClosedException("closed", null, null),
      new TlsException(TlsException.Reason.UNKNOWN_AUTHORITY, "untrusted", null, null));

  private static IOException refused() {
    return new ConnectException("refused");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # response, seconds until the server fails, request, how long stale responses may be used
          # by the setting, and the status that the caller gets
          max-age=60, stale-if-error=10                  | 70 |                   | 0  | 200
          max-age=60, stale-if-error=10                  | 71 |                   | 0  | 503
          max-age=60                                     | 70 | stale-if-error=10 | 0  | 200
          max-age=60                                     | 71 | stale-if-error=10 | 0  | 503
          max-age=60                                     | 70 |                   | 10 | 200
          max-age=60                                     | 71 |                   | 10 | 503
          max-age=60                                     | 61 |                   | 0  | 503
          max-age=60, must-revalidate, stale-if-error=10 | 61 |                   | 10 | 503
          no-cache, stale-if-error=10                    | 0  |                   | 10 | 503
          max-age=60, stale-if-error=10                  | 0  | no-cache          | 10 | 503
          max-age=60, stale-if-error=10                  | 0  | max-age=0         | 0  | 200
          """)
  void errors(String control, int later, String asks, int setting, int expected) throws Exception {
    CacheScene scene = new CacheScene(
        CacheStore.inMemory(1 << 20),
        settings -> settings.staleIfError(Duration.ofSeconds(setting)));
    scene.serve(200, "Cache-Control: " + control + "; ETag: \"a\"", "content");
    scene.get("");
    scene.pass(later);
    String fields = asks == null ? "" : "Cache-Control: " + asks;
    scene.server = request -> CacheScene.response(503, "", "busy");
    Response answer = scene.get(fields);
    assertEquals(expected, answer.status().code());
    scene.server = request -> {
      throw refused();
    };
    if (expected == 200) {
      assertEquals("content", answer.string());
      assertEquals(later == 0 ? "0" : "70", answer.headers().first("Age"));
      assertEquals("content", scene.get(fields).string());
    } else {
      assertThrows(ConnectException.class, () -> scene.get(fields));
    }
  }

  @ParameterizedTest
  @CsvSource({"500, true", "502, true", "503, true", "504, true", "501, false", "404, false"})
  void statusesThatAreErrors(int status, boolean isError) throws Exception {
    CacheScene scene = new CacheScene();
    scene.serve(200, "Cache-Control: max-age=60, stale-if-error=10; ETag: \"a\"", "content");
    scene.get("");
    scene.pass(61);
    scene.server = request -> CacheScene.response(status, LOST, "error");
    Response answer = scene.get("");
    assertEquals(isError ? 200 : status, answer.status().code());
    if (isError) {
      assertEquals(
          "heddle; fwd=stale; fwd-status=" + status, answer.headers().first("Cache-Status"));
    }
  }

  @ParameterizedTest
  @FieldSource("OWN")
  void failuresOfTheCallersOwnAreNotHidden(IOException failure) throws Exception {
    CacheScene scene = new CacheScene();
    scene.serve(200, "Cache-Control: max-age=60, stale-if-error=10; ETag: \"a\"", "content");
    scene.get("");
    scene.pass(61);
    scene.server = request -> {
      throw failure;
    };
    assertEquals(failure, assertThrows(IOException.class, () -> scene.get("")));
  }

  @Test
  void unreachableServerIsNamed() throws Exception {
    CacheScene scene = new CacheScene();
    scene.serve(200, "Cache-Control: max-age=60, stale-if-error=10; ETag: \"a\"", "content");
    scene.get("");
    scene.pass(61);
    scene.server = request -> {
      throw new ConnectFailedException("refused", null, refused());
    };
    assertEquals(
        "heddle; fwd=stale; detail=unreachable", scene.get("").headers().first("Cache-Status"));
  }

  // ---- stale-while-revalidate

  private static final String WHILE =
      "Cache-Control: max-age=60, stale-while-revalidate=100; ETag: \"a\"";

  /** How many permits there are once a background call has ended. */
  private static void await(Semaphore ended) throws InterruptedException {
    assertTrue(ended.tryAcquire(30, TimeUnit.SECONDS));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void staleResponseIsBroughtUpToDateInTheBackground(boolean changed) throws Exception {
    CacheScene scene = new CacheScene();
    scene.serve(200, WHILE, "old");
    scene.get("");
    scene.pass(61);
    Semaphore asked = new Semaphore(0);
    scene.server = request -> {
      asked.release();
      return changed ? CacheScene.response(200, WHILE, "new") : CacheScene.response(304, WHILE, "");
    };
    Response stale = scene.get("");
    assertEquals("old", stale.string());
    assertEquals("heddle; hit; ttl=-1", stale.headers().first("Cache-Status"));
    await(asked);
    Response fresh = scene.get("");
    while (!fresh.headers().first("Cache-Status").contains("ttl=60")) {
      Thread.onSpinWait(); // The background call has not ended yet.
      fresh = scene.get("");
    }
    assertEquals(changed ? "new" : "old", fresh.string());
    assertEquals("\"a\"", scene.last().headers().first("If-None-Match"));
  }

  @Test
  void oneCallAtATimeValidatesAResource() throws Exception {
    CacheScene scene = new CacheScene();
    scene.serve(200, WHILE, "old");
    scene.get("");
    scene.pass(61);
    CountDownLatch proceed = new CountDownLatch(1);
    Semaphore asked = new Semaphore(0);
    scene.server = request -> {
      asked.release();
      try {
        proceed.await();
      } catch (InterruptedException e) {
        throw new InterruptedIOException();
      }
      throw refused();
    };
    for (int i = 0; i < 100; i++) {
      assertEquals("old", scene.get("").string());
    }
    await(asked);
    assertEquals(2, scene.received.size());
    proceed.countDown();
    // It has failed, so that a later request begins another one.
    while (scene.received.size() == 2) {
      assertEquals("old", scene.get("").string());
    }
    await(asked);
  }

  @Test
  void validationsInTheBackgroundAreBounded() throws Exception {
    CacheScene scene = new CacheScene();
    scene.serve(200, WHILE, "old");
    int resources = Revalidations.MOST + 10;
    for (int i = 0; i < resources; i++) {
      scene.send(heddle.http.Method.GET, CacheScene.URL + i, "").string();
    }
    scene.pass(61);
    CountDownLatch proceed = new CountDownLatch(1);
    Semaphore asked = new Semaphore(0);
    scene.server = request -> {
      asked.release();
      try {
        proceed.await();
      } catch (InterruptedException e) {
        throw new InterruptedIOException();
      }
      return CacheScene.response(304, WHILE, "");
    };
    for (int i = 0; i < resources; i++) {
      assertEquals(
          "hit", CacheScene.outcome(scene.send(heddle.http.Method.GET, CacheScene.URL + i, "")));
    }
    assertTrue(asked.tryAcquire(Revalidations.MOST, 30, TimeUnit.SECONDS));
    assertEquals(resources + Revalidations.MOST, scene.received.size());
    proceed.countDown();
  }

  @Test
  void requestThatWantsNoCallStartsNone() throws Exception {
    CacheScene scene = new CacheScene();
    scene.serve(200, WHILE, "old");
    scene.get("");
    scene.pass(61);
    CountDownLatch proceed = new CountDownLatch(1);
    Semaphore asked = new Semaphore(0);
    scene.server = request -> {
      asked.release();
      try {
        proceed.await();
      } catch (InterruptedException e) {
        throw new InterruptedIOException();
      }
      throw refused();
    };
    assertEquals("hit", CacheScene.outcome(scene.get("X-Own: 1; CC: only-if-cached")));
    assertEquals("hit", CacheScene.outcome(scene.get("X-Own: 2"))); // starts the only call
    await(asked);
    assertEquals("2", scene.last().headers().first("X-Own"));
    proceed.countDown();
  }

  @Test
  void requestIsSentAgainAsTheCallerHasMadeIt() throws Exception {
    CacheScene scene = new CacheScene();
    scene.serve(200, WHILE, "old");
    scene.get("X-Own: 1");
    scene.pass(61);
    Semaphore asked = new Semaphore(0);
    scene.server = request -> {
      asked.release();
      return CacheScene.response(304, WHILE, "");
    };
    scene.get("X-Own: 1");
    await(asked);
    Request sent = scene.received.get(1);
    assertEquals("1", sent.headers().first("X-Own"));
  }
}
