package heddle.transport.tls;

import heddle.transport.Channel;
import heddle.transport.DeadlinePassedException;
import heddle.transport.EventLoop;
import heddle.transport.SecureChannel;
import heddle.transport.Timer;
import heddle.transport.TlsHandshakeException;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A server's handshake with a peer that has connected: on a virtual thread, which begins only when
 * the peer has sent something. Until then, a timer watches it.
 */
final class AcceptedHandshake {
  /** How long a peer may take to read why it was refused. */
  private static final Duration LINGER = Duration.ofSeconds(1);

  private final Channel channel;
  private final String peer;
  private final EventLoop loop;
  private final HandshakeListener handshakeListener;
  private final Deadline deadline;
  private final long handshakeNanos;
  private final Timer timer;
  private final Consumer<SecureChannel> onReady;
  private final Consumer<IOException> onFailed;

  private @Nullable Handshake handshake;
  private @Nullable Supplier<TlsChannel> result;

  /** The loop's own: whether the thread has been started or the time was up before. */
  private boolean begun;

  AcceptedHandshake(
      Channel channel,
      String peer,
      long handshakeNanos,
      Consumer<SecureChannel> onReady,
      Consumer<IOException> onFailed) {
    this.channel = channel;
    this.peer = peer;
    this.loop = channel.loop();
    this.handshakeNanos = handshakeNanos;
    this.deadline = new Deadline(loop.clock().nanoTime() + handshakeNanos);
    this.onReady = onReady;
    this.onFailed = onFailed;
    this.handshakeListener = new HandshakeListener(channel, this::startThread);
    this.timer = loop.newTimer(this::onTime);
  }

  HandshakeListener handshakeListener() {
    return handshakeListener;
  }

  /**
   * To be called before {@link #begin}.
   *
   * @param newHandshake to be made
   * @param newResult makes the channel when it is done
   */
  void prepare(Handshake newHandshake, Supplier<TlsChannel> newResult) {
    handshake = newHandshake;
    result = newResult;
  }

  /** Begins to listen. */
  void begin() {
    try {
      timer.arm(deadline.nanos());
      channel.start(handshakeListener);
    } catch (RuntimeException | Error e) {
      giveUp(broken(e));
    }
  }

  private void onTime() {
    giveUp(late());
  }

  private IOException late() {
    return new DeadlinePassedException("%s did not finish its TLS handshake within %d ms"
        .formatted(peer, TimeUnit.NANOSECONDS.toMillis(handshakeNanos)));
  }

  private IOException broken(Throwable why) {
    return new IOException("the TLS handshake with " + peer + " broke", why);
  }

  /** On the loop, if there is no thread that makes the handshake. */
  private void giveUp(IOException why) {
    if (!begun) {
      begun = true;
      timer.cancel();
      channel.close();
      onFailed.accept(why);
    }
  }

  private void startThread() {
    if (begun) {
      return;
    }
    try {
      Thread.ofVirtual().name("heddle-handshake").start(this::run);
    } catch (RuntimeException | Error e) {
      giveUp(broken(e));
      return;
    }
    begun = true;
    timer.cancel();
  }

  private void run() {
    Handshake made = handshake;
    Supplier<TlsChannel> channels = result;
    if (made == null || channels == null) {
      throw new IllegalStateException("the handshake was not begun");
    }
    try {
      made.run(deadline);
      TlsChannel secure = channels.get();
      loop.execute(() -> handOver(secure));
    } catch (DeadlinePassedException e) {
      fail(late());
    } catch (IOException e) {
      fail(e);
    } catch (RuntimeException | Error e) {
      fail(broken(e));
    }
  }

  private void handOver(TlsChannel secure) {
    try {
      onReady.accept(secure);
    } catch (RuntimeException | Error e) {
      IOException why = new IOException("the connection with " + peer + " could not begin", e);
      secure.fail(why);
      if (!secure.isStarted()) {
        // It has no listener yet that hears of the close.
        onFailed.accept(why);
      }
    }
  }

  private void fail(IOException why) {
    try {
      if (why instanceof TlsHandshakeException) {
        linger();
      }
    } finally {
      channel.close();
      loop.execute(() -> onFailed.accept(why));
    }
  }

  /**
   * The peer may have been sent an alert: closing with input unread would reset the connection, and
   * the peer might never read it.
   */
  private void linger() {
    channel.shutdownOutput();
    try {
      Deadline soon = Deadline.after(LINGER, loop.clock());
      handshakeListener.handshake().awaitEnd(soon, "waiting for the peer to close");
    } catch (IOException e) {
      // It had its time, or the network is closing.
      return;
    }
  }
}
