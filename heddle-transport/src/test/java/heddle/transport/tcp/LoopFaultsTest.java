package heddle.transport.tcp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.transport.Channel;
import heddle.transport.ChannelListener;
import heddle.transport.DeadlinePassedException;
import heddle.transport.Network;
import heddle.transport.Timer;
import heddle.transport.Waiting;
import heddle.transport.time.Clock;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a loop's work throws costs one channel; a loop that fails is replaced. */
@Timeout(60)
@DisplayName("Promise 21: no error ends the machinery")
class LoopFaultsTest {
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  /** More than the buffers of a connection hold. */
  private static final int LARGE = 32 << 20;

  /** How many times the clock has no memory when the loop asks it the time, once for each pass. */
  private final AtomicInteger failingPasses = new AtomicInteger();

  /** How many attempts to open a selector fail. */
  private final AtomicInteger failingOpens = new AtomicInteger();

  private final SelectorLoop loop;
  private final TcpNetwork network;
  private final Network.Listening listening;

  LoopFaultsTest() throws IOException {
    loop = new SelectorLoop("faulty", this::time, this::openSelector);
    network = new TcpNetwork(List.of(loop), TcpNetwork.builder());
    listening = network.listen(ANY_PORT, 16, channel -> channel.start(new Echo(channel)));
  }

  private long time() {
    if (loop != null && loop.inLoop() && takeOne(failingPasses)) {
      throw new OutOfMemoryError("injected");
    }
    return Clock.system().nanoTime();
  }

  private Selector openSelector() throws IOException {
    if (takeOne(failingOpens)) {
      throw new IOException("Too many open files");
    }
    return Selector.open();
  }

  private static boolean takeOne(AtomicInteger left) {
    return left.getAndUpdate(count -> Math.max(0, count - 1)) > 0;
  }

  @AfterEach
  void close() {
    network.close();
    FailingLogs.stop();
  }

  // ---- what is contained

  static List<Supplier<? extends Throwable>> faults() {
    return List.of(
        () -> new OutOfMemoryError("injected"),
        () -> new StackOverflowError("injected"),
        () -> new NoClassDefFoundError("injected"),
        () -> new IllegalStateException("injected"));
  }

  @ParameterizedTest
  @MethodSource("faults")
  void aFailingListenerCostsItsOwnChannelAlone(Supplier<Throwable> fault) throws Exception {
    FailingLogs.start();
    Talk other = talk();
    Talk failing = talk(bytes -> LoopFaultsTest.<Error>sneak(fault.get()));
    failing.say("x");
    assertInstanceOf(IOException.class, failing.closed());
    other.exchange("still here");
  }

  @ParameterizedTest
  @MethodSource("faults")
  void aFailingHandlerTaskAndLogCostNothingElse(Supplier<Throwable> fault) throws Exception {
    FailingLogs.start();
    Talk talk = talk();
    loop.execute(() -> LoopFaultsTest.<Error>sneak(fault.get()));
    talk.exchange("after a task");
    assertTrue(FailingLogs.records() > 0, "the loop has reported nothing");
  }

  @Test
  void aFailingTimerKeepsTheOthersOfItsTick() throws Exception {
    FailingLogs.start();
    long due = loop.clock().nanoTime() + 20_000_000;
    CountDownLatch fired = new CountDownLatch(2);
    CompletableFuture<Boolean> begun = new CompletableFuture<>();
    loop.execute(() -> {
      newTimer(due, fired::countDown);
      newTimer(due, () -> LoopFaultsTest.<Error>sneak(new IllegalStateException("injected")));
      newTimer(due, fired::countDown);
      begun.complete(true);
    });
    assertTrue(begun.get(20, SECONDS));
    assertTrue(fired.await(20, SECONDS));
  }

  @Test
  void aTimerThatHadNoMemoryForItsWorkFiresAgain() throws Exception {
    CountDownLatch fired = new CountDownLatch(2);
    newTimer(loop.clock().nanoTime(), () -> {
      fired.countDown();
      if (fired.getCount() == 1) {
        throw new OutOfMemoryError("injected");
      }
    });
    assertTrue(fired.await(20, SECONDS));
  }

  private void newTimer(long due, Runnable task) {
    Timer timer = loop.newTimer(task);
    timer.arm(due);
  }

