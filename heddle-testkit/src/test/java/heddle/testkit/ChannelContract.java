package heddle.testkit;

import static heddle.testkit.ChannelWorld.failureOf;
import static heddle.testkit.ChannelWorld.noise;
import static heddle.testkit.ChannelWorld.onBytes;
import static heddle.testkit.ChannelWorld.onVirtualThread;
import static heddle.testkit.ChannelWorld.text;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.ChannelWorld.Pair;
import heddle.transport.Channel;
import heddle.transport.ChannelListener;
import heddle.transport.DeadlinePassedException;
import heddle.transport.Network;
import heddle.transport.SecureChannel;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.BindException;
import java.net.ConnectException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a {@link Network} and its channels promise, whatever carries the bytes. */
@Timeout(60)
abstract class ChannelContract {
  /** More than the buffers of simulated connections hold, with TLS too. */
  static final int MORE_THAN_FITS_SIMULATED = 4 * 1024 * 1024;

  private final ChannelWorld world = new ChannelWorld(newNetwork());

  @AutoClose
  private final Network network = world.network();

  private final Network.Listening listening = world.listening();

  /** Makes the network under test. */
  abstract Network newNetwork();

  /** More bytes than any socket's buffers hold, so that a write must wait for the reader. */
  int moreThanFits() {
    return 32 * 1024 * 1024;
  }

  // ---- bytes

  @Test
  void bytesTravelBothWays() throws Exception {
    Pair pair = world.pair();
    pair.client().write(text("to the server"), world.soon());
    pair.server().write(text("to the client"), world.soon());
    pair.atServer().awaitText("to the server");
    pair.atClient().awaitText("to the client");
  }

  @Test
  void buffersOfOneWriteArriveInOrder() throws Exception {
    Pair pair = world.pair();
    ByteBuffer[] buffers = {text("one,"), text(""), text("two,"), text("three")};
    pair.client().write(buffers, world.soon());
    pair.atServer().awaitText("one,two,three");
    for (ByteBuffer buffer : buffers) {
      assertFalse(buffer.hasRemaining());
    }
  }

  @Test
  void writeTakesEveryByteOfALargeBuffer() throws Exception {
    Pair pair = world.pair();
    byte[] sent = noise(3_000_001);
    FutureTask<Boolean> write =
        onVirtualThread(() -> pair.client().write(ByteBuffer.wrap(sent), world.soon()));
    pair.atServer().awaitBytes(sent.length);
    assertTrue(write.get(20, TimeUnit.SECONDS));
    assertArrayEquals(sent, pair.atServer().bytes());
  }

  @Test
  void writeTakesDirectBuffersAndSlices() throws Exception {
    Pair pair = world.pair();
    ByteBuffer direct = ByteBuffer.allocateDirect(16);
    direct.put("direct,".getBytes(ISO_8859_1)).flip();
    ByteBuffer slice = text("xxsliceyy").position(2).limit(7).slice();
    pair.client().write(new ByteBuffer[] {direct, slice.asReadOnlyBuffer()}, world.soon());
    pair.atServer().awaitText("direct,slice");
  }

  @Test
  void bytesThatCameBeforeTheStartWait() throws Exception {
    Channel client = world.connect();
    client.write(text("early"), world.soon());
    Channel server = world.accept();
    RecordingListener atServer = new RecordingListener();
    server.start(atServer);
    atServer.awaitText("early");
  }

  @Test
  void listenerIsCalledOnTheChannelsLoop() throws Exception {
    Pair pair = world.pair();
    CompletableFuture<Thread> loop = new CompletableFuture<>();
    pair.server().loop().execute(() -> loop.complete(Thread.currentThread()));
    pair.client().write(text("x"), world.soon());
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
    Pair pair = world.pair();
    Channel client = world.connect();
    CompletableFuture<Boolean> heap = new CompletableFuture<>();
    world
        .accept()
        .start(onBytes(bytes -> heap.complete(bytes.hasArray() && bytes.remaining() == 1)));
    client.write(text("x"), world.soon());
    assertTrue(heap.get(20, TimeUnit.SECONDS));
    assertTrue(pair.client().isOpen());
  }

  @Test
  void readBringsNoMoreThanTheListenerLimits() throws Exception {
    Pair pair = world.pair();
    pair.client().write(text("x"), world.soon());
    pair.atServer().awaitText("x");
    pair.atServer().limitReads(20_000);
    FutureTask<Boolean> write =
        onVirtualThread(() -> pair.client().write(ByteBuffer.wrap(noise(1_000_000)), world.soon()));
    pair.atServer().awaitBytes(1_000_001);
    assertTrue(write.get(20, TimeUnit.SECONDS));
    // A record that was cut by the limit is handed on with what the next read brings.
    int cutRecord = pair.server() instanceof SecureChannel ? 16 * 1024 : 0;
    int largest = Collections.max(pair.atServer().sizes());
    assertTrue(largest <= 20_000 + cutRecord, "a read brought " + largest + " bytes");
  }

