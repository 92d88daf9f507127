package heddle.adapters.spring;

import static heddle.testkit.ScriptedPeer.visit;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.adapters.support.WrittenContent;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.http.HttpMethod;
import org.springframework.http.StreamingHttpOutputMessage;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpResponse;

/** Content that writes itself, when things go otherwise than well. */
@Timeout(60)
final class WrittenContentTest {
  private final HeddleClientHttpRequestFactory factory = new HeddleClientHttpRequestFactory();

  @AfterEach
  void destroy() {
    factory.destroy();
  }

  private ClientHttpRequest post(int port, StreamingHttpOutputMessage.Body body) {
    ClientHttpRequest request =
        factory.createRequest(URI.create("http://127.0.0.1:" + port + "/"), HttpMethod.POST);
    ((StreamingHttpOutputMessage) request).setBody(body);
    return request;
  }

  /** Without an end. */
  private static void writeForEver(OutputStream out) throws IOException {
    byte[] piece = new byte[10_000];
    while (true) {
      out.write(piece);
    }
  }

  @Test
  void smallContentIsWrittenByTheCallerAndSentWithItsLength() throws Exception {
    CompletableFuture<Thread> writer = new CompletableFuture<>();
    try (MockServer server = MockServer.start()) {
      server.enqueue(MockResponse.of(204));
      post(server.port(), out -> {
            writer.complete(Thread.currentThread());
            out.write(new byte[WrittenContent.MOST_HELD]);
          })
          .execute()
          .close();
      assertSame(Thread.currentThread(), writer.get());
      assertEquals("65536", server.takeRequest().header("Content-Length"));
    }
  }

  @Test
  void responseBeforeTheContentHasEndedIsReturned() throws Exception {
    visit(
        c -> {
          c.expectHead();
          c.send("HTTP/1.1 413 Content Too Large\r\n"
              + "Content-Length: 0\r\nConnection: close\r\n\r\n");
          c.drain();
        },
        peer -> {
          try (ClientHttpResponse response =
              post(peer.port(), WrittenContentTest::writeForEver).execute()) {
            assertEquals(413, response.getStatusCode().value());
          }
        });
  }

  @Test
  void exceptionsWhileWritingAreRethrownAndNothingIsSent() throws Exception {
    try (MockServer server = MockServer.start()) {
      IOException broken = new IOException("the loom is broken");
      assertSame(broken, assertThrows(IOException.class, () -> post(server.port(), out -> {
            out.write(1);
            throw broken;
          })
          .execute()));
      assertEquals(0, server.connections());
    }
  }

  @Test
  void laterExceptionsWhileWritingAbortTheCall() throws Exception {
    CountDownLatch ended = new CountDownLatch(1);
    visit(
        c -> {
          c.expectHead();
          try {
            c.drain();
          } finally {
            ended.countDown();
          }
        },
        peer -> {
          IllegalStateException broken = new IllegalStateException("the loom is broken");
          assertSame(
              broken, assertThrows(IllegalStateException.class, () -> post(peer.port(), out -> {
                    out.write(new byte[100_000]);
                    throw broken;
                  })
                  .execute()));
          ended.await();
        });
  }

  @Test
  void callThatFailsEndsTheWriting() {
    assertThrows(
        IOException.class, () -> post(1, WrittenContentTest::writeForEver).execute());
  }

  @Test
  void interruptEndsTheWriting() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    visit(
        c -> {
          c.expectHead();
          c.pauseReading();
          over.await();
          c.resumeReading();
          c.drain();
        },
        peer -> {
          CountDownLatch writing = new CountDownLatch(1);
          CompletableFuture<Boolean> flagged = new CompletableFuture<>();
          Thread caller = Thread.ofVirtual().start(() -> {
            try {
              post(peer.port(), out -> {
                    out.write(new byte[100_000]);
                    writing.countDown();
                    writeForEver(out);
                  })
                  .execute();
              flagged.completeExceptionally(new AssertionError("no interrupt was seen"));
            } catch (InterruptedIOException e) {
              flagged.complete(Thread.currentThread().isInterrupted());
            } catch (IOException e) {
              flagged.completeExceptionally(e);
            }
          });
          writing.await();
          caller.interrupt();
          try {
            assertTrue(flagged.get());
          } finally {
            over.countDown();
          }
        });
  }
}
