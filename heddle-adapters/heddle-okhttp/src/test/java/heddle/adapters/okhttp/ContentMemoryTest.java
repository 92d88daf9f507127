package heddle.adapters.okhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import heddle.codec.Role;
import heddle.codec.http2.frame.Frame;
import heddle.codec.http2.frame.Settings;
import heddle.testkit.Http2Peer;
import heddle.testkit.RawConnection;
import heddle.testkit.ScriptedPeer;
import heddle.testkit.mock.Callers;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.ProtocolException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okio.Buffer;
import okio.ByteString;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Content that is collected in memory, which is used again and never by two at a time. */
@Timeout(60)
class ContentMemoryTest {
  private static final int KIB = 1024;

  private static String send(Stack.Running running, String method, String url, RequestBody body)
      throws IOException {
    Request request =
        new Request.Builder().url(HttpUrl.get(url)).method(method, body).build();
    try (Response response = running.client().newCall(request).execute()) {
      return response.body().string();
    }
  }

  private static byte[] filled(int length, char with) {
    byte[] content = new byte[length];
    Arrays.fill(content, (byte) with);
    return content;
  }

  private static MockServer digesting() throws IOException {
    MockServer server = MockServer.start();
    server.handler(request -> MockResponse.ok(digest(request.body())));
    return server;
  }

  /** Quick also where little of the test is compiled. */
  private static String digest(byte[] content) {
    CRC32 digest = new CRC32();
    digest.update(content);
    return content.length + " bytes, " + digest.getValue();
  }

  private static void sendFromMany(Stack stack, Stack.Running running, String url)
      throws Exception {
    // OkHttp itself shows only that the test is right, and takes the longest.
    int calls = stack == Stack.STOCK ? 5 : 25;
    Callers.atOnce(8, random -> {
      for (int i = 0; i < calls; i++) {
        byte[] content = new byte[random.nextInt(1, 300 * KIB)];
        random.nextBytes(content);
        assertEquals(
            digest(content), send(running, "POST", url, RequestBody.create(content, null)));
      }
    });
  }

