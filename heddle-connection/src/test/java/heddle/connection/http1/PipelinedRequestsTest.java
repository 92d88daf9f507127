package heddle.connection.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.connection.OneOwner;
import heddle.connection.ResponseFailedException;
import heddle.connection.ServerConnection;
import heddle.connection.ServerExchange;
import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Response;
import heddle.http.Status;
import heddle.testkit.ManualChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests that arrive together, and how their responses are written. */
@Timeout(60)
class PipelinedRequestsTest {
  private static final Pattern CONTENT = Pattern.compile("\r\n\r\n(/[^H]*)");

  private interface Answering {
    void answer(ServerExchange exchange) throws Exception;
  }

  /** What each write had, as text. */
  private final List<String> writes = new ArrayList<>();

  private final LinkedBlockingQueue<ServerExchange> announced = new LinkedBlockingQueue<>();
  private final ManualChannel channel = new ManualChannel(this::written);
  private final Owner owner = new Owner();
  private final Http1ServerConnection connection = new Http1ServerConnection(owner);

  /** Called by each write first. */
  private volatile Runnable onWrite = () -> {};

  /** What becomes of a request at once; by default it only waits in {@link #announced}. */
  private volatile Answering atOnce = announced::add;

  private final class Owner extends OneOwner {
    Owner() {
      super(channel);
    }

