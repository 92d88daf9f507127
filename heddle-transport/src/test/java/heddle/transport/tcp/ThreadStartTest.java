package heddle.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import heddle.transport.Channel;
import heddle.transport.EventLoop;
import heddle.transport.Network;
import heddle.transport.time.Clock;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which thread runs the tasks of {@link EventLoop#startThread}, and when. */
@Timeout(60)
class ThreadStartTest {
  private final Deadline soon = Deadline.after(Duration.ofSeconds(20), Clock.system());
  private Network network;
  private ServerSocket server;
  private Channel channel;
  private EventLoop loop;

  @BeforeEach
  void connect() throws IOException {
    network = TcpNetwork.create();
    server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    channel = network.connect(
        new InetSocketAddress(server.getInetAddress(), server.getLocalPort()), soon);
    loop = channel.loop();
  }

  @AfterEach
  void close() throws IOException {
    network.close();
    server.close();
  }

  /** Calls startThread twice in one pass, and returns the threads that ran the two tasks. */
  private List<Thread> startTwo() throws Exception {
    CompletableFuture<Thread> first = new CompletableFuture<>();
    CompletableFuture<Thread> second = new CompletableFuture<>();
    loop.execute(() -> {
      loop.startThread(() -> first.complete(Thread.currentThread()));
      loop.startThread(() -> second.complete(Thread.currentThread()));
    });
    return List.of(first.get(20, TimeUnit.SECONDS), second.get(20, TimeUnit.SECONDS));
  }

  private Thread loopThread() throws Exception {
    CompletableFuture<Thread> running = new CompletableFuture<>();
    loop.execute(() -> running.complete(Thread.currentThread()));
    return running.get(20, TimeUnit.SECONDS);
  }

  @Test
  void severalOfOnePassAreStartedByOneVirtualThread() throws Exception {
    List<Thread> starters = startTwo();
    assertEquals(List.of(true, true), starters.stream().map(Thread::isVirtual).toList());
    assertSame(starters.getFirst(), starters.getLast());
  }

  @Test
  void whileMuchIsWrittenTheLoopStartsThemItself() throws Exception {
    Thread itself = loopThread();
    assertEquals(List.of(itself, itself), startTwoWhileMuchIsWritten());
  }

  @Test
  void afterwardsTheyAreStartedTogetherAgain() throws Exception {
    startTwoWhileMuchIsWritten();
    List<Thread> starters = startTwo();
    while (starters.contains(loopThread()) && !soon.isPast(Clock.system())) {
      starters = startTwo();
    }
    assertEquals(List.of(true, true), starters.stream().map(Thread::isVirtual).toList());
  }

  /** Writes again if this thread was held up, so that the last write was too long ago. */
  private List<Thread> startTwoWhileMuchIsWritten() throws Exception {
    Thread itself = loopThread();
    List<Thread> starters = List.of();
    for (int i = 0; i < 20 && !starters.equals(List.of(itself, itself)); i++) {
      channel.write(ByteBuffer.allocate(32 * 1024), soon);
      starters = startTwo();
    }
    return starters;
  }

  @Test
  void oneThatFailsKeepsNoOtherFromBeingStarted() throws Exception {
    CompletableFuture<Thread> other = new CompletableFuture<>();
    loop.execute(() -> {
      loop.startThread(() -> {
        throw new OutOfMemoryError("injected: no thread");
      });
      loop.startThread(() -> other.complete(Thread.currentThread()));
    });
    other.get(20, TimeUnit.SECONDS);
    startTwo();
  }

  @Test
  void anotherThreadStartsItsOwnAtOnce() {
    CompletableFuture<Thread> starter = new CompletableFuture<>();
    loop.startThread(() -> starter.complete(Thread.currentThread()));
    assertSame(Thread.currentThread(), starter.getNow(null));
  }
}