  @ParameterizedTest
  @EnumSource
  void contentOfManyCallersIsNotMixedUp(Stack stack) throws Exception {
    try (MockServer server = digesting();
        Stack.Running running = stack.start()) {
      sendFromMany(stack, running, server.url("/"));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void contentOfManyCallersIsNotMixedUpOnOneConnection(Stack stack) throws Exception {
    OkHttpClient.Builder client =
        new OkHttpClient.Builder().protocols(List.of(Protocol.H2_PRIOR_KNOWLEDGE));
    try (MockServer server = digesting();
        Stack.Running running = stack.over(client)) {
      sendFromMany(stack, running, server.url("/"));
    }
  }

  /** The memory of what was written serves other calls, until the first has to be sent again. */
  @ParameterizedTest
  @EnumSource(names = {"FACTORY", "INTERCEPTOR", "GIVEN"})
  void contentThatIsSentOnceMoreIsNotThatOfAnotherCall(Stack stack) throws Exception {
    byte[] mine = filled(40 * KIB, 'm');
    AtomicInteger connections = new AtomicInteger();
    List<byte[]> came = new CopyOnWriteArrayList<>();
    try (MockServer another = digesting();
        Stack.Running running = stack.start()) {
      ScriptedPeer.Script script = connection -> {
        boolean first = connections.getAndIncrement() == 0;
        if (first) {
          connection.expectHead();
          connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");
        }
        connection.expectHead();
        came.add(connection.expectBytes(mine.length));
        if (first) {
          for (int i = 0; i < 10; i++) {
            send(
                running,
                "POST",
                another.url("/"),
                RequestBody.create(filled(mine.length, 'o'), null));
          }
          connection.close();
        } else {
          connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nheard");
          connection.hasMore();
        }
      };
      try (ScriptedPeer peer = ScriptedPeer.each(TcpNetwork.shared(), script)) {
        running.get(HttpUrl.get(peer.url("/"))).close();
        assertEquals("heard", send(running, "PUT", peer.url("/"), RequestBody.create(mine, null)));
      }
    }
    assertEquals(2, came.size());
    assertEquals(ByteString.of(mine), ByteString.of(came.getFirst()));
    assertEquals(ByteString.of(mine), ByteString.of(came.getLast()));
  }

  /** Its memory holds what others have sent. */
  @ParameterizedTest
  @EnumSource(names = {"FACTORY", "INTERCEPTOR", "GIVEN"})
  void aBodyThatHidesThatItIsTooShortFailsItsCall(Stack stack) throws Exception {
    for (int length : new int[] {4, 20 * KIB, 1000 * KIB}) {
      RequestBody hiding = new WrittenBody(length, sink -> {
        sink.writeUtf8("te");
        try {
          sink.close();
        } catch (IOException e) {
          // It continues as if nothing had happened.
        }
      });
      try (MockServer server = digesting();
          Stack.Running running = stack.start()) {
        assertThrows(ProtocolException.class, () -> send(running, "POST", server.url("/"), hiding));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FACTORY", "INTERCEPTOR", "GIVEN"})
  void upTo256KibibytesAreWrittenOnTheThreadOfTheCall(Stack stack) throws Exception {
    try (MockServer server = digesting();
        Stack.Running running = stack.start()) {
      for (int length : new int[] {1, 256 * KIB, 256 * KIB + 1}) {
        CompletableFuture<Thread> writer = new CompletableFuture<>();
        byte[] content = filled(length, 'x');
        send(running, "POST", server.url("/"), new WrittenBody(length, sink -> {
          writer.complete(Thread.currentThread());
          sink.write(content);
        }));
        assertEquals(
            length <= 256 * KIB, writer.get() == Thread.currentThread(), length + " bytes");
      }
    }
  }

  @Test
  void theMemoryOfOneCallServesTheNext() throws Exception {
    byte[] content = filled(60 * KIB, 'x');
    RequestBody body = new WrittenBody(content.length, sink -> sink.write(content));
    // Without a write timeout, nothing else needs to know when it was written.
    OkHttpClient.Builder client = new OkHttpClient.Builder().writeTimeout(Duration.ZERO);
    try (MockServer server = digesting();
        Stack.Running running = Stack.FACTORY.over(client)) {
      long each = 0;
      for (int i = 0; i < 60; i++) {
        long before = allocated();
        send(running, "POST", server.url("/"), body);
        each += i < 20 ? 0 : (allocated() - before) / 40;
      }
      assertTrue(each < content.length, each + " bytes were allocated for each call");
    }
  }

  /** What this thread has allocated, in bytes. */
  private static long allocated() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
  }

  /** Content that waits in a connection which many share, since the server reads nothing. */
  @Nested
  @Timeout(60)
  class OnASharedConnection {
    private static final int LENGTH = 200 * 1024;

    /** More than the socket buffers hold, so that most of it waits. */
    private static final int CALLS = 64;

    private final CountDownLatch allWritten = new CountDownLatch(CALLS);

    /** Reads nothing until all has been written, and then answers each content with its digest. */
    private void serve(RawConnection connection) throws IOException, InterruptedException {
      Http2Peer h2 = Http2Peer.of(Role.SERVER, connection);
      h2.handshake(Settings.MAX_CONCURRENT_STREAMS, 1000, Settings.INITIAL_WINDOW_SIZE, LENGTH);
      h2.sendWindowUpdate(0, CALLS * LENGTH);
      h2.sendResponse(h2.expectHeaders().streamId(), 200, "ready");
      allWritten.await();
      Map<Integer, Buffer> contents = new HashMap<>();
      for (Frame frame = h2.nextFrame(); frame != null; frame = h2.nextFrame()) {
        if (frame instanceof Frame.Headers head) {
          contents.put(h2.readHead(head).streamId(), new Buffer());
        } else if (frame instanceof Frame.Data data) {
          byte[] octets = new byte[data.data().remaining()];
          data.data().get(octets);
          Buffer content = contents.get(data.streamId()).write(octets);
          if (data.endStream()) {
            h2.sendResponse(data.streamId(), 200, content.sha256().hex());
          }
        }
      }
    }

    private static String answer(Stack.Running running, Request request) throws IOException {
      try (Response response = running.client().newCall(request).execute()) {
        return response.body().string();
      }
    }

    private String post(
        Stack.Running running, HttpUrl url, byte[] content, CompletableFuture<String> written) {
      WrittenBody body = new WrittenBody(content.length, sink -> {
        sink.write(content);
        written.complete("written");
        allWritten.countDown();
      });
      try {
        return answer(running, new Request.Builder().url(url).post(body).build());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @ParameterizedTest
    @EnumSource(names = {"FACTORY", "INTERCEPTOR"})
    void contentThatWaitsForOthersIsNotOverwrittenByTheNext(Stack stack) throws Exception {
      OkHttpClient.Builder client = new OkHttpClient.Builder()
          .protocols(List.of(Protocol.H2_PRIOR_KNOWLEDGE))
          .writeTimeout(Duration.ZERO)
          .readTimeout(Duration.ZERO);
      try (ScriptedPeer peer = ScriptedPeer.each(TcpNetwork.shared(), this::serve);
          Stack.Running running = stack.over(client);
          ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
        HttpUrl url = HttpUrl.get(peer.url("/"));
        assertEquals("ready", answer(running, new Request.Builder().url(url).build()));
        List<String> sent = new ArrayList<>();
        List<CompletableFuture<String>> heard = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
          byte[] content = new byte[LENGTH];
          Arrays.fill(content, (byte) i);
          sent.add(new Buffer().write(content).sha256().hex());
          CompletableFuture<String> written = new CompletableFuture<>();
          CompletableFuture<String> answer =
              CompletableFuture.supplyAsync(() -> post(running, url, content, written), callers);
          heard.add(answer);
          CompletableFuture.anyOf(written, answer).get();
        }
        for (int i = 0; i < CALLS; i++) {
          assertEquals(sent.get(i), heard.get(i).get());
        }
      }
    }
  }
}
