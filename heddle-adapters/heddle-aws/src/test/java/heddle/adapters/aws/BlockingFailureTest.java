package heddle.adapters.aws;

import static heddle.adapters.aws.ScriptedVisit.visit;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.spi.AcquireTimeoutException;
import heddle.client.spi.PoolQueueFullException;
import heddle.http.failure.ConnectFailedException;
import heddle.http.failure.ConnectionLostException;
import heddle.http.failure.DeadlineExceededException;
import heddle.http.failure.TlsException;
import heddle.testkit.mock.MockFault;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.HttpMetric;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.metrics.MetricCollection;
import software.amazon.awssdk.metrics.MetricCollector;

/** Failures of blocking calls, and how they are reported. */
@Timeout(60)
class BlockingFailureTest {
  private static final Wire WIRE = Wire.HTTP_1_1;

  private static SdkHttpRequest get(int port) {
    return WIRE.request(port, SdkHttpMethod.GET, "/").build();
  }

  // ---- limits

  @ParameterizedTest
  @EnumSource(Wire.class)
  void silentServerIsAReadTimeout(Wire wire) throws Exception {
    try (MockServer server = wire.serve(request -> MockResponse.fault(MockFault.blackHole()));
        SdkHttpClient client = wire.over(HeddleHttpClient.builder())
            .readTimeout(Duration.ofMillis(300))
            .build()) {
      SdkHttpRequest request = wire.request(server, SdkHttpMethod.POST, "/").build();
      IOException failure =
          assertThrows(SocketTimeoutException.class, () -> Blocking.call(client, request));
      assertInstanceOf(DeadlineExceededException.class, failure.getCause());
      assertContains("for 300 ms; raise readTimeout of the HTTP client's builder", failure);
    }
  }

  private static void assertContains(String advice, IOException failure) {
    String message = String.valueOf(failure.getMessage());
    assertTrue(message.contains(advice), message);
  }

  @Test
  void contentThatStopsComingIsAReadTimeout() throws Exception {
    visit(
        c -> {
          c.expectHead();
          c.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nbegun");
          c.drain();
        },
        port -> {
          try (SdkHttpClient client =
              HeddleHttpClient.builder().readTimeout(Duration.ofMillis(300)).build()) {
            HttpExecuteResponse response = Blocking.call(client, get(port));
            assertThrows(SocketTimeoutException.class, () -> Blocking.content(response));
          }
        });
  }

  @Test
  void serverThatAcceptsNoBytesOfTheRequestIsAWriteTimeout() throws Exception {
    CountDownLatch failed = new CountDownLatch(1);
    visit(
        c -> {
          c.expectHead();
          c.pauseReading();
          failed.await();
          c.resumeReading();
          c.drain();
        },
        port -> {
          try (SdkHttpClient client =
              HeddleHttpClient.builder().writeTimeout(Duration.ofMillis(300)).build()) {
            long length = 1L << 40;
            SdkHttpRequest request = WIRE.request(port, SdkHttpMethod.PUT, "/")
                .putHeader("Content-Length", Long.toString(length))
                .build();
            IOException failure = assertThrows(
                SocketTimeoutException.class,
                () -> Blocking.prepare(client, request, Zeros::new).call());
            assertTrue(
                failure.getMessage().contains("raise writeTimeout of"), failure.getMessage());
          } finally {
            failed.countDown();
          }
        });
  }

  /** Never ends. */
  private static final class Zeros extends InputStream {
    @Override
    public int read() {
      return 0;
    }

    @Override
    public int read(byte[] target, int offset, int count) {
      return count;
    }
  }

