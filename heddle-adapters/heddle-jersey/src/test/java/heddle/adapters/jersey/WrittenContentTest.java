package heddle.adapters.jersey;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import heddle.adapters.support.WrittenContent;
import heddle.client.HttpClient;
import heddle.http.Body;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.io.ContentPipe;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Content that writes itself, and what it is held in. */
@Timeout(60)
class WrittenContentTest {
  private static final int LENGTH = 60 * 1024;

  private final HttpClient client = HttpClient.create();
  private final byte[] content = new byte[LENGTH];
  private MockServer server;

  @BeforeEach
  void start() throws IOException {
    new Random(1).nextBytes(content);
    server = MockServer.start();
    server.handler(request -> MockResponse.ok(String.valueOf(Arrays.hashCode(request.body()))));
  }

  @AfterEach
  void end() {
    client.close();
    server.close();
  }

  private void send(int announced, ContentPipe.Source source) throws IOException {
    Request.Builder request = Request.post(server.url("/"), Body.empty()).toBuilder();
    WrittenContent written = new WrittenContent(client, request);
    written.announce(announced);
    try (Response response = written.send(source)) {
      assertEquals(String.valueOf(Arrays.hashCode(content)), response.string());
    }
  }

  private void inPieces(WrittenContent out) throws IOException {
    for (int at = 0; at < LENGTH; at += 1024) {
      out.write(content, at, 1024);
    }
  }

  /** What one of many calls has this thread allocate, in bytes. */
  private static long allocated(Calls calls) throws IOException {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = 0;
    for (int i = 0; i < 60; i++) {
      before = i == 20 ? threads.getCurrentThreadAllocatedBytes() : before;
      calls.make();
    }
    return (threads.getCurrentThreadAllocatedBytes() - before) / 40;
  }

  private interface Calls {
    void make() throws IOException;
  }

  @Test
  void contentThatIsWrittenAtOnceIsHeldOnce() throws Exception {
    long each = allocated(() -> send(-1, out -> out.write(content)));
    assertTrue(each < 2 * LENGTH, each + " bytes were allocated for each call");
  }

  @Test
  void contentOfAnnouncedLengthIsHeldOnceHoweverItIsWritten() throws Exception {
    long each = allocated(() -> send(LENGTH, out -> inPieces((WrittenContent) out)));
    assertTrue(each < 2 * LENGTH, each + " bytes were allocated for each call");
  }

  @Test
  void heldContentMayBeShorterOrLongerThanAnnounced() throws Exception {
    send(LENGTH + 1000, out -> out.write(content));
    send(LENGTH - 1000, out -> out.write(content));
    send(1, out -> inPieces((WrittenContent) out));
  }
}
