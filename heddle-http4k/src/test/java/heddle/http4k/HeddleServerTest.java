package heddle.http4k;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.HttpClient;
import heddle.http.Body;
import heddle.http.HttpVersion;
import heddle.http.Method;
import heddle.http.Request;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import kotlin.jvm.functions.Function1;
import org.http4k.core.Response;
import org.http4k.core.Status;
import org.http4k.server.Http4kServer;
import org.http4k.server.ServerConfig.StopMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Handlers of http4k on Heddle's server, called over both versions of HTTP. */
@Timeout(60)
final class HeddleServerTest {
  /** Both versions that clients speak. */
  enum Version {
    HTTP_1_1,
    HTTP_2;

    HttpClient client() {
      return HttpClient.builder().version(HttpVersion.valueOf(name())).build();
    }
  }

  /** A handler, so that lambdas need no types. */
  interface Handler extends Function1<org.http4k.core.Request, Response> {}

  private static Http4kServer serve(Handler handler) {
    return new HeddleServer(0).toServer(handler).start();
  }

  private static String url(Http4kServer server, String path) {
    return "http://127.0.0.1:" + server.port() + path;
  }

  private static byte[] random(int size) {
    byte[] content = new byte[size];
    new Random(size).nextBytes(content);
    return content;
  }

  private static Response ok(String content) {
    return Response.create(Status.OK).body(content);
  }

  @ParameterizedTest
  @EnumSource
  void handlersSeeTheRequest(Version version) throws Exception {
    Handler handler = request -> ok(request.getMethod() + " " + request.getUri() + " "
        + request.getVersion() + " " + request.query("q") + " "
        + request.headerValues("x-many") + " " + request.bodyString());
    try (Http4kServer server = serve(handler);
        HttpClient client = version.client()) {
      Request post = Request.builder(url(server, "/a%2Fb?q=1%202"))
          .method(Method.POST)
          .header("X-Many", "one")
          .header("X-Many", "two")
          .body(Body.of("weft"))
          .build();
      assertEquals(
          "POST /a%2Fb?q=1%202 " + HttpVersion.valueOf(version.name()) + " 1 2 [one, two] weft",
          client.send(post).string());
    }
  }

  @ParameterizedTest
  @EnumSource
  void handlersSeeTheirPeer(Version version) throws Exception {
    Handler handler = request -> ok(request.getSource().getAddress() + " "
        + (request.getSource().getPort() > 0) + " " + request.getSource().getScheme());
    try (Http4kServer server = serve(handler);
        HttpClient client = version.client()) {
      assertEquals("127.0.0.1 true http", client.get(url(server, "/")).string());
    }
  }

  @ParameterizedTest
  @EnumSource
  void statusesAndFieldsAreSent(Version version) throws Exception {
    Handler handler = request -> Response.create(new Status(418, "I am a teapot\n"))
        .header("X-Back", "a")
        .header("X-Back", "b")
        .header("X-Null", null)
        .body("short and stout");
    try (Http4kServer server = serve(handler);
        HttpClient client = version.client();
        heddle.http.Response response = client.get(url(server, "/"))) {
      assertEquals(418, response.status().code());
      assertEquals(List.of("a", "b"), response.headers().all("X-Back"));
      assertEquals("", response.headers().first("X-Null"));
      assertEquals("15", response.headers().first("Content-Length"));
      assertEquals("short and stout", response.string());
    }
  }

  @ParameterizedTest
  @CsvSource({"HTTP_1_1,0", "HTTP_1_1,1000000", "HTTP_2,0", "HTTP_2,1000000"})
  void bodiesAreStreams(Version version, int size) throws Exception {
    byte[] content = random(size);
    Handler handler =
        request -> Response.create(Status.OK).body(request.getBody().getStream(), null);
    try (Http4kServer server = serve(handler);
        HttpClient client = version.client()) {
      Request known = Request.post(url(server, "/"), Body.of(content));
      assertArrayEquals(content, client.send(known).bytes());
      Request unknown = Request.post(url(server, "/"), Body.of(new ByteArrayInputStream(content)));
      assertArrayEquals(content, client.send(unknown).bytes());
    }
  }

