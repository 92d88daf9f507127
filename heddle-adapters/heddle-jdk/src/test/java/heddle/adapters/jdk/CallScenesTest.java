package heddle.adapters.jdk;

import static heddle.adapters.jdk.Scene.isTheSameOverBoth;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import heddle.testkit.RawConnection;
import heddle.testkit.ScriptedPeer;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers see the same over Heddle as over the JDK's own client. */
@Timeout(60)
class CallScenesTest {
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";

  private static <T> void noteBoth(
      Scene scene, HttpClient client, HttpRequest request, BodyHandler<T> handler) {
    scene.noteOutcome(() -> client.send(request, handler).body());
    scene.noteOutcome(
        () -> client.sendAsync(request, handler).get(30, TimeUnit.SECONDS).body());
  }

  // ---- unusual responses, but for those that Heddle refuses and the JDK accepts

  static List<String> odd() {
    String hi = "\r\n\r\nhi";
    return List.of(
        "HTTP/1.1 200 OK\r\nX-A : b\r\nContent-Length: 2" + hi,
        "HTTP/1.1 200 OK\r\nX-A: b\u0001c\r\nContent-Length: 2" + hi,
        "HTTP/1.1 200 OK\r\n X-A: b\r\nContent-Length: 2" + hi,
        "HTTP/1.1 200 OK\r\nX-A: b\r\n c\r\nContent-Length: 2" + hi,
        "HTTP/1.1 200 OK\r\nX-A:\r\n b\r\nX-B: c\r\n\td\r\nContent-Length: 2" + hi,
        "HTTP/1.1 99 Low\r\nContent-Length: 2" + hi,
        "HTTP/1.1 abc OK\r\nContent-Length: 2" + hi,
        "HTTP/1.2 200 OK\r\nContent-Length: 2" + hi,
        "HTTP/2.0 200 OK\r\nContent-Length: 2" + hi,
        "ICY 200 OK\r\nContent-Length: 2" + hi,
        "\r\nHTTP/1.1 200 OK\r\nContent-Length: 2" + hi,
        "HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n",
        "HTTP/1.1 204 No\r\nContent-Length: 2" + hi,
        "HTTP/1.1 204 No\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 204 No\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 205 Reset\r\nContent-Length: 2" + hi,
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n02\r\nhi\r\n00\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffff\r\nhi\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2" + hi,
        "HTTP/1.0 200 OK\r\nContent-Length: 2" + hi);
  }

  @ParameterizedTest
  @MethodSource("odd")
  void oddResponsesEndAlike(String said) throws Exception {
    isTheSameOverBoth(scene -> scene.with(
        connection -> {
          if (connection.hasMore()) {
            connection.expectHead();
            connection.send(said);
            connection.shutdownOutput();
            connection.drain();
          }
        },
        (client, peer) -> {
          for (int i = 0; i < 2; i++) {
            scene.noteOutcome(() -> {
              HttpResponse<String> response =
                  client.send(Scene.to(peer, "/").build(), BodyHandlers.ofString());
              return response.statusCode() + " " + response.body() + " " + response.version() + " "
                  + response.headers().map();
            });
          }
        }));
  }

  // ---- handlers and subscribers that fail

  private static final class Failing implements BodySubscriber<String> {
    private final String where;
    private final Throwable what;
    private final CompletableFuture<String> body = new CompletableFuture<>();
    private final List<ByteBuffer> got = new ArrayList<>();

    Failing(String where, Throwable what) {
      this.where = where;
      this.what = what;
    }

    private void at(String place) {
      if (place.equals(where)) {
        switch (what) {
          case RuntimeException e -> throw e;
          case Error e -> throw e;
          default -> body.completeExceptionally(what);
        }
      }
    }

    @Override
    public CompletionStage<String> getBody() {
      at("getBody");
      return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      at("onSubscribe");
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> item) {
      at("onNext");
      got.addAll(item);
    }

    @Override
    public void onError(Throwable failure) {
      at("onError");
      body.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
      at("onComplete");
      body.complete("" + got.size());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"getBody", "onSubscribe", "onNext", "onComplete"})
  void subscribersThatFailEndTheCallAlike(String where) throws Exception {
    Map<String, Throwable> kinds = new LinkedHashMap<>();
    kinds.put("io", new IOException("a"));
    kinds.put("unchecked", new UncheckedIOException(new IOException("b")));
    kinds.put("state", new IllegalStateException("c"));
    kinds.put("argument", new IllegalArgumentException("c"));
    kinds.put("error", new AssertionError("d"));
    kinds.put("checked", new Exception("e"));
    kinds.put("completion", new CompletionException(new IOException("f")));
    kinds.put("interrupted", new InterruptedException("g"));
    if (where.equals("getBody")) {
      kinds.values().removeIf(each -> !(each instanceof RuntimeException || each instanceof Error));
    }
    for (Throwable kind : kinds.values()) {
      isTheSameOverBoth(scene -> scene.with(
          scene.answering(OK),
          (client, peer) -> noteBoth(
              scene, client, Scene.to(peer, "/").build(), head -> new Failing(where, kind))));
    }
  }