  @Test
  void whatAListenerLeavesInTheBufferIsLost() throws Exception {
    Channel client = world.connect();
    CompletableFuture<String> second = new CompletableFuture<>();
    CompletableFuture<Boolean> first = new CompletableFuture<>();
    world.accept().start(onBytes(bytes -> {
      if (!first.complete(true)) {
        second.complete(ISO_8859_1.decode(bytes).toString());
      }
    }));
    client.write(text("1"), world.soon());
    assertTrue(first.get(20, TimeUnit.SECONDS));
    client.write(text("2"), world.soon());
    assertEquals("2", second.get(20, TimeUnit.SECONDS));
  }

  // ---- back-pressure

  @Test
  void pausedReaderParksTheWriterUntilItResumes() throws Exception {
    Pair pair = world.pair();
    pair.server().pauseReading();
    byte[] sent = noise(moreThanFits());
    FutureTask<Boolean> write =
        onVirtualThread(() -> pair.client().write(ByteBuffer.wrap(sent), world.soon()));
    pair.awaitFull(write);
    assertTrue(pair.atServer().received() < moreThanFits());
    pair.server().resumeReading();
    pair.atServer().awaitBytes(moreThanFits());
    assertTrue(write.get(20, TimeUnit.SECONDS));
    assertArrayEquals(sent, pair.atServer().bytes());
  }

  @Test
  void pauseInsideOnBytesTakesEffectWhenItReturns() throws Exception {
    Channel client = world.connect();
    Channel server = world.accept();
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
    client.write(text("a"), world.soon());
    heard.awaitText("a");
    client.write(text("b"), world.soon());
    CompletableFuture<Boolean> pass = new CompletableFuture<>();
    server.loop().execute(() -> pass.complete(true));
    assertTrue(pass.get(20, TimeUnit.SECONDS));
    assertEquals("a", heard.text());
    server.resumeReading();
    heard.awaitText("ab");
  }

  // ---- a write that waits

  /** The client writes more than the server, which does not read, has room for. */
  private FutureTask<Boolean> parkedWrite(Pair pair) {
    pair.server().pauseReading();
    FutureTask<Boolean> write = onVirtualThread(
        () -> pair.client().write(ByteBuffer.allocate(moreThanFits()), world.soon()));
    pair.awaitFull(write);
    return write;
  }

  @Test
  void writeFailsWhenItsDeadlinePasses() throws Exception {
    Pair pair = world.pair();
    pair.server().pauseReading();
    FutureTask<Boolean> write = onVirtualThread(
        () -> pair.client().write(ByteBuffer.allocate(moreThanFits()), world.in(200)));
    assertInstanceOf(DeadlinePassedException.class, failureOf(write));
  }

  @Test
  void writeAtOnceOnTheLoopTakesWhatFitsAndCanBeGoneOnWith() throws Exception {
    Pair pair = world.pair();
    pair.server().pauseReading();
    byte[] sent = noise(moreThanFits());
    ByteBuffer bytes = ByteBuffer.wrap(sent);
    FutureTask<Boolean> atOnce = new FutureTask<>(() -> {
      pair.client().write(bytes, Deadline.atOnce());
      return true;
    });
    pair.client().loop().execute(atOnce);
    assertInstanceOf(DeadlinePassedException.class, failureOf(atOnce));
    assertTrue(bytes.position() > 0);
    FutureTask<Boolean> rest = onVirtualThread(() -> pair.client().write(bytes, world.soon()));
    pair.server().resumeReading();
    pair.atServer().awaitBytes(moreThanFits());
    assertTrue(rest.get(20, TimeUnit.SECONDS));
    assertArrayEquals(sent, pair.atServer().bytes());
  }

  @Test
  void interruptEndsAWriteAndLeavesTheFlagSet() throws Exception {
    Pair pair = world.pair();
    pair.server().pauseReading();
    CompletableFuture<Boolean> flag = new CompletableFuture<>();
    CompletableFuture<Thread> writer = new CompletableFuture<>();
    FutureTask<Boolean> write = onVirtualThread(() -> {
      writer.complete(Thread.currentThread());
      try {
        pair.client().write(ByteBuffer.allocate(moreThanFits()), world.soon());
      } finally {
        flag.complete(Thread.currentThread().isInterrupted());
      }
    });
    pair.awaitFull(write);
    writer.get().interrupt();
    assertInstanceOf(InterruptedIOException.class, failureOf(write));
    assertTrue(flag.get(20, TimeUnit.SECONDS));
  }

  @Test
  void closeFailsTheThreadThatWaitsInWrite() throws Exception {
    Pair pair = world.pair();
    FutureTask<Boolean> write = parkedWrite(pair);
    pair.client().close();
    assertInstanceOf(ClosedChannelException.class, failureOf(write));
  }

