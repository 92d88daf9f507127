package heddle.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.settings.PoolLimits;
import heddle.client.spi.AttemptInfo;
import heddle.client.spi.CallInfo;
import heddle.client.spi.CallSummary;
import heddle.client.spi.ConnectionInfo;
import heddle.client.spi.ExchangeListener;
import heddle.codec.http2.frame.ErrorCode;
import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.HttpException;
import heddle.http.HttpVersion;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Sent;
import heddle.http.Status;
import heddle.testkit.Http2Peer;
import heddle.testkit.SimNetwork;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What listeners are told, in which order, and that nothing of theirs harms a call. */
@Timeout(60)
class ExchangeListenerTest {
  private static final String OK = "HTTP/1.1 200 OK\r\n";
  private static final String SIX = OK + "Content-Length: 6\r\n\r\nHello!";

  /** Records the events. */
  private static final class Diary implements ExchangeListener {
    final List<String> entries = new CopyOnWriteArrayList<>();
    final List<CallSummary> summaries = new CopyOnWriteArrayList<>();
    final List<ConnectionInfo> closed = new CopyOnWriteArrayList<>();
    volatile Headers lastFields = Headers.empty();
    final List<Thread> startedOn = new CopyOnWriteArrayList<>();

    @Override
    public void callStarted(CallInfo call) {
      entries.add("start " + call.request().path());
      startedOn.add(Thread.currentThread());
    }

    @Override
    public void attemptStarted(AttemptInfo attempt) {
      entries.add("attempt " + attempt.number());
    }

    @Override
    public void queued(AttemptInfo attempt) {
      entries.add("queued");
    }

    @Override
    public void poolRefused(AttemptInfo attempt, IOException failure) {
      entries.add("refused by the pool: " + failure.getClass().getSimpleName());
    }

    @Override
    public void resolved(
        AttemptInfo attempt, String host, List<InetAddress> addresses, Duration took) {
      entries.add("resolved " + host + " to " + addresses.size());
    }

    @Override
    public void connected(AttemptInfo attempt, SocketAddress address, Duration took) {
      entries.add("connected after " + took.toMillis() + " ms");
    }

    @Override
    public void acquired(
        AttemptInfo attempt, ConnectionInfo connection, boolean reused, Duration took) {
      entries.add((reused ? "old " : "new ") + connection.version());
    }

    @Override
    public void requestSent(AttemptInfo attempt, Duration took) {
      entries.add("sent");
    }

    @Override
    public void responseHead(AttemptInfo attempt, Status status, Headers fields, Duration took) {
      lastFields = fields;
      entries.add(status.code() + " after " + took.toMillis() + " ms");
    }

    @Override
    public void attemptEnded(
        AttemptInfo attempt, @Nullable Status status, @Nullable IOException failure) {
      entries.add("ended with " + (status == null ? failure : status.code()));
    }

    @Override
    public void retried(AttemptInfo ended, Duration delay) {
      entries.add("again");
    }

    @Override
    public void callEnded(CallSummary summary) {
      entries.add("over");
      summaries.add(summary);
    }

    @Override
    public void connectionOpened(ConnectionInfo connection) {
      entries.add("opened");
    }

    @Override
    public void connectionClosed(ConnectionInfo connection, Duration age) {
      closed.add(connection);
    }
  }

  private final Diary diary = new Diary();

  private ClientWorld world(SimNetwork.Builder network) {
    return new ClientWorld(network, client -> client.listener(diary));
  }