    @Override
    public void onRequest(ServerExchange exchange) {
      try {
        atOnce.answer(exchange);
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void onClosed(ServerConnection ended) {}
  }

  private void written(ByteBuffer[] buffers) {
    onWrite.run();
    StringBuilder all = new StringBuilder();
    for (ByteBuffer buffer : buffers) {
      all.append(ISO_8859_1.decode(buffer.duplicate()));
    }
    synchronized (writes) {
      writes.add(all.toString());
    }
  }

  private static void answer(ServerExchange exchange) throws ResponseFailedException {
    answer(exchange, Response.ok(exchange.target()));
  }

  private static void answer(ServerExchange exchange, Response response)
      throws ResponseFailedException {
    assertTrue(exchange.enter(() -> {}));
    try {
      exchange.respond(response);
    } finally {
      exchange.leave();
    }
  }

  private static Response ending(String content) {
    return Response.builder(Status.OK)
        .header(HeaderName.CONNECTION, "close")
        .body(Body.of(content))
        .build();
  }

  private void bring(String... requests) {
    if (!channel.isOpen()) {
      throw new IllegalStateException("closed");
    }
    channel.bring(String.join("", requests).getBytes(ISO_8859_1));
  }

  private void start() {
    connection.start();
    channel.start(connection);
  }

  private static String get(String path) {
    return "GET " + path + " HTTP/1.1\r\nHost: t\r\n\r\n";
  }

  /** The contents of all responses so far, each of which is the path that was asked for. */
  private List<String> contents() {
    synchronized (writes) {
      return CONTENT
          .matcher(String.join("", writes))
          .results()
          .map(match -> match.group(1))
          .toList();
    }
  }

  private long held() {
    return owner.resources().budget().held();
  }

  @Test
  void responsesThatAreReadyAtTheSameTimeAreWrittenTogether() {
    start();
    atOnce = PipelinedRequestsTest::answer;
    bring(get("/1"), get("/2"), get("/3"), get("/4"));
    assertEquals(List.of("/1", "/2", "/3", "/4"), contents());
    assertEquals(1, writes.size());
  }

  @Test
  void aResponseIsWrittenThoughTheNextIsNotReady() throws Exception {
    start();
    bring(get("/1"), get("/2"));
    answer(announced.remove());
    assertEquals(List.of("/1"), contents());
    answer(announced.remove());
    assertEquals(List.of("/1", "/2"), contents());
    assertEquals(2, writes.size());
  }

  @Test
  void theNextRequestIsAnnouncedByTheThreadThatHasAnsweredTheOneBefore() throws Exception {
    start();
    bring(get("/1"), get("/2"));
    ServerExchange first = announced.remove();
    assertTrue(announced.isEmpty(), "both are announced at once");
    answer(first);
    assertEquals("/2", announced.remove().target()); // The loop has not run again.
  }

  @Test
  void noMoreThan32RequestsAreTakenTogether() throws Exception {
    start();
    long before = held();
    bring(get("/" + "x".repeat(1_000)).repeat(40));
    assertTrue(held() - before > 39_000, held() - before + " bytes are counted for 39,000");
    for (int i = 0; i < 32; i++) {
      answer(announced.remove());
    }
    assertTrue(announced.isEmpty());
    channel.loop().runPending();
    for (int i = 0; i < 8; i++) {
      answer(announced.remove());
    }
    assertTrue(announced.isEmpty());
    channel.close();
    channel.loop().runPending();
    assertEquals(before, held());
  }

  @Test
  void aLongResponseIsWrittenWithThoseThatWaitForIt() {
    start();
    String longPath = "/" + "x".repeat(20_000);
    atOnce = exchange -> answer(
        exchange, Response.ok(exchange.target().equals("/2") ? longPath : exchange.target()));
    bring(get("/1"), get("/2"), get("/3"), get("/4"));
    assertEquals(List.of("/1", longPath, "/3", "/4"), contents());
    assertEquals(2, writes.size());
  }

  @Test
  void responsesThatAreLongTogetherAreNotKeptWaiting() {
    start();
    String content = "/" + "x".repeat(5_000);
    atOnce = exchange -> answer(exchange, Response.ok(content));
    bring(get("/1"), get("/2"), get("/3"), get("/4"), get("/5"));
    assertEquals(5, contents().size());
    assertEquals(2, writes.size());
  }

  @Test
  void noRequestBehindAResponseThatEndsTheConnectionIsAnnounced() {
    start();
    long before = held();
    atOnce = exchange -> answer(
        exchange, exchange.target().equals("/2") ? ending("/2") : Response.ok(exchange.target()));
    bring(get("/1"), get("/2"), get("/3"), get("/4"));
    channel.loop().runPending();
    assertEquals(List.of("/1", "/2"), contents());
    assertEquals(before, held());
  }

  @Test
  void requestsBehindOneThatAsksForTheEndAreIgnored() {
    start();
    atOnce = PipelinedRequestsTest::answer;
    bring(
        get("/1"), "GET /2 HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n", get("/3"), get("/4"));
    channel.loop().runPending();
    assertEquals(List.of("/1", "/2"), contents());
  }

  @Test
  void whatWaitsIsWrittenBeforeTheConnectionIsCut() throws Exception {
    start();
    long before = held();
    bring(get("/1"), get("/2"), get("/3"), get("/4"));
    atOnce = exchange -> {
      if (exchange.target().equals("/3")) {
        assertTrue(exchange.enter(() -> {}));
        exchange.abandon();
        exchange.leave();
      } else {
        answer(exchange);
      }
    };
    answer(announced.remove());
    channel.loop().runPending();
    assertEquals(List.of("/1", "/2"), contents());
    assertFalse(channel.isOpen());
    assertEquals(before, held());
  }

  @Test
  void noThreadAnswersRequestsWhoseClientHasGone() throws Exception {
    start();
    long before = held();
    bring(get("/1"), get("/2"), get("/3"));
    ServerExchange first = announced.remove();
    assertTrue(first.enter(() -> {}));
    channel.breakBy(new IOException("reset"));
    assertTrue(Thread.currentThread().isInterrupted());
    first.respond(Response.ok("/1"));
    first.leave();
    assertFalse(Thread.currentThread().isInterrupted());
    ServerExchange second = announced.poll();
    if (second != null) {
      assertFalse(second.enter(() -> {}));
      second.leave();
    }
    channel.loop().runPending();
    assertTrue(announced.isEmpty());
    assertEquals(before, held());
  }

  @Test
  void inputBehindAnOfferOfAnotherProtocolIsLeftToThat() throws Exception {
    start();
    bring("GET /1 HTTP/1.1\r\nHost: t\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n", get("/2"));
    answer(announced.remove());
    assertTrue(announced.isEmpty(), "it was taken as a request before the first was answered");
    channel.loop().runPending();
    answer(announced.remove());
    assertEquals(List.of("/1", "/2"), contents());
  }

  @Test
  void requestsWithContentAndPartsOfRequestsWaitForTheLoop() throws Exception {
    start();
    String post = "POST /2 HTTP/1.1\r\nHost: t\r\nContent-Length: 2\r\n\r\n";
    bring(get("/1"), post, "ab", get("/3"), "GET /4 HT");
    answer(announced.remove());
    assertTrue(announced.isEmpty());
    channel.loop().runPending();
    answer(announced.remove());
    answer(announced.remove());
    assertTrue(announced.isEmpty());
    channel.loop().runPending();
    bring("TP/1.1\r\nHost: t\r\n\r\n");
    answer(announced.remove());
    assertEquals(List.of("/1", "/2", "/3", "/4"), contents());
  }

  @Test
  void aMalformedRequestIsRefusedBehindTheAnswersToThoseBefore() throws Exception {
    start();
    CountDownLatch refused = new CountDownLatch(2);
    onWrite = refused::countDown;
    atOnce = PipelinedRequestsTest::answer;
    bring(get("/1"), get("/2"), "no request\r\n\r\n");
    channel.loop().runPending();
    refused.await();
    String last;
    do {
      synchronized (writes) {
        last = writes.getLast();
      }
    } while (!last.startsWith("HTTP/1.1 400 "));
    assertEquals(List.of("/1", "/2"), contents());
  }

  private void holdWrites(CountDownLatch writing, CountDownLatch mayWrite) {
    onWrite = () -> {
      writing.countDown();
      try {
        mayWrite.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    };
  }

  /** The first response is being written when the second is ready. */
  @Test
  void aResponseWaitsWhileTheOneBeforeIsBeingWritten() throws Exception {
    start();
    CountDownLatch writing = new CountDownLatch(1);
    CountDownLatch mayWrite = new CountDownLatch(1);
    holdWrites(writing, mayWrite);
    bring(get("/1"), get("/2"), get("/3"));
    ServerExchange first = announced.take();
    Thread one = Thread.ofVirtual().start(() -> answerUnchecked(first));
    writing.await();
    ServerExchange second = announced.take();
    Thread two = Thread.ofVirtual().start(() -> answerUnchecked(second));
    while (two.getState() != Thread.State.WAITING) {
      assertTrue(two.isAlive(), "it did not wait");
      Thread.onSpinWait();
    }
    assertTrue(contents().isEmpty());
    mayWrite.countDown();
    one.join();
    two.join();
    answer(announced.take());
    assertEquals(List.of("/1", "/2", "/3"), contents());
  }

  /** The thread of the second gives up waiting for the first to be written. */
  @Test
  void aResponseThatIsBeingWrittenStaysAsItIsThoughTheNextIsCut() throws Exception {
    start();
    CountDownLatch writing = new CountDownLatch(1);
    CountDownLatch mayWrite = new CountDownLatch(1);
    holdWrites(writing, mayWrite);
    bring(get("/1"), get("/2"));
    ServerExchange first = announced.take();
    Thread one = Thread.ofVirtual().start(() -> answerUnchecked(first));
    writing.await();
    ServerExchange second = announced.take();
    assertTrue(second.enter(() -> {}));
    Thread.currentThread().interrupt();
    second.abandon();
    assertTrue(Thread.interrupted());
    second.leave();
    mayWrite.countDown();
    one.join();
    assertTrue(writes.getFirst().endsWith("\r\n\r\n/1"), () -> "written: " + writes.getFirst());
  }

  private static void answerUnchecked(ServerExchange exchange) {
    try {
      answer(exchange);
    } catch (ResponseFailedException e) {
      throw new AssertionError(e);
    }
  }
}
