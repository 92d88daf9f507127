package heddle.adapters.apache5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.adapters.support.EntityContent;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.core5.http.HttpVersion;
import org.apache.hc.core5.http.impl.BasicEntityDetails;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.io.entity.EntityTemplate;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.apache.hc.core5.http.nio.AsyncDataProducer;
import org.apache.hc.core5.http.nio.DataStreamChannel;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Entities that write something else than they have announced, and how content is sent. */
@Timeout(60)
class EntitiesTest {
  private static EntityTemplate announcing(long length, int written) {
    return new EntityTemplate(length, null, null, sink -> {
      sink.write(new byte[written - 1]);
      sink.write('x');
    });
  }

  private static HttpPost post(MockServer server, EntityTemplate entity) {
    HttpPost post = new HttpPost(server.url("/"));
    post.setEntity(entity);
    return post;
  }

  @ParameterizedTest
  @EnumSource
  void excessContentIsDropped(Stack stack) throws Exception {
    try (MockServer server = MockServer.start();
        Stack.Running running = stack.start()) {
      server.answer("/", MockResponse.ok("ok"));
      for (int length : new int[] {5, 300_000}) {
        int status = running
            .client()
            .execute(post(server, announcing(length, length + 7)), response -> response.getCode());
        assertEquals(200, status);
        assertEquals(length, server.takeRequest().body().length);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 300_000})
  void lessIsAFailure(int length) throws Exception {
    try (MockServer server = MockServer.start();
        Stack.Running running = Stack.HEDDLE.start(b -> b.disableAutomaticRetries())) {
      server.answer("/", MockResponse.ok("ok"));
      HttpPost post = post(server, announcing(length, 3));
      IOException failed = assertThrows(
          IOException.class, () -> running.client().execute(post, response -> response.getCode()));
      String said = String.valueOf(failed.getMessage());
      assertEquals(true, said.contains("3") && said.contains(String.valueOf(length)), said);
      assertEquals(0, running.pool().getTotalStats().getLeased());
    }
  }

  @ParameterizedTest
  @EnumSource
  void anOldServerEndsItsContentByClosing(Stack stack) throws Exception {
    try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Stack.Running running = stack.start()) {
      Thread.ofVirtual().start(() -> answerAsOfOld(listening));
      HttpGet get = new HttpGet("http://localhost:" + listening.getLocalPort() + "/");
      running.client().execute(get, response -> {
        assertEquals(HttpVersion.HTTP_1_0, response.getVersion());
        assertEquals("old", EntityUtils.toString(response.getEntity()));
        return null;
      });
    }
  }