  @Test
  void listenerSeesEachStepOfACallInOrder() throws Exception {
    Duration distance = Duration.ofMillis(10);
    try (ClientWorld world = world(SimNetwork.builder().latency(distance, distance))) {
      world.serve(c -> {
        c.expectHead();
        c.send(SIX);
        c.expectHead();
        c.send(SIX);
      });
      world.visit(peer -> {
        assertEquals("Hello!", world.get(peer).string());
        assertEquals("6", diary.lastFields.first("Content-Length"));
        assertEquals(
            List.of(
                "start /",
                "attempt 1",
                "resolved localhost to 1",
                "connected after 20 ms",
                "opened",
                "new HTTP/1.1",
                "sent",
                "200 after 20 ms",
                "ended with 200",
                "over"),
            diary.entries);
        diary.entries.clear();
        world.get(peer).close();
        assertEquals(
            List.of(
                "start /",
                "attempt 1",
                "old HTTP/1.1",
                "sent",
                "200 after 20 ms",
                "ended with 200",
                "over"),
            diary.entries);
      });
      assertEquals(2, diary.summaries.size());
      CallSummary first = diary.summaries.getFirst();
      CallSummary second = diary.summaries.getLast();
      assertFalse(first.reused());
      assertTrue(second.reused());
      assertEquals(first.connection(), second.connection());
      assertEquals(Duration.ofMillis(20), first.spent().get(Phase.CONNECT));
      assertEquals(Duration.ofMillis(20), first.spent().get(Phase.AWAIT_HEAD));
      assertEquals(Duration.ofMillis(40), first.elapsed());
      assertEquals(6, first.contentReceived());
      assertEquals(HttpVersion.HTTP_1_1, first.version());
      assertEquals(Sent.YES, first.sent());
      assertNull(first.failure());
    }
  }

  @Test
  void theEndOfTheBodyIsTheEndOfTheCall() throws Exception {
    try (ClientWorld world = world(SimNetwork.builder())) {
      world.serve(c -> {
        c.expectHead();
        c.expectBytes(4);
        c.send(OK + "Content-Length: 6\r\n\r\nHel");
        c.sleep(Duration.ofSeconds(2));
        c.send("lo!");
      });
      world.visit(peer -> {
        Response response = world.client.send(Request.post(peer.url("/"), Body.of("four")));
        assertEquals("ended with 200", diary.entries.getLast());
        world.network.sleep(Duration.ofSeconds(1));
        assertEquals("Hello!", response.string());
        assertEquals("over", diary.entries.getLast());
      });
      CallSummary summary = diary.summaries.getFirst();
      assertEquals(4, summary.contentSent());
      assertEquals(6, summary.contentReceived());
      assertTrue(summary.elapsed().toMillis() >= 2000, summary.toString());
    }
  }

  @Test
  void aFailureWhileTheBodyIsReadIsInTheSummary() throws Exception {
    try (ClientWorld world = world(SimNetwork.builder())) {
      world.serve(c -> {
        c.expectHead();
        c.send(OK + "Content-Length: 6\r\n\r\nHel");
        c.sleep(Duration.ofSeconds(1));
        c.close();
      });
      world.visit(peer -> {
        Response response = world.get(peer);
        HttpException failure = assertThrows(HttpException.class, response::bytes);
        CallSummary summary = diary.summaries.getFirst();
        assertEquals(failure, summary.failure());
        assertEquals(Status.OK, summary.status());
        assertEquals(3, summary.contentReceived());
      });
      assertEquals(1, diary.summaries.size());
    }
  }

  @Test
  void anAsynchronousCallStartsOnTheThreadOfItsCaller() throws Exception {
    try (ClientWorld world = world(SimNetwork.builder())) {
      world.network.run(() -> {
        world.client.sendAsync(Request.get("http://a.test:81/")).cancel(true);
        assertEquals(List.of(Thread.currentThread()), diary.startedOn);
      });
    }
  }

  @Test
  void everyAttemptIsTold() throws Exception {
    try (ClientWorld world =
        new ClientWorld(client -> client.listener(diary).version(HttpVersion.HTTP_2))) {
      world.serve(Http2Peer.server(h2 -> {
        h2.handshake();
        h2.sendRst(h2.expectHeaders().streamId(), ErrorCode.REFUSED_STREAM);
        h2.sendResponse(h2.expectHeaders().streamId(), 200, "done");
      }));
      world.visit(peer -> {
        assertEquals("done", world.get(peer).string());
        assertTrue(diary.entries.containsAll(List.of("attempt 1", "again", "attempt 2")));
        CallSummary summary = diary.summaries.getFirst();
        assertEquals(2, summary.attempts());
        assertNull(summary.failure());
      });
    }
  }

