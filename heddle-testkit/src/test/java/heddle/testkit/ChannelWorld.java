package heddle.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.transport.Channel;
import heddle.transport.ChannelListener;
import heddle.transport.Network;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A network with somebody who listens in it, for the channel contract. */
final class ChannelWorld {
  static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private final LinkedBlockingQueue<Channel> accepted = new LinkedBlockingQueue<>();
  private final Network network;
  private final Network.Listening listening;

  ChannelWorld(Network network) {
    this.network = network;
    try {
      listening = network.listen(ANY_PORT, 16, accepted::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Network network() {
    return network;
  }

  Network.Listening listening() {
    return listening;
  }

  /** Both ends of a connection, started. */
  record Pair(
      Channel client, RecordingListener atClient, Channel server, RecordingListener atServer) {
    /** Waits until the client has written all that fits and parks. */
    void awaitFull(FutureTask<Boolean> write) {
      int before = -1;
      while (before != atServer.received()) {
        before = atServer.received();
        assertThrows(TimeoutException.class, () -> write.get(50, TimeUnit.MILLISECONDS));
      }
    }
  }

  Pair pair() throws Exception {
    Channel client = connect();
    Channel server = accept();
    RecordingListener atClient = new RecordingListener();
    RecordingListener atServer = new RecordingListener();
    client.start(atClient);
    server.start(atServer);
    return new Pair(client, atClient, server, atServer);
  }

  Channel connect() throws IOException {
    return network.connect(listening.address(), soon());
  }

  Channel accept() throws InterruptedException {
    Channel channel = accepted.poll(20, TimeUnit.SECONDS);
    if (channel == null) {
      throw new AssertionError("nothing was accepted");
    }
    return channel;
  }

  Deadline soon() {
    return Deadline.after(Duration.ofSeconds(20), network.clock());
  }

  Deadline in(long millis) {
    return Deadline.after(Duration.ofMillis(millis), network.clock());
  }

  static ByteBuffer text(String text) {
    return ByteBuffer.wrap(text.getBytes(ISO_8859_1));
  }

  static byte[] noise(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  /** Something that throws. */
  interface Step {
    void run() throws Exception;
  }

  static FutureTask<Boolean> onVirtualThread(Step step) {
    FutureTask<Boolean> task = new FutureTask<>(() -> {
      step.run();
      return true;
    });
    Thread.ofVirtual().name("writer").start(task);
    return task;
  }

  static Throwable failureOf(FutureTask<Boolean> task) throws Exception {
    Throwable wrapper =
        assertThrows(ExecutionException.class, () -> task.get(20, TimeUnit.SECONDS));
    return Objects.requireNonNull(wrapper.getCause());
  }

  static ChannelListener onBytes(Consumer<ByteBuffer> consumer) {
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
}