  @Test
  void handlersThatFailEndTheCallAlike() throws Exception {
    List<Function<HttpResponse.ResponseInfo, BodySubscriber<String>>> handlers = List.of(
        head -> {
          throw new IllegalStateException("a");
        },
        head -> {
          throw new UncheckedIOException(new IOException("b"));
        },
        head -> {
          throw new AssertionError("c");
        },
        head -> BodySubscribers.mapping(BodySubscribers.ofString(StandardCharsets.UTF_8), text -> {
          throw new IllegalStateException(text);
        }),
        head ->
            BodySubscribers.mapping(BodySubscribers.ofString(StandardCharsets.UTF_8), text -> null),
        head -> NewerApi.IS_THERE
            ? NewerApi.limiting(BodySubscribers.ofString(StandardCharsets.UTF_8), 1)
            : BodySubscribers.ofString(StandardCharsets.UTF_8));
    for (var handler : handlers) {
      isTheSameOverBoth(scene -> scene.with(
          scene.answering(OK),
          (client, peer) -> noteBoth(scene, client, Scene.to(peer, "/").build(), handler::apply)));
    }
  }

  @Test
  @SuppressWarnings("NullAway") // Arguments that break the contract.
  void missingArgumentsAreRefusedAlike() throws Exception {
    isTheSameOverBoth(scene -> scene.with(scene.answering(OK), (client, peer) -> {
      HttpRequest request = Scene.to(peer, "/").build();
      scene.noteOutcome(() -> client.send(null, BodyHandlers.ofString()));
      scene.noteOutcome(() -> client.send(request, null));
      scene.noteOutcome(() -> client.sendAsync(null, BodyHandlers.ofString()).get());
      scene.noteOutcome(() -> client.sendAsync(request, null).get());
      scene.noteOutcome(() -> client.sendAsync(request, null, null).get());
      scene.noteOutcome(
          () -> client.sendAsync(request, BodyHandlers.ofString(), null).get().body());
      scene.noteOutcome(() -> client.awaitTermination(null));
    }));
  }

  // ---- responses

  @Test
  void responsesReportTheSame() throws Exception {
    isTheSameOverBoth(scene -> scene.with(scene.answering(OK), (client, peer) -> {
      HttpRequest request = Scene.to(peer, "/a").build();
      HttpResponse<String> first = client.send(request, BodyHandlers.ofString());
      HttpResponse<String> second = client.send(request, BodyHandlers.ofString());
      scene.note(Scene.withoutPorts(first.toString()));
      scene.note(first.request().equals(request));
      scene.note(first.uri().equals(request.uri()));
      scene.note(first.previousResponse());
      scene.note(first.sslSession());
      scene.note(first.headers().map());
      scene.note(first.headers().firstValueAsLong("Content-length"));
      if (NewerApi.IS_THERE) {
        scene.note(NewerApi.connectionLabel(first).isPresent());
        scene.note(NewerApi.connectionLabel(first).equals(NewerApi.connectionLabel(second)));
      }
    }));
  }

  @Test
  void clientsReportTheSame() throws Exception {
    isTheSameOverBoth(scene -> {
      try (HttpClient client = scene.stack().builder().build()) {
        scene.note(client.executor());
        scene.note(client.proxy());
        scene.note(client.authenticator());
        scene.note(List.of(client.sslParameters().getProtocols()));
        scene.note(client.isTerminated());
        scene.note(client.awaitTermination(Duration.ofMillis(1)));
        scene.note(client.awaitTermination(Duration.ZERO));
        scene.note(client.awaitTermination(Duration.ofSeconds(-1)));
      }
    });
  }

  @Test
  void builtRequestsAreTakenAlike() throws Exception {
    isTheSameOverBoth(scene -> scene.with(scene.answering(OK), (client, peer) -> {
      HttpRequest.Builder builder = Scene.to(peer, "/a");
      HttpRequest one = builder.build();
      noteBoth(scene, client, one, BodyHandlers.ofString());
      noteBoth(scene, client, builder.copy().DELETE().build(), BodyHandlers.ofString());
      noteBoth(
          scene,
          client,
          builder.uri(java.net.URI.create("http://127.0.0.1:1/")).build(),
          BodyHandlers.ofString());
      noteBoth(
          scene,
          client,
          builder.uri(java.net.URI.create("http://host.invalid/")).build(),
          BodyHandlers.ofString());
    }));
  }