  @Test
  void handlersKnowTheLengthOfContent() throws Exception {
    Handler handler = request -> ok("" + request.getBody().getLength());
    try (Http4kServer server = serve(handler);
        HttpClient client = HttpClient.create()) {
      assertEquals("0", client.get(url(server, "/")).string());
      assertEquals(
          "4", client.send(Request.post(url(server, "/"), Body.of("weft"))).string());
      Body stream = Body.of(new ByteArrayInputStream(new byte[1]));
      assertEquals("null", client.send(Request.post(url(server, "/"), stream)).string());
    }
  }

  @ParameterizedTest
  @EnumSource
  void contentArrivesAsItIsWritten(Version version) throws Exception {
    PipedOutputStream out = new PipedOutputStream();
    PipedInputStream in = new PipedInputStream(out);
    Handler handler = request -> Response.create(Status.OK).body(in, null);
    try (Http4kServer server = serve(handler);
        HttpClient client = version.client()) {
      out.write(new byte[] {1, 2, 3});
      out.flush();
      try (heddle.http.Response response = client.get(url(server, "/"));
          InputStream content = response.body().stream()) {
        assertEquals(3, content.readNBytes(3).length);
        out.write(4);
        out.close();
        assertArrayEquals(new byte[] {4}, content.readAllBytes());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void streamsAreClosed(Version version) throws Exception {
    Semaphore closed = new Semaphore(0);
    Handler handler = request -> Response.create(Status.OK)
        .body(
            new ByteArrayInputStream(new byte[10]) {
              @Override
              public void close() {
                closed.release();
              }
            },
            10L);
    try (Http4kServer server = serve(handler);
        HttpClient client = version.client()) {
      assertEquals(10, client.get(url(server, "/")).bytes().length);
      try (heddle.http.Response head = client.send(Request.head(url(server, "/")))) {
        assertEquals("10", head.headers().first("Content-Length"));
      }
      assertTrue(closed.tryAcquire(2, 20, TimeUnit.SECONDS));
    }
  }

  /** A handler may pass on what a client has received, whose content was in another form. */
  @ParameterizedTest
  @EnumSource
  void fieldsAboutFramingYieldToTheContent(Version version) throws Exception {
    Handler handler = request -> ok("decoded")
        .header("Content-Length", "3")
        .header("Transfer-Encoding", "chunked")
        .header("Connection", "keep-alive");
    Handler without = request -> Response.create(Status.NO_CONTENT).header("Content-Length", "0");
    try (Http4kServer server = serve(handler);
        Http4kServer other = serve(without);
        HttpClient client = version.client()) {
      assertEquals("decoded", client.get(url(server, "/")).string());
      assertEquals(204, client.get(url(other, "/")).status().code());
    }
  }

  @Test
  void headMayKnowALengthWithoutContent() throws Exception {
    Handler handler = request -> Response.create(Status.OK).header("Content-Length", "1234");
    try (Http4kServer server = serve(handler);
        HttpClient client = HttpClient.create();
        heddle.http.Response response = client.send(Request.head(url(server, "/")))) {
      assertEquals("1234", response.headers().first("Content-Length"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void methodsThatHttp4kDoesNotKnowAreRefused(Version version) throws Exception {
    try (Http4kServer server = serve(request -> ok("known"));
        HttpClient client = version.client()) {
      Request weave =
          Request.builder(url(server, "/")).method(Method.of("WEAVE")).build();
      assertEquals(501, client.send(weave).status().code());
      Request purge =
          Request.builder(url(server, "/")).method(Method.of("PURGE")).build();
      assertEquals("known", client.send(purge).string());
    }
  }

  @Test
  void failuresAreAnsweredWithoutDetails() throws Exception {
    Handler handler = request -> {
      throw new IllegalStateException("the secret");
    };
    try (Http4kServer server = serve(handler);
        HttpClient client = HttpClient.create();
        heddle.http.Response response = client.get(url(server, "/"))) {
      assertEquals(500, response.status().code());
      assertFalse(response.string().contains("secret"));
    }
  }

  @Test
  void contentThatFailsMidwayIsCut() throws Exception {
    InputStream broken = new InputStream() {
      private int count;

      @Override
      public int read() throws IOException {
        if (count++ < 100_000) {
          return 'x';
        }
        throw new IOException("the shuttle is stuck");
      }
    };
    Handler handler = request -> Response.create(Status.OK).body(broken, null);
    try (Http4kServer server = serve(handler);
        HttpClient client = HttpClient.create();
        heddle.http.Response response = client.get(url(server, "/"))) {
      assertThrows(IOException.class, response::bytes);
    }
  }

  @Test
  void gracefulStopsWaitForRunningRequests() throws Exception {
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Handler handler = request -> {
      began.countDown();
      try {
        goOn.await();
      } catch (InterruptedException e) {
        return Response.create(Status.SERVICE_UNAVAILABLE);
      }
      return ok("done");
    };
    StopMode graceful = new StopMode.Graceful(Duration.ofSeconds(30));
    Http4kServer server = new HeddleServer(0, graceful).toServer(handler).start();
    try (HttpClient client = HttpClient.create()) {
      Request get = Request.get(url(server, "/"));
      var answer = CompletableFuture.supplyAsync(() -> string(client, get));
      began.await();
      Thread stopping = Thread.startVirtualThread(server::stop);
      while (stopping.getState() != Thread.State.WAITING
          && stopping.getState() != Thread.State.TIMED_WAITING) {
        Thread.yield();
      }
      goOn.countDown();
      assertEquals("done", answer.get());
      stopping.join();
    }
  }

  private static String string(HttpClient client, Request request) {
    try {
      return client.send(request).string();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void immediateStopsInterruptRunningRequests() throws Exception {
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    Handler handler = request -> {
      began.countDown();
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        interrupted.countDown();
      }
      return ok("too late");
    };
    Http4kServer server = serve(handler);
    try (HttpClient client = HttpClient.builder().plain().build()) {
      Request get = Request.get(url(server, "/"));
      var answer = CompletableFuture.supplyAsync(() -> string(client, get));
      began.await();
      server.stop();
      interrupted.await();
      assertThrows(Exception.class, answer::get);
    }
  }

  @Test
  void serversCanBeStartedAgain() throws Exception {
    Http4kServer server = new HeddleServer(0).toServer(request -> ok("up"));
    assertThrows(IllegalStateException.class, server::port);
    try (HttpClient client = HttpClient.create()) {
      for (int round = 0; round < 2; round++) {
        server.start();
        assertThrows(IllegalStateException.class, server::start);
        String url = url(server, "/");
        assertEquals("up", client.get(url).string());
        Thread blocked = Thread.startVirtualThread(server::block);
        server.stop().stop();
        blocked.join();
        assertThrows(IOException.class, () -> client.get(url));
      }
    }
  }

  @Test
  void portsInUseAreReported() throws Exception {
    try (ServerSocket taken = new ServerSocket(0)) {
      Http4kServer server = new HeddleServer(taken.getLocalPort()).toServer(request -> ok(""));
      assertEquals(taken.getLocalPort(), server.port());
      Exception e = assertThrows(UncheckedIOException.class, server::start);
      assertTrue(e.getMessage().contains("" + taken.getLocalPort()), e.getMessage());
    }
  }

  @Test
  void settingsOfTheServerApply() throws Exception {
    HeddleServer config =
        new HeddleServer(0, StopMode.Immediate.INSTANCE, builder -> builder.maxBodyBytes(10));
    Handler handler = request -> ok(request.bodyString());
    try (Http4kServer server = config.toServer(handler).start();
        HttpClient client = HttpClient.create()) {
      Request post = Request.post(url(server, "/"), Body.of(new byte[11]));
      assertEquals(413, client.send(post).status().code());
    }
  }

  @Test
  void thereAreDefaults() {
    assertEquals(StopMode.Immediate.INSTANCE, new HeddleServer().getStopMode());
    assertEquals(8000, new HeddleServer().toServer(request -> ok("")).port());
  }

  @ParameterizedTest
  @ValueSource(strings = {"OPTIONS", "TRACE"})
  void methodsWithoutContentAreAnswered(String method) throws Exception {
    try (Http4kServer server = serve(request -> Response.create(Status.OK));
        HttpClient client = HttpClient.create();
        heddle.http.Response response = client.send(
            Request.builder(url(server, "/")).method(Method.of(method)).build())) {
      assertEquals(200, response.status().code());
      assertNull(response.body().mediaType());
    }
  }
}