  private static void answerAsOfOld(ServerSocket listening) {
    try (Socket client = listening.accept()) {
      BufferedReader head = new BufferedReader(
          new InputStreamReader(client.getInputStream(), StandardCharsets.ISO_8859_1));
      while (!head.readLine().isEmpty()) {
        // What is asked for does not matter.
      }
      client
          .getOutputStream()
          .write("HTTP/1.0 200 OK\r\n\r\nold".getBytes(StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What failed then is the connection, and that is what retry strategies want to know. */
  @Test
  void anEntityThatIsNoLongerReadHasNotFailed() throws Exception {
    EntityContent content = HeddleConnection.content(announcing(-1, 1_000_000));
    InputStream read = content.stream();
    assertEquals(0, read.read());
    read.close();
    assertThrows(IOException.class, read::readAllBytes);
    assertNull(content.failure());
  }

  // ---- content in memory

  private static String text(@Nullable ByteBuffer bytes) {
    return bytes == null ? "none" : StandardCharsets.ISO_8859_1.decode(bytes).toString();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void contentInMemoryIsSentWithoutACopy(boolean chunked) {
    byte[] bytes = "0123456789".getBytes(StandardCharsets.US_ASCII);
    EntityContent content =
        HeddleConnection.content(new ByteArrayEntity(bytes, 2, 3, null, chunked));
    assertEquals("234", text(content.inMemory()));
    bytes[3] = 'x';
    assertEquals("2x4", text(content.inMemory()));
    assertEquals(chunked ? -1 : 3, content.length());
  }

  @Test
  void contentInMemoryMayBeLong() {
    String text = "text".repeat(200_000);
    assertEquals(text, text(HeddleConnection.content(new StringEntity(text)).inMemory()));
  }

  @Test
  void contentOfAnotherEntityIsCopied() {
    EntityContent content = HeddleConnection.content(new EntityTemplate(3, null, null, sink -> {
      byte[] bytes = "abc".getBytes(StandardCharsets.US_ASCII);
      sink.write(bytes);
      bytes[0] = 'x';
    }));
    assertEquals("abc", text(content.inMemory()));
    assertEquals("abc", text(content.inMemory()));
  }

  @Test
  void anEntityIsWrittenOnceHoweverOftenItsContentIsRead() {
    AtomicInteger written = new AtomicInteger();
    EntityContent content = HeddleConnection.content(new EntityTemplate(3, null, null, sink -> {
      written.incrementAndGet();
      sink.write("abc".getBytes(StandardCharsets.US_ASCII));
    }));
    assertEquals("abc", text(content.inMemory()));
    assertEquals("abc", text(content.inMemory()));
    assertEquals(1, written.get());
  }

  /** It may have closed its source too: what it threw first is the cause. */
  @Test
  void anEntityThatHasThrownIsNotWrittenAgain() {
    AtomicInteger written = new AtomicInteger();
    IOException own = new IOException("the disk is gone");
    EntityContent content = HeddleConnection.content(new EntityTemplate(3, null, null, sink -> {
      if (written.getAndIncrement() == 0) {
        throw own;
      }
      sink.write("abc".getBytes(StandardCharsets.US_ASCII));
    }));
    assertNull(content.inMemory());
    assertSame(own, content.failure());
    assertNull(content.inMemory());
    IOException failed = assertThrows(IOException.class, content::stream);
    assertSame(own, failed.getCause());
    assertEquals(1, written.get());
  }

  // ---- content that is produced

  /** Produces a part each time that it is called. */
  private static class Parts implements AsyncDataProducer {
    final Deque<String> parts = new ArrayDeque<>();
    int held;
    int asked;

    @Nullable
    IOException failure;

    @Nullable
    DataStreamChannel channel;

    /**
     * @param held how many parts are there only later
     */
    Parts(int held, String... parts) {
      this.held = held;
      this.parts.addAll(List.of(parts));
    }

    @Override
    public int available() {
      return parts.size() - held;
    }

    @Override
    public void produce(DataStreamChannel to) throws IOException {
      asked++;
      channel = to;
      if (failure != null) {
        throw failure;
      }
      ByteBuffer part = ByteBuffer.wrap(parts.remove().getBytes(StandardCharsets.US_ASCII));
      assertEquals(part.remaining(), to.write(part));
      if (parts.isEmpty()) {
        to.endStream();
      }
    }

    @Override
    public void releaseResources() {}
  }

  private static ProducedContent produced(AsyncDataProducer producer, long length) {
    return new ProducedContent(producer, new BasicEntityDetails(length, null), () -> false);
  }

  @Test
  void contentThatIsThereIsSentAtOnce() {
    ProducedContent content = produced(new Parts(0, "ab", "c", "def"), 6);
    assertEquals("abcdef", text(content.inMemory()));
    assertEquals("abcdef", text(content.inMemory()));
  }

  private static ProducedContent filled(char with, boolean writtenAtOnce) {
    Parts all = new Parts(0, String.valueOf(with).repeat(20_000));
    return new ProducedContent(all, new BasicEntityDetails(20_000, null), () -> writtenAtOnce);
  }

  /** Has others produce theirs and answers what is seen of the first one's then. */
  private static char afterOthers(ByteBuffer seen) {
    for (int i = 0; i < 20; i++) {
      ProducedContent other = filled('o', true);
      other.inMemory();
      other.sent();
    }
    return (char) seen.get(0);
  }

  @Test
  void memoryServesOthersOnceItsContentWasSent() throws IOException {
    ProducedContent mine = filled('m', true);
    ByteBuffer seen = mine.inMemory();
    assertEquals('m', afterOthers(seen));
    mine.sent();
    assertEquals('o', afterOthers(seen));
    assertNull(mine.inMemory());
    assertEquals(-1, mine.stream().read());
  }

  @Test
  void memoryIsNotReusedIfTheConnectionMayStillNeedIt() {
    ProducedContent mine = filled('m', false);
    ByteBuffer seen = mine.inMemory();
    mine.sent();
    assertEquals('m', afterOthers(seen));
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 65_537})
  void contentThatIsLongIsRead(long length) {
    Parts producer = new Parts(0, "abc");
    assertNull(produced(producer, length).inMemory());
    assertEquals(0, producer.asked);
  }

  @Test
  void laterContentIsReadAfterEarlierContent() throws IOException {
    Parts producer = new Parts(1, "abc", "def");
    ProducedContent content = produced(producer, 6);
    assertNull(content.inMemory());
    InputStream read = content.stream();
    assertEquals("abc", new String(read.readNBytes(3), StandardCharsets.US_ASCII));
    producer.held = 0;
    assertEquals("def", new String(read.readAllBytes(), StandardCharsets.US_ASCII));
    assertEquals(2, producer.asked);
  }

  @Test
  void contentThatIsShorterThanAnnouncedIsNotSentAtOnce() throws IOException {
    ProducedContent content = produced(new Parts(0, "abc"), 6);
    assertNull(content.inMemory());
    assertEquals("abc", new String(content.stream().readAllBytes(), StandardCharsets.US_ASCII));
  }

  @Test
  void aProducerThatHasFailedIsNotAskedAgain() {
    Parts producer = new Parts(0, "abc");
    IOException own = new IOException("the disk is gone");
    producer.failure = own;
    ProducedContent content = produced(producer, 3);
    assertNull(content.inMemory());
    IOException failed = assertThrows(IOException.class, () -> content.stream().read());
    assertEquals(own, failed);
    assertEquals(own, content.failure());
    assertEquals(1, producer.asked);
  }

  /** Some producers write from threads of their own. */
  @Test
  void unrequestedContentIsSentInOrder() throws Exception {
    Parts producer = new Parts(1, "abc", "def");
    ProducedContent content = produced(producer, 9);
    assertNull(content.inMemory());
    ByteBuffer unasked = ByteBuffer.wrap("123".getBytes(StandardCharsets.US_ASCII));
    DataStreamChannel channel = producer.channel;
    assertEquals(3, channel == null ? -1 : channel.write(unasked));
    producer.held = 0;
    assertEquals(
        "abc123def", new String(content.stream().readAllBytes(), StandardCharsets.US_ASCII));
  }

  @Test
  void unrequestedContentIsBounded() throws Exception {
    Parts producer = new Parts(1, "abc", "def");
    ProducedContent content = produced(producer, -1);
    InputStream read = content.stream();
    assertEquals("abc", new String(read.readNBytes(3), StandardCharsets.US_ASCII));
    DataStreamChannel channel = producer.channel;
    ByteBuffer much = ByteBuffer.allocate(100_000);
    int taken = channel == null ? -1 : channel.write(much);
    assertEquals(64 * 1024, taken);
    assertEquals(0, channel == null ? -1 : channel.write(much));
    assertEquals(taken, read.readNBytes(taken).length);
    assertEquals(100_000 - taken, much.remaining());
  }

  private static void onAnotherThread(DataStreamChannel to, String written) {
    Thread other = Thread.ofVirtual().start(() -> {
      try {
        to.write(ByteBuffer.wrap(written.getBytes(StandardCharsets.US_ASCII)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
    try {
      other.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void whatAnotherThreadHasWrittenBeforeComesBefore() throws Exception {
    Parts producer = new Parts(0, "abc") {
      @Override
      public void produce(DataStreamChannel to) throws IOException {
        onAnotherThread(to, "123");
        super.produce(to);
      }
    };
    ProducedContent content = produced(producer, 6);
    assertNull(content.inMemory());
    assertEquals("123abc", new String(content.stream().readAllBytes(), StandardCharsets.US_ASCII));
  }

  /** It is longer than was announced then, which is for the connection to refuse. */
  @ParameterizedTest
  @ValueSource(strings = {"", "abc"})
  void unrequestedContentBeyondTheAnnouncedLengthIsNotSilentlyDropped(String announced)
      throws Exception {
    Parts producer = new Parts(0, announced) {
      @Override
      public void produce(DataStreamChannel to) throws IOException {
        to.write(ByteBuffer.wrap(announced.getBytes(StandardCharsets.US_ASCII)));
        onAnotherThread(to, "more");
        to.endStream();
      }
    };
    ProducedContent content = produced(producer, announced.length());
    assertNull(content.inMemory());
    assertEquals(
        announced + "more", new String(content.stream().readAllBytes(), StandardCharsets.US_ASCII));
  }
}
