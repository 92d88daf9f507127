package heddle.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.routes.ExperimentRoutes;
import heddle.client.HttpClient;
import heddle.http.Body;
import heddle.http.HttpVersion;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.failure.ConnectionLostException;
import heddle.http.failure.TlsException;
import heddle.server.HttpServer;
import heddle.testkit.SimNetwork;
import heddle.transport.Channel;
import heddle.transport.ChannelListener;
import heddle.transport.SecureChannel;
import heddle.transport.time.Deadline;
import heddle.transport.tls.JsseTls;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP/1.1 over TLS between our client and our server, in a simulated network. */
@Timeout(120)
final class HttpsTest {
  private static final InetSocketAddress HERE =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final int MIB = 1 << 20;

  private final SelfSigned self;
  private final TlsOptions trusting;
  private final TlsOptions being;

  HttpsTest() throws IOException {
    self = SelfSigned.create();
    trusting = TlsOptions.builder().trust(List.of(self.certificate())).build();
    being =
        TlsOptions.builder().identity(List.of(self.certificate()), self.key()).build();
  }

  private static HttpClient client(SimNetwork network, TlsOptions options) {
    return HttpClient.builder()
        .network(network)
        .resolver((host, deadline) -> List.of(InetAddress.getLoopbackAddress()))
        .tls(options)
        .version(HttpVersion.HTTP_1_1)
        .build();
  }

  private HttpServer server(SimNetwork network) throws IOException {
    return HttpServer.builder()
        .network(network)
        .address(HERE)
        .tls(being)
        .handler(new ExperimentRoutes())
        .closeTimeout(Duration.ZERO)
        .start();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 4_000, 60_000})
  void largeBodiesGoBothWaysThroughPiecesAndSmallWindows(int piece) throws Exception {
    SimNetwork.Builder builder = SimNetwork.builder().seed(piece).sendBuffer(64 * 1024);
    if (piece > 0) {
      builder.maxReadBytes(piece).maxWriteBytes(piece);
    }
    byte[] content = new byte[MIB];
    new Random(piece).nextBytes(content);
    try (SimNetwork network = builder.build();
        HttpServer server = server(network);
        HttpClient client = client(network, trusting)) {
      String url = "https://localhost:" + server.port() + "/echo";
      for (int i = 0; i < 3; i++) {
        try (Response response = client.send(Request.post(url, Body.of(content)))) {
          assertArrayEquals(content, response.bytes());
        }
      }
      assertEquals(1, network.connections().size(), "connections");
    }
  }

  @Test
  void aFlightRecordingTellsWhatTheHandshakeHasSettled() throws Exception {
    CompletableFuture<RecordedEvent> handshake = new CompletableFuture<>();
    try (RecordingStream recording = new RecordingStream();
        SimNetwork network = SimNetwork.create();
        HttpServer server = server(network);
        HttpClient client = client(network, trusting)) {
      recording.enable("heddle.Tls").withoutThreshold();
      recording.onEvent("heddle.Tls", handshake::complete);
      recording.startAsync();
      client.send(Request.get("https://localhost:" + server.port() + "/hello")).close();
      RecordedEvent event = handshake.get();
      assertEquals("TLSv1.3", event.getString("protocol"));
      assertTrue(event.getString("cipherSuite").startsWith("TLS_"), event.toString());
      assertEquals("http/1.1", event.getString("applicationProtocol"));
    }
  }

  @Test
  void callFailsWithWhatIsWrongAndLeavesNothingBehind() throws Exception {
    try (SimNetwork network = SimNetwork.create();
        HttpServer server = server(network);
        HttpClient client = client(network, trusting)) {
      Request request = Request.get("https://b.test:" + server.port() + "/hello");
      TlsException failure = assertThrows(TlsException.class, () -> client.send(request));
      assertEquals(TlsException.Reason.WRONG_HOST, failure.reason());
      assertEquals(Phase.TLS, failure.at().phase());
      assertTrue(
          failure.getMessage().contains("not for b.test but for localhost, 127.0.0.1"),
          failure.getMessage());
      assertEquals(0, client.pool().open());
    }
  }

  @Test
  void failedHandshakesLeaveTheServerAtWork() throws Exception {
    try (SimNetwork network = SimNetwork.create();
        HttpServer server = server(network);
        HttpClient stranger = client(network, TlsOptions.defaults());
        HttpClient client = client(network, trusting)) {
      Request request = Request.get("https://localhost:" + server.port() + "/hello");
      for (int i = 0; i < 20; i++) {
        assertThrows(TlsException.class, () -> stranger.send(request));
      }
      assertEquals("Hello!", client.send(request).string());
      while (server.connections() > 1) {
        Thread.onSpinWait();
      }
    }
  }

  // ---- a body that ends with the connection

  /** Answers the first bytes with this, and then ends: as TLS wants it, or just so. */
  private void answerAndEnd(SecureChannel secure, Channel below, String answer, boolean orderly) {
    secure.start(new ChannelListener() {
      @Override
      public void onBytes(ByteBuffer bytes) {
        Thread.ofVirtual().start(() -> {
          try {
            secure.write(ByteBuffer.wrap(answer.getBytes(ISO_8859_1)), Deadline.never());
            (orderly ? secure : below).close();
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
      }

      @Override
      public void onEnd() {
        secure.close();
      }

      @Override
      public void onClosed(@Nullable IOException cause) {}
    });
  }

  private String contentUpToTheEnd(String answer, boolean orderly) throws Exception {
    JsseTls tls = new JsseTls(being);
    try (SimNetwork network = SimNetwork.create();
        HttpClient client = client(network, trusting);
        var listening = network.listen(
            HERE,
            1,
            channel -> tls.accept(
                channel,
                List.of("http/1.1"),
                Duration.ofSeconds(20).toNanos(),
                secure -> answerAndEnd(secure, channel, answer, orderly),
                failure -> {
                  throw new AssertionError(failure);
                }))) {
      int port = ((InetSocketAddress) listening.address()).getPort();
      try (Response response = client.send(Request.get("https://localhost:" + port + "/"))) {
        return response.string();
      }
    }
  }

  @Test
  void bodyThatEndsWithTheConnectionIsWholeAfterCloseNotify() throws Exception {
    assertEquals("Hell", contentUpToTheEnd("HTTP/1.1 200 OK\r\n\r\nHell", true));
  }

  @Test
  void bodyThatEndsWithTheConnectionIsTruncatedWithoutCloseNotify() {
    ConnectionLostException failure = assertThrows(
        ConnectionLostException.class,
        () -> contentUpToTheEnd("HTTP/1.1 200 OK\r\n\r\nHell", false));
    assertTrue(failure.getMessage().contains("close_notify"), failure.getMessage());
  }

  @Test
  void completeMessageNeedsNoCloseNotify() throws Exception {
    String answer = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nHell";
    assertEquals("Hell", contentUpToTheEnd(answer, false));
  }
}