  // ---- the end of clients

  @Test
  void aClientThatIsClosedRefusesCallsAlike() throws Exception {
    isTheSameOverBoth(scene -> scene.with(scene.answering(OK), (client, peer) -> {
      HttpRequest request = Scene.to(peer, "/").build();
      noteBoth(scene, client, request, BodyHandlers.ofString());
      client.close();
      client.close();
      scene.note(client.isTerminated());
      scene.note(client.awaitTermination(Duration.ZERO));
      scene.noteOutcome(() -> client.send(request, BodyHandlers.ofString()));
      try {
        var unused = client.send(request, BodyHandlers.ofString());
      } catch (IOException e) {
        scene.note(e.getMessage());
      }
      scene.noteOutcome(
          () -> client.sendAsync(request, BodyHandlers.ofString()).get(30, TimeUnit.SECONDS));
      scene.note(client.executor());
    }));
  }

  // ---- cancelling and interrupting

  /** Notes what a subscriber gets; its body never completes by itself. */
  private static final class Noting implements BodySubscriber<String> {
    final CountDownLatch begun = new CountDownLatch(1);
    final CompletableFuture<Throwable> failure = new CompletableFuture<>();
    private final CompletableFuture<String> body = new CompletableFuture<>();

    @Override
    public CompletionStage<String> getBody() {
      return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> item) {
      begun.countDown();
    }

    @Override
    public void onError(Throwable thrown) {
      failure.complete(thrown);
      body.completeExceptionally(thrown);
    }

    @Override
    public void onComplete() {
      body.complete("");
    }
  }

  /** Sends a head and a part of its content, or nothing. */
  private static ScriptedPeer.Script partly(CountDownLatch asked, boolean head) {
    return connection -> {
      if (connection.hasMore()) {
        connection.expectHead();
        asked.countDown();
        if (head) {
          connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello");
        }
        connection.drain();
      }
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"stage", "stage of a stage"})
  void aCancelledCallSaysSo(String what) throws Exception {
    for (boolean head : new boolean[] {false, true}) {
      isTheSameOverBoth(scene -> {
        CountDownLatch asked = new CountDownLatch(1);
        scene.with(partly(asked, head), (client, peer) -> {
          Noting subscriber = new Noting();
          CompletableFuture<HttpResponse<String>> future =
              client.sendAsync(Scene.to(peer, "/").build(), info -> subscriber);
          CompletableFuture<Throwable> seen = new CompletableFuture<>();
          var unused = future.whenComplete((response, failure) -> seen.complete(failure));
          CompletableFuture<?> stage =
              switch (what) {
                case "stage" -> future.thenApply(HttpResponse::body);
                default -> future.thenApply(HttpResponse::body).thenApply(String::length);
              };
          asked.await();
          if (head) {
            subscriber.begun.await();
          }
          scene.note(stage.cancel(true));
          scene.note(stage.isDone());
          scene.noteOutcome(() -> future.get(30, TimeUnit.SECONDS));
          scene.noteOutcome(future::join);
          scene.note(future.isCancelled());
          scene.noteFailure(seen.get(30, TimeUnit.SECONDS));
          if (head) {
            chain(scene, subscriber.failure.get(30, TimeUnit.SECONDS));
          }
        });
      });
    }
  }

  /** Notes the classes and messages of an exception and its causes. */
  private static void chain(Scene scene, Throwable thrown) {
    for (Throwable each = thrown; each != null; each = each.getCause()) {
      scene.note("seen " + each.getClass().getName() + ": " + each.getMessage());
    }
  }