  @Test
  void aPassThatFailsIsFollowedByAnother() throws Exception {
    Talk talk = talk();
    failingPasses.set(1);
    talk.exchange("before or after the failure");
    talk.exchange("after it");
    assertTrue(talk.channel.isOpen());
  }

  @Test
  void passesThatFailForHalfASecondWithoutMemoryCostNoChannel() throws Exception {
    Talk talk = talk();
    Thread before = loopThread();
    failingPasses.set(12);
    talk.exchange("before or after the failures");
    await(() -> failingPasses.get() == 0);
    talk.exchange("after them");
    assertTrue(talk.channel.isOpen());
    assertEquals(before, loopThread());
  }

  @Test
  void socketsThatAreNoLongerWatchedForWantOfMemoryAreWatchedAgain() throws Exception {
    Talk talk = talk();
    talk.exchange("before");
    loseInterest();
    talk.exchange("on both channels");
    talk().exchange("on a new connection");
  }

  @Test
  void aWriterThatIsNoLongerWatchedForWantOfMemoryGoesOn() throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 1, ANY_PORT.getAddress())) {
      Talk talk = talk(listener.getLocalSocketAddress(), null);
      CompletableFuture<Boolean> written = new CompletableFuture<>();
      Thread writer = Thread.ofVirtual().start(() -> {
        try {
          talk.channel.write(ByteBuffer.allocate(LARGE), Deadline.never());
          written.complete(true);
        } catch (IOException e) {
          written.completeExceptionally(e);
        }
      });
      await(() -> writer.getState() == Thread.State.WAITING);
      loseInterest();
      try (Socket peer = listener.accept()) {
        peer.setSoTimeout(20_000);
        assertEquals(LARGE, peer.getInputStream().readNBytes(LARGE).length);
        assertTrue(written.get(20, SECONDS));
      }
    }
  }

  /** What is left when memory runs out before a change of a key's interest has come to anything. */
  private void loseInterest() throws Exception {
    CompletableFuture<Boolean> lost = new CompletableFuture<>();
    loop.execute(() -> {
      loop.selector().keys().forEach(key -> key.interestOps(0));
      lost.complete(true);
      throw new OutOfMemoryError("injected");
    });
    assertTrue(lost.get(20, SECONDS));
  }

  // ---- a loop that fails

  @Test
  void aLoopWhoseSelectorFailsIsReplacedAndItsListeningSocketsGoOn() throws Exception {
    Talk talk = talk();
    Thread before = loopThread();
    breakSelector();
    assertInstanceOf(SelectorLoop.LoopFailedException.class, talk.closed());
    assertFalse(talk.channel.isOpen());
    awaitSuccessorOf(before);
    talk().exchange("on the new selector");
    assertNotSame(before, loopThread());
  }

  @Test
  void aLoopThatFailsWakesThoseWhoWaitToWrite() throws Exception {
    try (ServerSocket peer = new ServerSocket(0, 1, ANY_PORT.getAddress())) {
      Talk talk = talk(peer.getLocalSocketAddress(), null);
      CompletableFuture<IOException> failure = new CompletableFuture<>();
      Thread writer = Thread.ofVirtual().start(() -> {
        ByteBuffer content = ByteBuffer.allocate(1 << 20);
        try {
          while (true) {
            talk.channel.write(content.clear(), Deadline.never());
          }
        } catch (IOException e) {
          failure.complete(e);
        }
      });
      await(() -> writer.getState() == Thread.State.WAITING);
      breakSelector();
      assertInstanceOf(IOException.class, failure.get(20, SECONDS));
    }
  }

  @Test
  void timersAndTasksOutliveASelectorThatCannotBeReplacedAtOnce() throws Exception {
    talk().exchange("before");
    CountDownLatch fired = new CountDownLatch(1);
    failingOpens.set(8);
    Thread before = loopThread();
    newTimer(loop.clock().nanoTime() + 50_000_000, fired::countDown);
    breakSelector();
    assertTrue(fired.await(20, SECONDS));
    awaitSuccessorOf(before);
    talk().exchange("after");
    assertNotSame(before, loopThread());
  }

  @Test
  void aFailedLoopStillEnds() throws Exception {
    Thread before = loopThread();
    breakSelector();
    awaitSuccessorOf(before);
    Thread after = loopThread();
    network.close();
    assertFalse(before.isAlive());
    assertFalse(after.isAlive());
  }

  // ---- a loop that does nothing

  @Test
  void whoeverWaitsForALoopThatHangsNoticesTheDeadlineByItself() throws Throwable {
    CountDownLatch hanging = new CountDownLatch(1);
    loop.execute(() -> awaitUninterruptibly(hanging));
    Deadline deadline = Deadline.after(Duration.ofMillis(50), loop.clock());
    Executable wait = () -> assertThrows(
        DeadlinePassedException.class, () -> Waiting.until(() -> false, loop, deadline, "waiting"));
    CompletableFuture<Void> virtual = new CompletableFuture<>();
    Thread.ofVirtual().start(() -> {
      try {
        wait.execute();
        virtual.complete(null);
      } catch (Throwable e) {
        virtual.completeExceptionally(e);
      }
    });
    try {
      wait.execute();
      virtual.get(20, SECONDS);
    } finally {
      hanging.countDown();
    }
  }

  // ---- helpers

  /** Ends by the test's time limit, which interrupts. */
  private static void await(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      if (Thread.interrupted()) {
        throw new InterruptedException("waited in vain");
      }
      Thread.onSpinWait();
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What a selector does when its descriptor fails; the next select throws. */
  private void breakSelector() {
    loop.execute(() -> {
      try {
        loop.selector().close();
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    });
  }

  private void awaitSuccessorOf(Thread before) throws Exception {
    while (loopThread() == before || !loop.selector().isOpen()) {
      Thread.onSpinWait();
    }
  }

  private Thread loopThread() throws Exception {
    CompletableFuture<Thread> thread = new CompletableFuture<>();
    loop.execute(() -> thread.complete(Thread.currentThread()));
    return thread.get(20, SECONDS);
  }

  @SuppressWarnings("unchecked") // Throws whatever it is.
  private static <T extends Throwable> void sneak(Throwable failure) throws T {
    throw (T) failure;
  }

  private interface Hearer {
    void hear(ByteBuffer bytes);
  }

  private Talk talk() throws Exception {
    return talk(null);
  }

  private Talk talk(@Nullable Hearer hearer) throws Exception {
    return talk(listening.address(), hearer);
  }

  private Talk talk(SocketAddress peer, @Nullable Hearer hearer) throws Exception {
    Deadline soon = Deadline.after(Duration.ofSeconds(20), loop.clock());
    Talk talk = new Talk(network.connect(peer, soon), hearer);
    talk.channel.start(talk);
    return talk;
  }

  /** A client that is answered with what it says. */
  private static final class Talk implements ChannelListener {
    private final Channel channel;
    private final @Nullable Hearer hearer;
    private final AtomicReference<String> heard = new AtomicReference<>("");
    private final CompletableFuture<@Nullable IOException> closed = new CompletableFuture<>();

    Talk(Channel channel, @Nullable Hearer hearer) {
      this.channel = channel;
      this.hearer = hearer;
    }

    void say(String text) throws IOException {
      channel.write(ByteBuffer.wrap(text.getBytes(ISO_8859_1)), Deadline.never());
    }

    void exchange(String text) throws Exception {
      int from = heard.get().length();
      say(text);
      await(() -> heard.get().length() >= from + text.length() || closed.isDone());
      assertEquals(text, heard.get().substring(from));
    }

    @Nullable
    IOException closed() throws Exception {
      return closed.get(20, SECONDS);
    }

    @Override
    public void onBytes(ByteBuffer bytes) {
      if (hearer != null) {
        hearer.hear(bytes);
      }
      heard.accumulateAndGet(ISO_8859_1.decode(bytes).toString(), String::concat);
    }

    @Override
    public void onEnd() {
      channel.close();
    }

    @Override
    public void onClosed(@Nullable IOException cause) {
      closed.complete(cause);
    }
  }

  private record Echo(Channel channel) implements ChannelListener {
    @Override
    public void onBytes(ByteBuffer bytes) {
      byte[] copy = new byte[bytes.remaining()];
      bytes.get(copy);
      Thread.ofVirtual().start(() -> {
        try {
          channel.write(ByteBuffer.wrap(copy), Deadline.never());
        } catch (IOException e) {
          channel.close();
        }
      });
    }

    @Override
    public void onEnd() {
      channel.close();
    }

    @Override
    public void onClosed(@Nullable IOException cause) {}
  }
}
