package heddle.adapters.aws;

import static heddle.adapters.aws.ScriptedVisit.visit;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.mock.MockFault;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;

/** Blocking calls that another thread aborts. */
@Timeout(60)
class BlockingAbortTest {
  private static final Wire WIRE = Wire.HTTP_1_1;

  private static SdkHttpRequest get(int port) {
    return WIRE.request(port, SdkHttpMethod.GET, "/").build();
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void abortEndsACallThatWaitsAndLeavesItsThreadUninterrupted(Wire wire) throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    try (MockServer server = wire.serve(request -> {
          asked.countDown();
          return MockResponse.fault(MockFault.blackHole());
        });
        SdkHttpClient client = wire.over(HeddleHttpClient.builder()).build()) {
      ExecutableHttpRequest call =
          Blocking.prepare(client, wire.request(server, SdkHttpMethod.GET, "/").build(), null);
      Thread aborter = Thread.ofVirtual().start(() -> {
        try {
          asked.await();
          call.abort();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      });
      IOException failure = assertThrows(InterruptedIOException.class, call::call);
      assertEquals("the call was aborted", failure.getMessage());
      aborter.join();
      assertFalse(Thread.interrupted());
    }
  }

  @Test
  void callThatWasAbortedBeforeIsNotMade() throws Exception {
    try (MockServer server = WIRE.serve(request -> MockResponse.ok("x"));
        SdkHttpClient client = HeddleHttpClient.create()) {
      ExecutableHttpRequest call = Blocking.prepare(client, get(server.port()), null);
      call.abort();
      assertThrows(InterruptedIOException.class, call::call);
      assertEquals(0, server.connections());
    }
  }

  @Test
  void abortOfTheContentClosesTheConnection() throws Exception {
    visit(
        c -> {
          c.expectHead();
          c.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nbegun");
          c.drain();
        },
        port -> {
          try (SdkHttpClient client = HeddleHttpClient.create()) {
            HttpExecuteResponse response = Blocking.call(client, get(port));
            AbortableInputStream content = response.responseBody().orElseThrow();
            assertEquals('b', content.read());
            content.abort();
            IOException failure = assertThrows(IOException.class, content::readAllBytes);
            assertEquals("the call was aborted", failure.getMessage());
          }
        });
  }

  @Test
  void abortOfTheCallWakesTheReaderOfItsContent() throws Exception {
    visit(
        c -> {
          c.expectHead();
          c.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nbegun");
          c.drain();
        },
        port -> {
          try (SdkHttpClient client = HeddleHttpClient.create()) {
            ExecutableHttpRequest call = Blocking.prepare(client, get(port), null);
            InputStream content = call.call().responseBody().orElseThrow();
            assertEquals("begun", new String(content.readNBytes(5), UTF_8));
            Thread.ofVirtual().start(call::abort);
            assertThrows(InterruptedIOException.class, content::read);
          }
        });
  }

  @Test
  void closedContentGivesItsConnectionUp() throws Exception {
    visit(
        c -> {
          c.expectHead();
          c.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nbegun");
          c.drain();
        },
        port -> {
          try (SdkHttpClient client = HeddleHttpClient.create()) {
            Blocking.call(client, get(port)).responseBody().orElseThrow().close();
          }
        });
  }

  @Test
  void interruptEndsACallAndStaysWithItsThread() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    try (MockServer server = WIRE.serve(request -> {
          asked.countDown();
          return MockResponse.fault(MockFault.blackHole());
        });
        SdkHttpClient client = HeddleHttpClient.create()) {
      CompletableFuture<Boolean> flag = new CompletableFuture<>();
      Thread caller = Thread.ofPlatform().start(() -> {
        assertThrows(InterruptedIOException.class, () -> Blocking.call(client, get(server.port())));
        flag.complete(Thread.interrupted());
      });
      asked.await();
      caller.interrupt();
      assertTrue(flag.get());
    }
  }
}