  @Test
  void aCancelledCallEndsItsContentAlike() throws Exception {
    isTheSameOverBoth(scene -> scene.with(partly(new CountDownLatch(1), true), (client, peer) -> {
      CompletableFuture<HttpResponse<InputStream>> future =
          client.sendAsync(Scene.to(peer, "/").build(), BodyHandlers.ofInputStream());
      InputStream body = future.get().body();
      scene.note(body.read());
      scene.note(future.cancel(true));
      client.shutdownNow();
      scene.noteOutcome(() -> body.readAllBytes().length);
    }));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anInterruptedCallSaysSo(boolean head) throws Exception {
    isTheSameOverBoth(scene -> {
      CountDownLatch asked = new CountDownLatch(1);
      scene.with(partly(asked, head), (client, peer) -> {
        Noting subscriber = new Noting();
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread caller = Thread.ofVirtual().start(() -> {
          try {
            var unused = client.send(Scene.to(peer, "/").build(), info -> subscriber);
          } catch (Throwable e) {
            thrown.complete(e);
          }
        });
        asked.await();
        if (head) {
          subscriber.begun.await();
        }
        caller.interrupt();
        scene.noteFailure(thrown.get(30, TimeUnit.SECONDS));
        if (head) {
          chain(scene, subscriber.failure.get(30, TimeUnit.SECONDS));
        }
      });
    });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aTimeoutSaysSo(boolean later) throws Exception {
    isTheSameOverBoth(scene -> scene.with(partly(new CountDownLatch(1), false), (client, peer) -> {
      HttpRequest request = Scene.to(peer, "/").timeout(Duration.ofMillis(200)).build();
      try {
        if (later) {
          var unused = client.sendAsync(request, BodyHandlers.ofString()).get();
        } else {
          var unused = client.send(request, BodyHandlers.ofString());
        }
      } catch (Exception e) {
        Throwable thrown = later ? e.getCause() : e;
        // Over Heddle, the JDK's words are followed by advice.
        scene.note(thrown.getClass() + " " + String.valueOf(thrown.getMessage()).split(";", -1)[0]);
      }
    }));
  }

  // ---- lengths of content

  @ParameterizedTest
  @ValueSource(longs = {3, 6})
  void contentOfAnotherLengthSaysSo(long length) throws Exception {
    isTheSameOverBoth(scene -> scene.with(RawConnection::drain, (client, peer) -> {
      HttpRequest request = Scene.to(peer, "/")
          .POST(BodyPublishers.fromPublisher(BodyPublishers.ofString("hello"), length))
          .build();
      try {
        var unused = client.send(request, BodyHandlers.ofString());
      } catch (IOException e) {
        scene.note(withoutPrefix(e));
      }
      try {
        var unused = client.sendAsync(request, BodyHandlers.ofString()).get();
      } catch (ExecutionException e) {
        scene.note(e.getCause().getClass() + " " + withoutPrefix(e.getCause()));
      }
    }));
  }

  /** The JDK's client names its connection first. */
  private static String withoutPrefix(Throwable thrown) {
    String message = String.valueOf(thrown.getMessage());
    return message.substring(message.indexOf("Too "));
  }

  // ---- content that ends early

  /** Notes what it got before an error. */
  private static final class Counting implements BodySubscriber<String> {
    private final CompletableFuture<String> body = new CompletableFuture<>();
    private final StringBuilder got = new StringBuilder();

    @Override
    public CompletionStage<String> getBody() {
      return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> item) {
      item.forEach(each -> got.append(StandardCharsets.UTF_8.decode(each)));
    }

    @Override
    public void onError(Throwable thrown) {
      body.complete(got + " " + thrown.getClass().getName());
    }

    @Override
    public void onComplete() {
      body.complete(got + " end");
    }
  }

  /** Over the JDK's own client it is delivered sometimes. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 9\r\n\r\nhello",
        "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        "Transfer-Encoding: chunked\r\n\r\n9\r\nhello",
      })
  void contentIsDeliveredBeforeItsFailure(String said) throws Exception {
    try (ScriptedPeer peer = ScriptedPeer.each(
            TcpNetwork.shared(), Outcomes.saying("HTTP/1.1 200 OK\r\n" + said, true));
        HttpClient client = Stack.HEDDLE.client()) {
      HttpRequest request = Scene.to(peer, "/").build();
      assertEquals(
          "hello java.io.IOException",
          client.send(request, head -> new Counting()).body());
    }
  }

  // ---- publishers that fail

  @ParameterizedTest
  @ValueSource(strings = {"length", "subscribe", "request", "error", "next", "null", "late"})
  void publishersThatFailEndTheCallAlike(String where) throws Exception {
    for (Throwable what : List.of(
        new IllegalStateException("a"),
        new IllegalArgumentException("b"),
        new UncheckedIOException(new IOException("c")),
        new IOException("d"),
        new Exception("e"),
        new AssertionError("f"))) {
      isTheSameOverBoth(scene -> scene.with(
          connection -> {
            connection.drain();
          },
          (client, peer) -> noteBoth(
              scene,
              client,
              Scene.to(peer, "/").POST(failing(where, what)).build(),
              BodyHandlers.ofString())));
    }
  }

  private static void rethrow(Throwable what) {
    switch (what) {
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new IllegalStateException(what);
    }
  }

  private static HttpRequest.BodyPublisher failing(String where, Throwable what) {
    return new HttpRequest.BodyPublisher() {
      private int lengths;

      @Override
      public long contentLength() {
        if (where.equals("length") && lengths++ >= 0) {
          rethrow(what);
        }
        return -1;
      }

      @Override
      @SuppressWarnings("NullAway") // A publisher that breaks its contract.
      public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
        if (where.equals("subscribe")) {
          rethrow(what);
        }
        subscriber.onSubscribe(new Flow.Subscription() {
          private boolean asked;

          @Override
          public void request(long count) {
            if (asked) {
              return;
            }
            asked = true;
            switch (where) {
              case "request" -> rethrow(what);
              case "error" -> subscriber.onError(what);
              case "null" -> subscriber.onNext(null);
              case "late" -> {
                subscriber.onNext(ByteBuffer.wrap(new byte[10]));
                subscriber.onError(what);
              }
              default -> {
                subscriber.onNext(ByteBuffer.wrap(new byte[10]));
                rethrow(what);
              }
            }
          }

          @Override
          public void cancel() {}
        });
      }
    };
  }

  /** Over the JDK's own client, the response of a server that reads no more arrives sometimes. */
  @ParameterizedTest
  @ValueSource(strings = {"whole", "cut", "refused"})
  void streamsOfContentAreClosedAlike(String end) throws Exception {
    isTheSameOverBoth(scene -> scene.with(
        connection -> {
          if (connection.hasMore()) {
            connection.expectHead();
            if (end.equals("refused")) {
              connection.send(
                  "HTTP/1.1 413 Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
            }
            if (end.equals("whole")) {
              while (!connection.expectLine().equals("0\r\n")) {
                // Chunks.
              }
              connection.send(OK);
              connection.drain();
            }
          }
        },
        (client, peer) -> {
          CompletableFuture<String> closed = new CompletableFuture<>();
          long length = end.equals("whole") ? 100 : Long.MAX_VALUE;
          HttpRequest request = Scene.to(peer, "/")
              .POST(BodyPublishers.ofInputStream(() -> new Lines(length, closed)))
              .build();
          Scene ending = end.equals("refused") ? Scene.apart(scene) : scene;
          ending.noteOutcome(() -> client.send(request, BodyHandlers.ofString()).statusCode());
          if (!end.equals("whole")) {
            // Nothing that could still close it is left when the client has ended.
            client.shutdownNow();
            assertTrue(client.awaitTermination(Duration.ofSeconds(30)));
            closed.complete("open");
          }
          scene.noteOutcome(() -> closed.get(30, TimeUnit.SECONDS));
        }));
  }

  /** Empty lines, which say that they were closed. */
  private static final class Lines extends InputStream {
    private final CompletableFuture<String> closed;
    private long left;

    Lines(long length, CompletableFuture<String> closed) {
      this.left = length;
      this.closed = closed;
    }

    @Override
    public int read() {
      return left-- > 0 ? '\n' : -1;
    }

    @Override
    public int read(byte[] target, int from, int count) {
      int some = (int) Math.min(count, left);
      java.util.Arrays.fill(target, from, from + some, (byte) '\n');
      left -= some;
      return some == 0 ? -1 : some;
    }

    @Override
    public void close() {
      closed.complete("closed");
    }
  }

  // ---- HEAD

  @ParameterizedTest
  @ValueSource(ints = {200, 204, 304, 401, 403, 407, 500})
  void answersToHeadHaveNoContent(int status) throws Exception {
    assumeTrue(
        NewerApi.IS_THERE || status != 401,
        "the JDK's client of 21 does not fail for want of an authenticator");
    for (boolean asks : new boolean[] {false, true}) {
      isTheSameOverBoth(scene -> scene.with(
          connection -> {
            while (connection.hasMore()) {
              connection.expectHead();
              connection.send("HTTP/1.1 " + status + " X\r\nContent-Length: 300\r\n"
                  + "WWW-Authenticate: Basic realm=a\r\nProxy-Authenticate: Basic realm=a\r\n\r\n");
            }
          },
          builder -> asks
              ? builder.authenticator(new java.net.Authenticator() {
                @Override
                protected java.net.PasswordAuthentication getPasswordAuthentication() {
                  return new java.net.PasswordAuthentication("a", new char[] {'b'});
                }
              })
              : builder,
          (client, peer) -> {
            HttpRequest request = Scene.to(peer, "/").HEAD().build();
            noteBoth(scene, client, request, BodyHandlers.ofString());
            noteBoth(
                scene,
                client,
                Scene.to(peer, "/").HEAD().header("Authorization", "a").build(),
                BodyHandlers.ofString());
          }));
    }
  }
}
