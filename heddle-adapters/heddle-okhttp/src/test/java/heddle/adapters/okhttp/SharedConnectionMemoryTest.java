package heddle.adapters.okhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.codec.Role;
import heddle.codec.http2.frame.DataFrame;
import heddle.codec.http2.frame.Frame;
import heddle.codec.http2.frame.HeadersFrame;
import heddle.codec.http2.frame.Settings;
import heddle.testkit.Http2Peer;
import heddle.testkit.RawConnection;
import heddle.testkit.ScriptedPeer;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okio.Buffer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Content that waits in a connection which many share, since the server reads nothing. */
@Timeout(60)
class SharedConnectionMemoryTest {
  private static final int LENGTH = 200 * 1024;

  /** More than the sockets between take, so that most of it waits. */
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
      if (frame instanceof HeadersFrame head) {
        contents.put(h2.readHead(head).streamId(), new Buffer());
      } else if (frame instanceof DataFrame data) {
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
