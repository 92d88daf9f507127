package heddle.adapters.okhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.HttpClient;
import heddle.client.settings.PoolLimits;
import heddle.http.syntax.Host;
import heddle.testkit.ScriptedPeer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.security.cert.CertificateException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.net.ssl.SSLHandshakeException;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.Dispatcher;
import okhttp3.Dns;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a caller sees when something goes wrong is the same over Heddle as over OkHttp. */
@Timeout(60)
class ParityTest {
  private static final Dns BROKEN = host -> {
    throw new IllegalStateException("no names today");
  };

  private static Call call(Stack.Running running, String url) {
    return running.client().newCall(new Request.Builder().url(url).build());
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void uncheckedExceptionsOfADnsReachTheCaller(Stack stack) throws Exception {
    Diary diary = new Diary();
    try (Stack.Running running =
        stack.over(new OkHttpClient.Builder().dns(BROKEN).eventListener(diary))) {
      Call call = call(running, "http://name.test/");
      IllegalStateException thrown = assertThrows(IllegalStateException.class, call::execute);
      assertEquals("no names today", thrown.getMessage());
    }
    assertEquals(
        List.of(
            "callStart",
            "proxySelectStart",
            "proxySelectEnd [DIRECT]",
            "dnsStart name.test",
            "callEnd"),
        diary.without("cacheMiss"));
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void uncheckedExceptionsOfADnsCancelAnEnqueuedCallAndReachItsThread(Stack stack)
      throws Exception {
    CompletableFuture<Throwable> reached = new CompletableFuture<>();
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(0, 4, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
          Thread thread = new Thread(task);
          thread.setUncaughtExceptionHandler((on, e) -> reached.complete(e));
          return thread;
        });
    CompletableFuture<IOException> told = new CompletableFuture<>();
    try (Stack.Running running =
        stack.over(new OkHttpClient.Builder().dns(BROKEN).dispatcher(new Dispatcher(threads)))) {
      call(running, "http://name.test/").enqueue(new Callback() {
        @Override
        public void onFailure(Call call, IOException e) {
          told.complete(e);
        }

        @Override
        public void onResponse(Call call, Response response) {
          response.close();
          told.completeExceptionally(new AssertionError("there is a response"));
        }
      });
      IOException failure = told.get();
      assertEquals(
          "canceled due to java.lang.IllegalStateException: no names today", failure.getMessage());
      assertSame(failure.getCause(), reached.get());
    }
  }

  @ParameterizedTest
  @EnumSource
  void theCauseOfAnUntrustedServerIsTheReasonOfTheTrustManager(Stack stack) throws Exception {
    try (MockWebServer server = secure("localhost");
        Stack.Running running = stack.start()) {
      Call call = call(running, server.url("/").toString());
      SSLHandshakeException refused = assertThrows(SSLHandshakeException.class, call::execute);
      assertInstanceOf(CertificateException.class, refused.getCause());
    }
  }

  private static final HeldCertificate ROOT =
      new HeldCertificate.Builder().certificateAuthority(0).build();

  private static MockWebServer secure(String host) throws IOException {
    HeldCertificate own = new HeldCertificate.Builder()
        .addSubjectAlternativeName(host)
        .signedBy(ROOT)
        .build();
    MockWebServer server = PromptServer.create();
    server.useHttps(
        new HandshakeCertificates.Builder().heldCertificate(own).build().sslSocketFactory());
    server.start(InetAddress.getLoopbackAddress(), 0);
    return server;
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void anotherAddressIsTriedAfterAFailedHandshake(Stack stack) throws Exception {
    HandshakeCertificates trusting = new HandshakeCertificates.Builder()
        .addTrustedCertificate(ROOT.certificate())
        .build();
    Diary diary = new Diary();
    try (MockWebServer server = secure("name.test");
        ServerSocket closing = new ServerSocket(server.getPort(), 5, Host.address("127.0.0.2"))) {
      server.enqueue(new MockResponse.Builder().body("four").build());
      Thread.ofVirtual().start(() -> {
        try {
          while (true) {
            closing.accept().close();
          }
        } catch (IOException e) {
          assertTrue(closing.isClosed());
        }
      });
      Dns both = host -> List.of(Host.address("127.0.0.2"), InetAddress.getLoopbackAddress());
      try (Stack.Running running = stack.over(new OkHttpClient.Builder()
              .dns(both)
              .eventListener(diary)
              .sslSocketFactory(trusting.sslSocketFactory(), trusting.trustManager()));
          Response response =
              call(running, "https://name.test:" + server.getPort() + "/").execute()) {
        assertEquals("four", response.body().string());
      }
    }
    assertEquals(1, diary.entries.stream().filter("dnsStart name.test"::equals).count());
    List<String> opening = diary.from("dnsStart name.test");
    assertEquals("connectStart DIRECT", opening.get(2));
    assertEquals("secureConnectStart", opening.get(3));
    assertTrue(opening.get(4).startsWith("connectFailed"), opening::toString);
    assertEquals(
        List.of("connectStart DIRECT", "secureConnectStart", "secureConnectEnd TLS_1_3"),
        opening.stream()
            .skip(5)
            .dropWhile(each -> !each.equals("connectStart DIRECT"))
            .limit(3)
            .toList());
  }

  private static final Logger LOGGER = Logger.getLogger(OkHttpClient.class.getName());

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR", "GIVEN"})
  void aResponseThatIsNeitherReadNorClosedIsLogged(Stack stack) throws Exception {
    LinkedBlockingQueue<String> logged = new LinkedBlockingQueue<>();
    Handler handler = new Handler() {
      @Override
      public void publish(LogRecord entry) {
        logged.add(entry.getMessage());
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
    LOGGER.addHandler(handler);
    try (MockWebServer server = PromptServer.create()) {
      server.start();
      server.enqueue(new MockResponse.Builder().body("leaks").build());
      okhttp3.ConnectionPool brief = new okhttp3.ConnectionPool(0, 10, TimeUnit.MILLISECONDS);
      try (Stack.Running running = stack.over(new OkHttpClient.Builder().connectionPool(brief))) {
        leak(running, server.url("/path").toString());
        String wanted = "A connection to " + server.url("/")
            + " was leaked. Did you forget to close a response body?";
        // Other tests may have leaked too.
        String message = "";
        while (message == null || !message.startsWith(wanted)) {
          System.gc();
          message = logged.poll(20, TimeUnit.MILLISECONDS);
        }
      }
    } finally {
      LOGGER.removeHandler(handler);
    }
  }

  private static void leak(Stack.Running running, String url) throws IOException {
    assertEquals(200, call(running, url).execute().code());
  }

  @ParameterizedTest
  @EnumSource
  void anInterruptedThreadReadsNoContent(Stack stack) throws Exception {
    try (MockWebServer server = PromptServer.create()) {
      server.start();
      server.enqueue(new MockResponse.Builder().body("x".repeat(100_000)).build());
      try (Stack.Running running = stack.start();
          Response response = call(running, server.url("/").toString()).execute()) {
        Thread.currentThread().interrupt();
        assertThrows(InterruptedIOException.class, () -> response.body().string());
        assertTrue(Thread.interrupted());
      }
    }
  }

  @Test
  void aResponseThatCouldNotBeReadHoldsNoConnection() throws Exception {
    PoolLimits one = PoolLimits.builder().maxPerRoute(1).build();
    try (MockWebServer server = PromptServer.create();
        HttpClient heddle = HttpClient.builder().plain().poolLimits(one).build()) {
      server.start();
      server.enqueue(new MockResponse.Builder().body("x".repeat(100_000)).build());
      server.enqueue(new MockResponse.Builder().body("next").build());
      OkHttpClient client = HeddleCallFactory.of(new OkHttpClient(), heddle).client();
      Request request = new Request.Builder().url(server.url("/")).build();
      try (Response response = client.newCall(request).execute()) {
        Thread.currentThread().interrupt();
        assertThrows(InterruptedIOException.class, () -> response.body().string());
        assertTrue(Thread.interrupted());
      }
      try (Response next = client.newCall(request).execute()) {
        assertEquals("next", next.body().string());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void anInterruptedThreadSendsNoContent(Stack stack) throws Exception {
    try (MockWebServer server = PromptServer.create()) {
      server.start();
      server.enqueue(new MockResponse.Builder().build());
      try (Stack.Running running = stack.start()) {
        RequestBody body = new WrittenBody(-1, sink -> {
          Thread.currentThread().interrupt();
          sink.write(new byte[100_000]).flush();
        });
        Request request = new Request.Builder().url(server.url("/")).post(body).build();
        assertThrows(
            InterruptedIOException.class,
            () -> running.client().newCall(request).execute());
        assertTrue(Thread.interrupted() || stack != Stack.STOCK);
      }
    }
  }

  /** Also if the sockets have small buffers, so that writing waits. */
  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void interruptingTheCallersThreadEndsACallThatSendsContent(Stack stack) throws Exception {
    Thread caller = Thread.currentThread();
    ScriptedPeer.Script script = connection -> {
      connection.expectHead();
      connection.expectBytes(1);
      caller.interrupt();
      connection.drain();
    };
    CountDownLatch never = new CountDownLatch(1);
    RequestBody endless = new WrittenBody(-1, sink -> {
      while (never.getCount() > 0) {
        sink.writeByte('x').flush();
        // On one core, a virtual thread that never waits keeps out the server's.
        LockSupport.parkNanos(100_000);
      }
    });
    OkHttpClient.Builder client = new OkHttpClient.Builder()
        .socketFactory(SettingsTest.OwnSockets.with(made -> {
          made.setSendBufferSize(16 * 1024);
          made.setReceiveBufferSize(16 * 1024);
        }));
    ScriptedPeer.visit(script, peer -> {
      try (Stack.Running running = stack.over(client)) {
        Request request = new Request.Builder().url(peer.url("/")).post(endless).build();
        Call call = running.client().newCall(request);
        assertThrows(InterruptedIOException.class, call::execute);
        assertTrue(Thread.interrupted());
      }
    });
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void interruptingTheReadersThreadEndsItsBody(Stack stack) throws Exception {
    Thread reader = Thread.currentThread();
    CountDownLatch reading = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    ScriptedPeer.Script script = connection -> {
      connection.expectHead();
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\nx");
      reading.await();
      reader.interrupt();
      try {
        for (int i = 0; i < 100_000; i++) {
          connection.send("x".repeat(8192));
        }
      } catch (IOException e) {
        closed.countDown(); // The reader has closed its end.
      }
    };
    ScriptedPeer.visit(script, peer -> {
      try (Stack.Running running = stack.start()) {
        try (Response response = call(running, peer.url("/")).execute()) {
          assertEquals('x', response.body().source().readByte());
          reading.countDown();
          assertThrows(
              InterruptedIOException.class, () -> response.body().source().skip(999_999_999));
          assertTrue(Thread.interrupted());
        }
        closed.await();
      }
    });
  }

  @ParameterizedTest
  @CsvSource({
    "STOCK, HTTP_1_1",
    "FACTORY, HTTP_1_1",
    "STOCK, H2_PRIOR_KNOWLEDGE",
    "FACTORY, H2_PRIOR_KNOWLEDGE"
  })
  void aServerThatAnswersBeforeItHasReadTheRequestIsHeard(Stack stack, Protocol protocol)
      throws Exception {
    Diary diary = new Diary();
    try (MockWebServer server = PromptServer.create()) {
      server.setProtocols(List.of(protocol));
      server.start();
      server.enqueue(
          new MockResponse.Builder().body("abc").doNotReadRequestBody().build());
      RequestBody body = new WrittenBody(-1, sink -> {
        for (int i = 0; i < 4096; i++) {
          sink.write(new byte[8192]);
        }
      });
      try (Stack.Running running = stack.over(
              new OkHttpClient.Builder().protocols(List.of(protocol)).eventListener(diary));
          Response response = running
              .client()
              .newCall(new Request.Builder().url(server.url("/")).post(body).build())
              .execute()) {
        assertEquals("abc", response.body().string());
      }
    }
    assertEquals(
        List.of(
            "requestBodyStart",
            "requestFailed",
            "responseHeadersStart",
            "responseHeadersEnd 200",
            "followUpDecision 200 -",
            "responseBodyStart",
            "responseBodyEnd 3",
            "connectionReleased",
            "callEnd"),
        diary.from("requestBodyStart").stream()
            .map(each -> each.replaceFirst("(requestFailed) .*", "$1"))
            .toList());
  }
}