  @Test
  void peerThatClosesFailsTheThreadThatWaitsInWrite() throws Exception {
    Pair pair = world.pair();
    FutureTask<Boolean> write = parkedWrite(pair);
    pair.server().close();
    assertInstanceOf(IOException.class, failureOf(write));
  }

  @Test
  void closingTheNetworkFailsTheThreadThatWaitsInWrite() throws Exception {
    Pair pair = world.pair();
    FutureTask<Boolean> write = parkedWrite(pair);
    network.close();
    assertInstanceOf(IOException.class, failureOf(write));
  }

  // ---- the end

  @Test
  void closeReachesThePeerAsAnEndAfterTheLastByte() throws Exception {
    Pair pair = world.pair();
    // Bytes that reach a closed channel are answered with a reset, a TLS session ticket too: the
    // client has read all that was sent to it once it has read what was sent last.
    pair.server().write(text("welcome"), world.soon());
    pair.atClient().awaitText("welcome");
    pair.client().write(text("last words"), world.soon());
    pair.client().close();
    pair.atServer().awaitEnd();
    assertEquals("last words", pair.atServer().text());
    assertTrue(pair.server().isOpen());
    assertEquals(Optional.empty(), pair.atClient().awaitClosed());
    assertFalse(pair.client().isOpen());
  }

  @Test
  void shutdownOutputEndsOneDirectionOnly() throws Exception {
    Pair pair = world.pair();
    pair.client().write(text("question"), world.soon());
    pair.client().shutdownOutput();
    pair.client().shutdownOutput();
    pair.atServer().awaitEnd();
    pair.server().write(text("answer"), world.soon());
    pair.atClient().awaitText("answer");
    assertTrue(pair.client().isOpen());
    assertThrows(ClosedChannelException.class, () -> pair.client().write(text("x"), world.soon()));
  }

  @Test
  void writeToAClosedChannelFails() throws Exception {
    Pair pair = world.pair();
    pair.client().close();
    assertThrows(ClosedChannelException.class, () -> pair.client().write(text("x"), world.soon()));
  }

  @Test
  void closeIsHeardExactlyOnceAndLast() throws Exception {
    Pair pair = world.pair();
    pair.server().write(text("x"), world.soon());
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
    Channel client = world.connect();
    client.close();
    RecordingListener heard = new RecordingListener();
    client.start(heard);
    assertEquals(Optional.empty(), heard.awaitClosed());
  }

  @Test
  void listenerThatThrowsClosesItsChannelOnly() throws Exception {
    Pair other = world.pair();
    Channel client = world.connect();
    CompletableFuture<IOException> closed = new CompletableFuture<>();
    world.accept().start(new ChannelListener() {
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
    client.write(text("x"), world.soon());
    Throwable cause = closed.get(20, TimeUnit.SECONDS).getCause();
    assertEquals("broken on purpose", Objects.requireNonNull(cause).getMessage());
    other.client().write(text("alive"), world.soon());
    other.atServer().awaitText("alive");
  }

  // ---- opening

  @Test
  void connectIsRefusedWhereNobodyListens() throws Exception {
    listening.close();
    assertThrows(ConnectException.class, () -> world.connect());
  }

  @Test
  void acceptedChannelsOutliveTheListening() throws Exception {
    Pair pair = world.pair();
    listening.close();
    listening.close();
    pair.client().write(text("still here"), world.soon());
    pair.atServer().awaitText("still here");
  }

  @Test
  void addressInUseCannotBeBoundAgain() {
    BindException failure = assertThrows(
        BindException.class, () -> network.listen(listening.address(), 1, channel -> {}));
    assertEquals("Address already in use: " + listening.address(), failure.getMessage());
  }

  @Test
  void bothEndsAgreeOnTheirAddresses() throws Exception {
    Pair pair = world.pair();
    assertEquals(listening.address(), pair.client().remoteAddress());
    assertEquals(listening.address(), pair.server().localAddress());
    assertEquals(pair.client().localAddress(), pair.server().remoteAddress());
  }

  @Test
  void closedNetworkOpensNothing() {
    network.close();
    network.close();
    assertThrows(IOException.class, () -> world.connect());
    assertThrows(IOException.class, () -> network.listen(ChannelWorld.ANY_PORT, 1, channel -> {}));
  }

  @Test
  void closingTheNetworkClosesChannelsThatWereNeverStarted() throws Exception {
    Channel client = world.connect();
    Channel server = world.accept();
    network.close();
    for (Channel channel : List.of(client, server)) {
      assertFalse(channel.isOpen());
      assertThrows(ClosedChannelException.class, () -> channel.write(text("x"), world.soon()));
      RecordingListener heard = new RecordingListener();
      channel.start(heard);
      heard.awaitClosed();
    }
  }

  @Test
  void closingTheNetworkClosesEveryChannel() throws Exception {
    Pair pair = world.pair();
    network.close();
    pair.atClient().awaitClosed();
    pair.atServer().awaitClosed();
    assertFalse(pair.client().isOpen());
    assertFalse(pair.server().isOpen());
  }
}
