package heddle.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.transport.Channel;
import heddle.transport.ChannelListener;
import heddle.transport.Deadline;
import heddle.transport.DeadlinePassedException;
import heddle.transport.Network;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a {@link Network} and its channels promise, whatever carries the bytes. */
@Timeout(60)
abstract class ChannelContract {
  /** More than any socket's buffers hold, so that a write must wait for the reader. */
  private static final int MORE_THAN_FITS = 32 * 1024 * 1024;

  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private final LinkedBlockingQueue<Channel> accepted = new LinkedBlockingQueue<>();
  private final Network network = newNetwork();
  private final Network.Listening listening = listen();

  /** Makes the network under test. */
  abstract Network newNetwork();

  private Network.Listening listen() {
    try {
      return network.listen(ANY_PORT, 16, accepted::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterEach
  void close() {
    network.close();
  }

  // ---- helpers

  private record Pair(
      Channel client, RecordingListener atClient, Channel server, RecordingListener atServer) {}

  private Pair pair() throws Exception {
    Channel client = network.connect(listening.address(), soon());
    Channel server = accept();
    RecordingListener atClient = new RecordingListener();
    RecordingListener atServer = new RecordingListener();
    client.start(atClient);
    server.start(atServer);
    return new Pair(client, atClient, server, atServer);
  }

  private Channel accept() throws InterruptedException {
    Channel channel = accepted.poll(20, TimeUnit.SECONDS);
    if (channel == null) {
      throw new AssertionError("nothing was accepted");
    }
    return channel;
  }

  private Deadline soon() {
    return Deadline.after(Duration.ofSeconds(20), network.clock());
  }

  private Deadline in(long millis) {
    return Deadline.after(Duration.ofMillis(millis), network.clock());
  }

  private static ByteBuffer text(String text) {
    return ByteBuffer.wrap(text.getBytes(ISO_8859_1));
  }

  private static byte[] noise(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  /** Something that throws. */
  private interface Step {
    void run() throws Exception;
  }

  private static FutureTask<Boolean> onVirtualThread(Step step) {
    FutureTask<Boolean> task = new FutureTask<>(() -> {
      step.run();
      return true;
    });
    Thread.ofVirtual().name("writer").start(task);
    return task;
  }

  private static Throwable failureOf(FutureTask<Boolean> task) throws Exception {
    Throwable wrapper =
        assertThrows(ExecutionException.class, () -> task.get(20, TimeUnit.SECONDS));
    return Objects.requireNonNull(wrapper.getCause());
  }

  /** Waits until the writer has written all that fits and parks. */
  private static void awaitFull(Pair pair, FutureTask<Boolean> write) throws Exception {
    int before = -1;
    while (before != pair.atServer().received()) {
      before = pair.atServer().received();
      assertThrows(TimeoutException.class, () -> write.get(50, TimeUnit.MILLISECONDS));
    }
  }

  // ---- bytes

  @Test
  void bytesTravelBothWays() throws Exception {
    Pair pair = pair();
    pair.client().write(text("to the server"), soon());
    pair.server().write(text("to the client"), soon());
    pair.atServer().awaitText("to the server");
    pair.atClient().awaitText("to the client");
  }

  @Test
  void buffersOfOneWriteArriveInOrder() throws Exception {
    Pair pair = pair();
    ByteBuffer[] buffers = {text("one,"), text(""), text("two,"), text("three")};
    pair.client().write(buffers, soon());
    pair.atServer().awaitText("one,two,three");
    for (ByteBuffer buffer : buffers) {
      assertFalse(buffer.hasRemaining());
    }
  }

  @Test
  void writeTakesEveryByteOfALargeBuffer() throws Exception {
    Pair pair = pair();
    byte[] sent = noise(3_000_001);
    FutureTask<Boolean> write =
        onVirtualThread(() -> pair.client().write(ByteBuffer.wrap(sent), soon()));
    pair.atServer().awaitBytes(sent.length);
    assertTrue(write.get(20, TimeUnit.SECONDS));
    assertArrayEquals(sent, pair.atServer().bytes());
  }

  @Test
  void writeTakesDirectBuffersAndSlices() throws Exception {
    Pair pair = pair();
    ByteBuffer direct = ByteBuffer.allocateDirect(16);
    direct.put("direct,".getBytes(ISO_8859_1)).flip();
    ByteBuffer slice = text("xxsliceyy").position(2).limit(7).slice();
    pair.client().write(new ByteBuffer[] {direct, slice.asReadOnlyBuffer()}, soon());
    pair.atServer().awaitText("direct,slice");
  }

  @Test
  void bytesThatCameBeforeTheStartWait() throws Exception {
    Channel client = network.connect(listening.address(), soon());
    client.write(text("early"), soon());
    Channel server = accept();
    RecordingListener atServer = new RecordingListener();
    server.start(atServer);
    atServer.awaitText("early");
  }

  @Test
  void listenerIsCalledOnTheChannelsLoop() throws Exception {
    Pair pair = pair();
    CompletableFuture<Thread> loop = new CompletableFuture<>();
    pair.server().loop().execute(() -> loop.complete(Thread.currentThread()));
    pair.client().write(text("x"), soon());
    pair.atServer().awaitText("x");
    pair.client().close();
    pair.atServer().awaitEnd();
    pair.server().close();
    pair.atServer().awaitClosed();
    assertEquals(
        Collections.nCopies(3, loop.get(20, TimeUnit.SECONDS)), pair.atServer().threads());
  }

  @Test
  void bufferOfTheLoopIsAHeapBuffer() throws Exception {
    Pair pair = pair();
    Channel client = network.connect(listening.address(), soon());
    CompletableFuture<Boolean> heap = new CompletableFuture<>();
    accept().start(onBytes(bytes -> heap.complete(bytes.hasArray() && bytes.remaining() == 1)));
    client.write(text("x"), soon());
    assertTrue(heap.get(20, TimeUnit.SECONDS));
    assertTrue(pair.client().isOpen());
  }

  @Test
  void whatAListenerLeavesInTheBufferIsLost() throws Exception {
    Channel client = network.connect(listening.address(), soon());
    CompletableFuture<String> second = new CompletableFuture<>();
    CompletableFuture<Boolean> first = new CompletableFuture<>();
    accept().start(onBytes(bytes -> {
      if (!first.complete(true)) {
        second.complete(ISO_8859_1.decode(bytes).toString());
      }
    }));
    client.write(text("1"), soon());
    assertTrue(first.get(20, TimeUnit.SECONDS));
    client.write(text("2"), soon());
    assertEquals("2", second.get(20, TimeUnit.SECONDS));
  }

  private static ChannelListener onBytes(Consumer<ByteBuffer> consumer) {
    return new ChannelListener() {
      @Override
      public void onBytes(ByteBuffer bytes) {
        consumer.accept(bytes);
      }

      @Override
      public void onEnd() {}

      @Override
      public void onClosed(@Nullable IOException cause) {}
    };
  }

  // ---- back-pressure

  @Test
  void pausedReaderParksTheWriterUntilItResumes() throws Exception {
    Pair pair = pair();
    pair.server().pauseReading();
    byte[] sent = noise(MORE_THAN_FITS);
    FutureTask<Boolean> write =
        onVirtualThread(() -> pair.client().write(ByteBuffer.wrap(sent), soon()));
    awaitFull(pair, write);
    assertTrue(pair.atServer().received() < MORE_THAN_FITS);
    pair.server().resumeReading();
    pair.atServer().awaitBytes(MORE_THAN_FITS);
    assertTrue(write.get(20, TimeUnit.SECONDS));
    assertArrayEquals(sent, pair.atServer().bytes());
  }

  @Test
  void pauseInsideOnBytesTakesEffectWhenItReturns() throws Exception {
    Channel client = network.connect(listening.address(), soon());
    Channel server = accept();
    RecordingListener heard = new RecordingListener();
    server.start(new ChannelListener() {
      @Override
      public void onBytes(ByteBuffer bytes) {
        server.pauseReading();
        heard.onBytes(bytes);
      }

      @Override
      public void onEnd() {
        heard.onEnd();
      }

      @Override
      public void onClosed(@Nullable IOException cause) {
        heard.onClosed(cause);
      }
    });
    client.write(text("a"), soon());
    heard.awaitText("a");
    client.write(text("b"), soon());
    CompletableFuture<Boolean> pass = new CompletableFuture<>();
    server.loop().execute(() -> pass.complete(true));
    assertTrue(pass.get(20, TimeUnit.SECONDS));
    assertEquals("a", heard.text());
    server.resumeReading();
    heard.awaitText("ab");
  }

  // ---- a write that waits

  @Test
  void writeFailsWhenItsDeadlinePasses() throws Exception {
    Pair pair = pair();
    pair.server().pauseReading();
    FutureTask<Boolean> write =
        onVirtualThread(() -> pair.client().write(ByteBuffer.allocate(MORE_THAN_FITS), in(200)));
    assertInstanceOf(DeadlinePassedException.class, failureOf(write));
  }

  @Test
  void interruptEndsAWriteAndLeavesTheFlagSet() throws Exception {
    Pair pair = pair();
    pair.server().pauseReading();
    CompletableFuture<Boolean> flag = new CompletableFuture<>();
    CompletableFuture<Thread> writer = new CompletableFuture<>();
    FutureTask<Boolean> write = onVirtualThread(() -> {
      writer.complete(Thread.currentThread());
      try {
        pair.client().write(ByteBuffer.allocate(MORE_THAN_FITS), soon());
      } finally {
        flag.complete(Thread.currentThread().isInterrupted());
      }
    });
    awaitFull(pair, write);
    writer.get().interrupt();
    assertInstanceOf(InterruptedIOException.class, failureOf(write));
    assertTrue(flag.get(20, TimeUnit.SECONDS));
  }

  @Test
  void closeFailsTheThreadThatWaitsInWrite() throws Exception {
    Pair pair = pair();
    pair.server().pauseReading();
    FutureTask<Boolean> write =
        onVirtualThread(() -> pair.client().write(ByteBuffer.allocate(MORE_THAN_FITS), soon()));
    awaitFull(pair, write);
    pair.client().close();
    assertInstanceOf(ClosedChannelException.class, failureOf(write));
  }

  @Test
  void peerThatClosesFailsTheThreadThatWaitsInWrite() throws Exception {
    Pair pair = pair();
    pair.server().pauseReading();
    FutureTask<Boolean> write =
        onVirtualThread(() -> pair.client().write(ByteBuffer.allocate(MORE_THAN_FITS), soon()));
    awaitFull(pair, write);
    pair.server().close();
    assertInstanceOf(IOException.class, failureOf(write));
  }

  @Test
  void closingTheNetworkFailsTheThreadThatWaitsInWrite() throws Exception {
    Pair pair = pair();
    pair.server().pauseReading();
    FutureTask<Boolean> write =
        onVirtualThread(() -> pair.client().write(ByteBuffer.allocate(MORE_THAN_FITS), soon()));
    awaitFull(pair, write);
    network.close();
    assertInstanceOf(IOException.class, failureOf(write));
  }

  // ---- the end

  @Test
  void closeReachesThePeerAsAnEndAfterTheLastByte() throws Exception {
    Pair pair = pair();
    pair.client().write(text("last words"), soon());
    pair.client().close();
    pair.atServer().awaitEnd();
    assertEquals("last words", pair.atServer().text());
    assertTrue(pair.server().isOpen());
    assertEquals(Optional.empty(), pair.atClient().awaitClosed());
    assertFalse(pair.client().isOpen());
  }

  @Test
  void shutdownOutputEndsOneDirectionOnly() throws Exception {
    Pair pair = pair();
    pair.client().write(text("question"), soon());
    pair.client().shutdownOutput();
    pair.client().shutdownOutput();
    pair.atServer().awaitEnd();
    pair.server().write(text("answer"), soon());
    pair.atClient().awaitText("answer");
    assertTrue(pair.client().isOpen());
    assertThrows(ClosedChannelException.class, () -> pair.client().write(text("x"), soon()));
  }

  @Test
  void writeToAClosedChannelFails() throws Exception {
    Pair pair = pair();
    pair.client().close();
    assertThrows(ClosedChannelException.class, () -> pair.client().write(text("x"), soon()));
  }

  @Test
  void closeIsHeardExactlyOnceAndLast() throws Exception {
    Pair pair = pair();
    pair.server().write(text("x"), soon());
    pair.atClient().awaitText("x");
    pair.client().close();
    pair.client().close();
    pair.atServer().awaitEnd();
    pair.server().close();
    pair.atServer().awaitClosed();
    pair.atClient().awaitClosed();
    network.close();
    assertEquals(List.of("bytes", "closed"), pair.atClient().calls());
    assertEquals(List.of("end", "closed"), pair.atServer().calls());
  }

  @Test
  void startAfterCloseHearsTheClose() throws Exception {
    Channel client = network.connect(listening.address(), soon());
    client.close();
    RecordingListener heard = new RecordingListener();
    client.start(heard);
    assertEquals(Optional.empty(), heard.awaitClosed());
  }

  @Test
  void listenerThatThrowsClosesItsChannelOnly() throws Exception {
    Pair other = pair();
    Channel client = network.connect(listening.address(), soon());
    CompletableFuture<IOException> closed = new CompletableFuture<>();
    accept().start(new ChannelListener() {
      @Override
      public void onBytes(ByteBuffer bytes) {
        throw new IllegalStateException("broken on purpose");
      }

      @Override
      public void onEnd() {}

      @Override
      public void onClosed(@Nullable IOException cause) {
        closed.complete(Objects.requireNonNull(cause));
      }
    });
    client.write(text("x"), soon());
    Throwable cause = closed.get(20, TimeUnit.SECONDS).getCause();
    assertEquals("broken on purpose", Objects.requireNonNull(cause).getMessage());
    other.client().write(text("alive"), soon());
    other.atServer().awaitText("alive");
  }

  // ---- opening

  @Test
  void connectIsRefusedWhereNobodyListens() throws Exception {
    listening.close();
    assertThrows(ConnectException.class, () -> network.connect(listening.address(), soon()));
  }

  @Test
  void acceptedChannelsOutliveTheListening() throws Exception {
    Pair pair = pair();
    listening.close();
    listening.close();
    pair.client().write(text("still here"), soon());
    pair.atServer().awaitText("still here");
  }

  @Test
  void addressInUseCannotBeBoundAgain() {
    assertThrows(BindException.class, () -> network.listen(listening.address(), 1, channel -> {}));
  }

  @Test
  void bothEndsAgreeOnTheirAddresses() throws Exception {
    Pair pair = pair();
    assertEquals(listening.address(), pair.client().remoteAddress());
    assertEquals(listening.address(), pair.server().localAddress());
    assertEquals(pair.client().localAddress(), pair.server().remoteAddress());
  }

  @Test
  void closedNetworkOpensNothing() {
    network.close();
    network.close();
    assertThrows(IOException.class, () -> network.connect(listening.address(), soon()));
    assertThrows(IOException.class, () -> network.listen(ANY_PORT, 1, channel -> {}));
  }

  @Test
  void closingTheNetworkClosesChannelsThatWereNeverStarted() throws Exception {
    Channel client = network.connect(listening.address(), soon());
    Channel server = accept();
    network.close();
    for (Channel channel : List.of(client, server)) {
      assertFalse(channel.isOpen());
      assertThrows(ClosedChannelException.class, () -> channel.write(text("x"), soon()));
      RecordingListener heard = new RecordingListener();
      channel.start(heard);
      heard.awaitClosed();
    }
  }

  @Test
  void closingTheNetworkClosesEveryChannel() throws Exception {
    Pair pair = pair();
    network.close();
    pair.atClient().awaitClosed();
    pair.atServer().awaitClosed();
    assertFalse(pair.client().isOpen());
    assertFalse(pair.server().isOpen());
  }
}
