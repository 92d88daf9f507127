package heddle.transport.tcp;

import heddle.transport.Channel;
import heddle.transport.Descriptors;
import heddle.transport.Network;
import heddle.transport.SafeLog;
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
import org.jspecify.annotations.Nullable;

/** A listening socket, accepted from on one loop; the channels are spread over all. */
final class TcpListening extends ReadyHandler implements Network.Listening {
  private static final System.Logger LOG = System.getLogger("heddle.transport");
  private static final int ACCEPTS_PER_PASS = 64;
  private static final long CLOSE_SECONDS = 5;

  // How long accepting pauses after a failure, and how far apart those are that are reported.
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long EPISODE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final TcpNetwork network;
  private final SelectorLoop loop;
  private final ServerSocketChannel socket;
  private final SocketAddress address;
  private final @Nullable UnixSocketFile file;
  private final Consumer<Channel> onAccept;
  private final Timer retry;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final CountDownLatch freed = new CountDownLatch(1);
  private volatile Runnable onExhausted = () -> {};

  // The loop's own.
  private @Nullable SelectionKey key;
  private long reportedUntil;
  private long resumeAt; // When the last pause ends, or has ended.

  /**
   * A descriptor to give up when there is no other, because reporting that and closing idle
   * connections may take one. Taken again before anything more is accepted.
   */
  private @Nullable SocketChannel spare;

  /**
   * @param file of a Unix domain socket, which is deleted at the end; else null
   */
  TcpListening(
      TcpNetwork network,
      ServerSocketChannel socket,
      @Nullable UnixSocketFile file,
      Consumer<Channel> onAccept)
      throws IOException {
    this.network = network;
    this.loop = network.takeLoop();
    this.socket = socket;
    this.address = socket.getLocalAddress();
    this.file = file;
    this.onAccept = onAccept;
    this.retry = loop.newTimer(this::resume);
    this.spare = SocketChannel.open();
    // Also loads what reports that no descriptor is left, while there are some.
    SafeLog.log(LOG, Level.DEBUG, Descriptors.advice() + "; accepting at ", address, null);
  }

  void start() {
    loop.adopt(this);
    loop.execute(this::register);
  }

  private void register() {
    if (closed.get()) {
      return;
    }
    try {
      key = socket.register(loop.selector(), SelectionKey.OP_ACCEPT, this);
    } catch (IOException | RuntimeException | Error e) {
      resumeAt = loop.clock().nanoTime() + PAUSE_NANOS;
      retry.arm(resumeAt);
      SafeLog.log(LOG, Level.ERROR, "Trying again soon to accept connections at ", address, e);
    }
  }

  @Override
  void onReady(int readyOps) {
    try {
      for (int i = 0; i < ACCEPTS_PER_PASS; i++) {
        SocketChannel accepted = socket.accept();
        if (accepted == null) {
          return;
        }
        hand(accepted);
      }
    } catch (IOException e) {
      onFailure(e);
    }
  }

  private void hand(SocketChannel accepted) {
    TcpChannel channel = null;
    try {
      channel = network.channel(accepted, null);
      if (file != null) {
        channel.accepted(address);
      }
      onAccept.accept(channel);
    } catch (IOException | RuntimeException | Error e) {
      if (channel != null) {
        channel.close();
      } else {
        close(accepted, "Closing a connection failed that came to ");
      }
      SafeLog.log(
          LOG, Level.ERROR, "A connection could not be served that was accepted at ", address, e);
    }
  }

  private void close(SocketChannel unused, String failed) {
    try {
      unused.close();
    } catch (IOException e) {
      SafeLog.log(LOG, Level.WARNING, failed, address, e);
    }
  }

  /**
   * Pauses, as when descriptors run out: the backlog keeps the peers waiting while others finish,
   * instead of the loop spinning on the error.
   */
  @Override
  void onFailure(Throwable why) {
    SelectionKey registered = key;
    if (closed.get() || registered == null || !registered.isValid()) {
      return;
    }
    long now = loop.clock().nanoTime();
    // First of all: whatever fails below, accepting goes on.
    resumeAt = now + PAUSE_NANOS;
    retry.arm(resumeAt);
    registered.interestOps(0);
    boolean exhausted = Descriptors.areExhausted(why);
    if (exhausted) {
      giveSpareUp();
    }
    if (now >= reportedUntil) {
      String advice = exhausted ? Descriptors.advice() : why.toString();
      String message = "Accepting pauses until it succeeds again (" + advice + ") at ";
      SafeLog.log(LOG, Level.WARNING, message, address, why);
    }
    reportedUntil = now + EPISODE_NANOS;
    if (exhausted) {
      loop.runGuarded(onExhausted);
    }
  }

  private void resume() {
    SelectionKey registered = key;
    if (registered == null) {
      register();
    } else if (registered.isValid() && takeSpare()) {
      registered.interestOps(SelectionKey.OP_ACCEPT);
      SelectorLoop.renewInterest(registered);
    }
  }

  private boolean takeSpare() {
    if (spare != null) {
      return true;
    }
    try {
      spare = SocketChannel.open();
      return true;
    } catch (IOException e) {
      onFailure(e);
      return false;
    }
  }

  private void giveSpareUp() {
    SocketChannel given = spare;
    spare = null;
    if (given != null) {
      close(given, "Closing the spare socket failed at ");
    }
  }

  @Override
  public void onExhausted(Runnable makeRoom) {
    onExhausted = makeRoom;
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
    try {
      if (!loop.inLoop() && !freed.await(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        SafeLog.log(LOG, Level.WARNING, "After 5 s the loop has not freed ", address, null);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void free() {
    giveSpareUp();
    loop.forget(this);
    try {
      if (file != null) {
        file.delete();
      }
      socket.close();
      // A registered socket keeps its address until the selector has let go of its key.
      loop.releaseClosed();
    } catch (IOException e) {
      SafeLog.log(LOG, Level.WARNING, "Closing the socket failed at ", address, e);
    } finally {
      freed.countDown();
    }
  }

  @Override
  public String toString() {
    return "TcpListening[" + address + "]";
  }

  @Override
  void redoLostWork() {
    if (!closed.get()) {
      if (loop.clock().nanoTime() >= resumeAt) {
        resume();
      } else {
        retry.arm(resumeAt);
      }
    } else if (socket.isOpen()) {
      free();
    }
  }

  @Override
  void onLoopLost(IOException why) {
    key = null;
  }

  @Override
  void onLoopEnd() {
    if (closed.compareAndSet(false, true)) {
      free();
    }
  }
}
