package heddle.adapters.jersey;

import static heddle.adapters.jersey.Alike.alike;
import static heddle.adapters.jersey.Alike.alikeWith;
import static heddle.adapters.jersey.Alike.at;
import static heddle.adapters.jersey.Alike.failure;
import static heddle.adapters.jersey.Alike.outcome;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import heddle.testkit.mock.MockFault;
import heddle.testkit.mock.MockHandler;
import heddle.testkit.mock.MockResponse;
import jakarta.ws.rs.client.ClientRequestFilter;
import jakarta.ws.rs.client.Entity;
import jakarta.ws.rs.client.InvocationCallback;
import jakarta.ws.rs.client.WebTarget;
import jakarta.ws.rs.core.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The same of asynchronous calls, and of clients that many use or that are closed. */
@Timeout(60)
final class AsyncAlikeTest {
  private static final MockHandler OK = request -> MockResponse.ok("ok");

  /** Answers {@code /404} with 404, and so on. */
  private static final MockHandler STATUS = request -> {
    int status = Integer.parseInt(request.target().substring(1));
    return MockResponse.of(status).header("Content-Type", "text/plain").body("said " + status);
  };

  /** What a callback for text gets. */
  private interface Begun {
    Future<?> with(InvocationCallback<String> callback);
  }

  private static String told(Begun begun) throws Exception {
    RecordingCallback.Text told = new RecordingCallback.Text();
    var unused = begun.with(told);
    Throwable failure = told.outcome().failure();
    return failure == null ? told.response() : "failed: " + failure(failure);
  }

  @Test
  void asynchronousOutcomesOfAllStatuses() throws Exception {
    alike(STATUS, target -> {
      List<String> all = new ArrayList<>();
      for (int status : List.of(200, 404, 503)) {
        String path = "/" + status;
        all.add(outcome(() -> at(target, path).async().get(String.class).get()));
        all.add(outcome(() -> at(target, path).async().get().get().getStatus()));
        all.add(outcome(
            () -> at(target, path).rx().get(String.class).toCompletableFuture().get()));
        all.add(outcome(() -> at(target, path).buildGet().submit(String.class).get()));
        all.add(told(callback -> at(target, path).async().get(callback)));
        all.add(told(callback -> at(target, path).async().put(Entity.text("x"), callback)));
      }
      return all;
    });
  }

  @Test
  void callbackThatThrowsGetsItsFailure() throws Exception {
    alike(OK, target -> {
      CompletableFuture<String> told = new CompletableFuture<>();
      Future<String> text = at(target, "a").async().get(new InvocationCallback<String>() {
        @Override
        public void completed(String response) {
          throw new IllegalStateException("the loom is broken");
        }

        @Override
        public void failed(Throwable failure) {
          told.complete(failure(failure));
        }
      });
      return text.get() + told.get();
    });
  }

  @Test
  void filterThatAbortsAnAsynchronousCall() throws Exception {
    ClientRequestFilter filter =
        context -> context.abortWith(Response.status(418).entity("short").build());
    alike(OK, target -> {
      WebTarget aborted = target.register(filter);
      return aborted.request().async().get().get().getStatus()
          + outcome(() -> aborted.request().async().get(String.class).get())
          + told(callback -> aborted.request().async().get(callback));
    });
  }

  @Test
  void entityThatIsCutShort() throws Exception {
    assumeTrue(
        Runtime.version().feature() >= 25, "HttpURLConnection of Java 21 does not notice the cut");
    MockHandler answers = request -> {
      MockResponse answer = MockResponse.ok("warp and weft").with(MockFault.cutInBody(3));
      return request.target().equals("/chunks") ? answer.chunked() : answer;
    };
    String told = alike(answers, target -> {
      List<String> all = new ArrayList<>();
      for (String path : List.of("length", "chunks")) {
        all.add(outcome(() -> at(target, path).get(String.class)));
        all.add(outcome(() -> at(target, path).async().get(String.class).get()));
        all.add(outcome(
            () -> at(target, path).rx().get(String.class).toCompletableFuture().get()));
        all.add(told(callback -> at(target, path).async().get(callback)));
      }
      return all;
    });
    assertTrue(told.contains("ProcessingException"), told);
  }

  // ---- clients

  @Test
  void clientThatIsClosedMakesNoMoreCalls() throws Exception {
    alikeWith(OK, (client, url) -> {
      WebTarget target = client.target(url);
      String before = target.request().get(String.class);
      client.close();
      client.close();
      return before
          + outcome(() -> client.target(url))
          + outcome(() -> target.request().get())
          + outcome(target::request)
          + outcome(() -> client.property("a", "b"));
    });
  }

  @Test
  void manyThreadsUseOneTarget() throws Exception {
    alike(request -> MockResponse.ok("ok"), target -> {
      List<Callable<Integer>> calls = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        calls.add(() -> at(target, "same").post(Entity.text("x"), String.class).length());
      }
      try (ExecutorService threads = Executors.newFixedThreadPool(20)) {
        int sum = 0;
        for (Future<Integer> each : threads.invokeAll(calls)) {
          sum += each.get();
        }
        return sum;
      }
    });
  }
}