  @Test
  void slowProducerOfContentIsNoWriteTimeout() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    try (MockServer server = WIRE.serve(request -> MockResponse.ok(request.body()));
        SdkHttpClient client =
            HeddleHttpClient.builder().writeTimeout(Duration.ofMillis(50)).build()) {
      SdkHttpRequest request = WIRE.request(server, SdkHttpMethod.PUT, "/")
          .putHeader("Transfer-Encoding", "chunked")
          .build();
      HttpExecuteResponse response = Blocking.prepare(client, request, () -> new InputStream() {
            private int left = 3;

            @Override
            public int read() throws IOException {
              try {
                // Longer than the timeout: this latch is never counted down.
                asked.await(100, java.util.concurrent.TimeUnit.MILLISECONDS);
              } catch (InterruptedException e) {
                throw new InterruptedIOException();
              }
              return left-- > 0 ? 'x' : -1;
            }

            @Override
            public int read(byte[] target, int offset, int count) throws IOException {
              int value = read();
              target[offset] = (byte) value;
              return value < 0 ? -1 : 1;
            }
          })
          .call();
      assertEquals("xxx", new String(Blocking.content(response), UTF_8));
    }
  }

  @Test
  void connectionThatDoesNotBecomeFreeIsAnIoFailure() throws Exception {
    visit(
        c -> {
          c.expectHead();
          c.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nbegun");
          c.drain();
        },
        port -> {
          try (SdkHttpClient client = HeddleHttpClient.builder()
              .maxConnections(1)
              .connectionAcquisitionTimeout(Duration.ofMillis(100))
              .build()) {
            HttpExecuteResponse first = Blocking.call(client, get(port));
            IOException failure =
                assertThrows(SocketTimeoutException.class, () -> Blocking.call(client, get(port)));
            assertInstanceOf(AcquireTimeoutException.class, failure.getCause());
            assertContains("; raise connectionAcquisitionTimeout or maxConcurrency", failure);
            first.responseBody().orElseThrow().abort();
          }
        });
  }

  @Test
  void queueThatIsFullIsAnIoFailure() throws Exception {
    visit(
        c -> {
          c.expectHead();
          c.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nbegun");
          c.drain();
        },
        port -> {
          try (SdkHttpClient client = HeddleHttpClient.builder()
              .maxConnections(1)
              .maxPendingConnectionAcquires(0)
              .build()) {
            HttpExecuteResponse first = Blocking.call(client, get(port));
            IOException failure =
                assertThrows(IOException.class, () -> Blocking.call(client, get(port)));
            assertInstanceOf(PoolQueueFullException.class, failure.getCause());
            assertContains("; raise maxPendingConnectionAcquires or maxConcurrency", failure);
            first.responseBody().orElseThrow().abort();
          }
        });
  }

  // ---- what failures are

  @Test
  void refusedConnectionIsAConnectException() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    try (SdkHttpClient client = HeddleHttpClient.create()) {
      IOException failure =
          assertThrows(ConnectException.class, () -> Blocking.call(client, get(port)));
      assertInstanceOf(ConnectFailedException.class, failure.getCause());
    }
  }

  @Test
  void serverThatIsNotTrustedIsAHandshakeException() throws Exception {
    try (MockServer server = Wire.TLS_HTTP_1_1.serve(request -> MockResponse.ok("x"));
        SdkHttpClient client = HeddleHttpClient.create()) {
      SdkHttpRequest request =
          Wire.TLS_HTTP_1_1.request(server, SdkHttpMethod.GET, "/").build();
      IOException failure =
          assertThrows(SSLHandshakeException.class, () -> Blocking.call(client, request));
      assertInstanceOf(TlsException.class, failure.getCause());
      assertEquals(0, server.requests().size());
    }
  }

  @Test
  void truncatedContentIsAFailure() throws Exception {
    try (MockServer server = WIRE.serve(
            request -> MockResponse.ok(new byte[200_000]).with(MockFault.cutInBody(100_000)));
        SdkHttpClient client = HeddleHttpClient.create()) {
      HttpExecuteResponse response = Blocking.call(client, get(server.port()));
      assertThrows(ConnectionLostException.class, () -> Blocking.content(response));
    }
  }

  @Test
  void closedClientTakesNoCalls() throws Exception {
    try (MockServer server = WIRE.serve(request -> MockResponse.ok("x"))) {
      SdkHttpClient client = HeddleHttpClient.create();
      Blocking.content(Blocking.call(client, get(server.port())));
      client.close();
      client.close();
      assertThrows(IOException.class, () -> Blocking.call(client, get(server.port())));
    }
  }

  // ---- metrics

  @Test
  void poolIsReportedToWhoCollectsMetrics() throws Exception {
    visit(
        c -> {
          c.expectHead();
          c.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nbegun");
          c.drain();
        },
        port -> {
          try (SdkHttpClient client =
              HeddleHttpClient.builder().maxConnections(9).build()) {
            MetricCollector collector = MetricCollector.create("call");
            HttpExecuteResponse response = client
                .prepareRequest(HttpExecuteRequest.builder()
                    .request(get(port))
                    .metricCollector(collector)
                    .build())
                .call();
            MetricCollection metrics = collector.collect();
            assertEquals("Heddle", only(metrics.metricValues(HttpMetric.HTTP_CLIENT_NAME)));
            assertEquals(9, only(metrics.metricValues(HttpMetric.MAX_CONCURRENCY)));
            assertEquals(1, only(metrics.metricValues(HttpMetric.LEASED_CONCURRENCY)));
            assertEquals(0, only(metrics.metricValues(HttpMetric.AVAILABLE_CONCURRENCY)));
            assertEquals(0, only(metrics.metricValues(HttpMetric.PENDING_CONCURRENCY_ACQUIRES)));
            response.responseBody().orElseThrow().abort();
          }
        });
  }

  private static <T> T only(java.util.List<T> values) {
    assertEquals(1, values.size(), values.toString());
    return values.getFirst();
  }
}
