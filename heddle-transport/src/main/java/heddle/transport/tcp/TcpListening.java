package heddle.transport.tcp;

import heddle.transport.Channel;
import heddle.transport.Network;
import heddle.transport.Timer;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A listening socket, accepted from on one loop; the channels are spread over all. */
final class TcpListening implements Network.Listening, ReadyHandler {
  private static final System.Logger LOG = System.getLogger("heddle.transport");
  private static final int ACCEPTS_PER_PASS = 64;

  /** How long to wait when the process may open no more descriptors. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private static final long CLOSE_SECONDS = 5;

  private final SelectorLoop loop;
  private final ServerSocketChannel socket;
  private final SocketAddress address;

  /** Makes a channel of a socket, or closes it and throws. */
  private final Function<SocketChannel, Channel> channels;

  private final Consumer<Channel> onAccept;
  private final Timer retry;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final CountDownLatch freed = new CountDownLatch(1);

  /** The loop's own. */
  private @Nullable SelectionKey key;

  TcpListening(
      SelectorLoop loop,
      ServerSocketChannel socket,
      Function<SocketChannel, Channel> channels,
      Consumer<Channel> onAccept)
      throws IOException {
    this.loop = loop;
    this.socket = socket;
    this.address = socket.getLocalAddress();
    this.channels = channels;
    this.onAccept = onAccept;
    this.retry = loop.newTimer(this::resume);
  }

  void start() {
    loop.execute(() -> {
      try {
        key = socket.register(loop.selector(), SelectionKey.OP_ACCEPT, this);
      } catch (IOException e) {
        LOG.log(Level.ERROR, "Cannot accept connections at " + address, e);
        close();
      }
    });
  }

  @Override
  public void onReady(int readyOps) {
    try {
      for (int i = 0; i < ACCEPTS_PER_PASS; i++) {
        SocketChannel accepted = socket.accept();
        if (accepted == null) {
          return;
        }
        hand(accepted);
      }
    } catch (IOException e) {
      pause(e);
    }
  }

  private void hand(SocketChannel accepted) {
    Channel channel = null;
    try {
      channel = channels.apply(accepted);
      onAccept.accept(channel);
    } catch (RuntimeException | Error e) {
      LOG.log(Level.ERROR, "A connection accepted at " + address + " could not be served", e);
      if (channel != null) {
        channel.close();
      }
    }
  }

  /**
   * Accepting failed, as it does when descriptors run out: the backlog keeps the peers waiting
   * while others finish, instead of the loop spinning on the error.
   */
  private void pause(IOException e) {
    SelectionKey registered = key;
    if (closed.get() || registered == null || !registered.isValid()) {
      return;
    }
    LOG.log(Level.WARNING, "Accepting at " + address + " failed, trying again soon: " + e);
    registered.interestOps(0);
    retry.arm(loop.clock().nanoTime() + PAUSE_NANOS);
  }

  private void resume() {
    SelectionKey registered = key;
    if (registered != null && registered.isValid()) {
      registered.interestOps(SelectionKey.OP_ACCEPT);
    }
  }

  @Override
  public SocketAddress address() {
    return address;
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      retry.cancel();
      loop.execute(this::free);
    }
    awaitFreed();
  }

  private void free() {
    try {
      socket.close();
      // A registered socket keeps its address until the selector has let go of its key.
      loop.releaseClosed();
    } catch (IOException e) {
      LOG.log(Level.WARNING, "Closing the socket at " + address + " failed", e);
    } finally {
      freed.countDown();
    }
  }

  private void awaitFreed() {
    if (loop.inLoop()) {
      return;
    }
    try {
      if (!freed.await(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        LOG.log(Level.WARNING, "The address " + address + " is not free yet");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public String toString() {
    return "TcpListening[" + address + "]";
  }

  @Override
  public void onLoopEnd() {
    if (closed.compareAndSet(false, true)) {
      free();
    }
  }
}