  @Test
  void listenerSeesRefusalsOfThePool() throws Exception {
    try (ClientWorld world = new ClientWorld(client -> client
        .listener(diary)
        .poolLimits(PoolLimits.builder().maxPerRoute(1).maxQueuedPerRoute(0).build()))) {
      world.serve(ClientWorld::withholdContent);
      world.visit(peer -> {
        Response holds = world.get(peer);
        assertThrows(HttpException.class, () -> world.get(peer).close());
        assertTrue(diary.entries.contains("refused by the pool: PoolQueueFullException"));
        CallSummary refused = diary.summaries.getFirst();
        assertNotNull(refused.failure());
        assertNull(refused.connection());
        holds.close();
      });
    }
  }

  @Test
  void listenerSeesConnectionsOpenAndClose() throws Exception {
    try (ClientWorld world = world(SimNetwork.builder())) {
      world.serve(c -> {
        c.expectHead();
        c.send(SIX);
        c.close();
      });
      world.visit(peer -> {
        world.get(peer).close();
        ConnectionInfo used = diary.summaries.getFirst().connection();
        assertEquals(world.network.connections().getFirst().clientAddress(), used.localAddress());
        world.until(() -> !diary.closed.isEmpty());
        assertEquals(List.of(used), diary.closed);
      });
    }
  }

  /** Throws in each method. */
  private static final class Grumbler implements ExchangeListener {
    private static RuntimeException grumble() {
      return new IllegalStateException("a listener that a test makes throw");
    }

    @Override
    public void callStarted(CallInfo call) {
      throw grumble();
    }

    @Override
    public void attemptStarted(AttemptInfo attempt) {
      throw grumble();
    }

    @Override
    public void acquired(
        AttemptInfo attempt, ConnectionInfo connection, boolean reused, Duration took) {
      throw new StackOverflowError("a listener that a test makes throw");
    }

    @Override
    public void requestSent(AttemptInfo attempt, Duration took) {
      throw grumble();
    }

    @Override
    public void responseHead(AttemptInfo attempt, Status status, Headers fields, Duration took) {
      throw grumble();
    }

    @Override
    public void callEnded(CallSummary summary) {
      throw grumble();
    }

    @Override
    public void connectionOpened(ConnectionInfo connection) {
      throw grumble();
    }

    @Override
    public void connectionClosed(ConnectionInfo connection, Duration age) {
      throw grumble();
    }
  }

  @Test
  void whatListenersThrowHasNoEffectAndLeavesNothingOpen() throws Exception {
    try (ClientWorld world =
        new ClientWorld(client -> client.listener(new Grumbler()).listener(diary))) {
      world.serve(c -> {
        c.expectHead();
        c.send(SIX);
        c.close();
      });
      world.visit(peer -> {
        assertEquals("Hello!", world.get(peer).string());
        assertEquals("over", diary.entries.getLast());
        world.assertNothingIsOpen();
      });
    }
  }

  @Test
  void fieldsOfAnAttemptAreSentAndWhatTheirSourceThrowsIsNot() throws Exception {
    try (ClientWorld world = new ClientWorld(client -> client.attemptFields(attempt -> {
      if (attempt.call().request().path().equals("/bad")) {
        throw new IllegalStateException("a source of fields that a test makes throw");
      }
      return Headers.of("traceparent", "of attempt " + attempt.number());
    }))) {
      world.serve(c -> {
        String head = c.expectHead();
        assertTrue(head.contains("\r\nTraceparent: of attempt 1\r\n"), head);
        c.send(SIX);
        String bare = c.expectHead();
        assertFalse(bare.contains("Traceparent"), bare);
        c.send(SIX);
      });
      world.visit(peer -> {
        assertEquals("Hello!", world.get(peer).string());
        assertEquals("Hello!", world.client.send(Request.get(peer.url("/bad"))).string());
      });
    }
  }
}
