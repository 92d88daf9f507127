package heddle.transport.tls;

import heddle.transport.Channel;
import heddle.transport.DeadlinePassedException;
import heddle.transport.SecureChannel;
import heddle.transport.Timer;
import heddle.transport.TlsHandshakeException;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * A server's handshake with a peer that has connected: on a virtual thread, which begins only when
 * the peer has sent something.
 *
 * <p>Whatever goes wrong, the channel is closed, and that reports the failure: it reaches the loop
 * even when there is no memory for an exception or a task. A timer runs until the channel is handed
 * over, so that nothing that is lost on the way lets it stay open.
 */
final class AcceptedHandshake {
  /** How much ciphertext one read may bring: a server may hold the rest of one for each peer. */
  private static final int READ_LIMIT = 64 * 1024;

  private final Channel channel;
  private final SSLEngine engine;
  private final @Nullable BiConsumer<SSLEngine, SocketAddress> rules;
  private final TlsBuffers buffers;
  private final HandshakeListener listener;
  private final Deadline deadline;
  private final long handshakeNanos;
  private final Timer timer;
  private final Consumer<SecureChannel> onReady;
  private final Consumer<@Nullable IOException> onFailed;

  /** What the channel's address is; it may change until the first input has come. */
  private volatile String peer;

  /** Why the channel is closed, if that is known; written before it is. */
  private volatile @Nullable IOException failure;

  // The loop's own.
  private boolean handedOver;
  private boolean closed;

  AcceptedHandshake(
      Channel channel,
      SSLEngine engine,
      @Nullable BiConsumer<SSLEngine, SocketAddress> rules,
      TlsBuffers buffers,
      long handshakeNanos,
      Consumer<SecureChannel> onReady,
      Consumer<@Nullable IOException> onFailed) {
    this.channel = channel;
    this.engine = engine;
    this.rules = rules;
    this.buffers = buffers;
    this.peer = String.valueOf(channel.remoteAddress());
    this.handshakeNanos = handshakeNanos;
    this.deadline = new Deadline(channel.loop().clock().nanoTime() + handshakeNanos);
    this.onReady = onReady;
    this.onFailed = onFailed;
    this.listener = new HandshakeListener(channel, this);
    this.timer = channel.loop().newTimer(this::onTime);
  }

  /** Begins to listen. */
  void begin() {
    boolean begun = false;
    try {
      timer.arm(deadline.nanos());
      channel.start(listener);
      begun = true;
    } finally {
      if (!begun) {
        timer.cancel();
      }
    }
  }

  private void onTime() {
    try {
      if (failure == null) {
        failure = late();
      }
    } finally {
      channel.close();
    }
  }

  private IOException late() {
    return new DeadlinePassedException("%s did not finish its TLS handshake within %d ms"
        .formatted(peer, TimeUnit.NANOSECONDS.toMillis(handshakeNanos)));
  }

  /** On the loop: the peer has sent something, or ended the connection. Called once at most. */
  void onFirstInput() {
    peer = String.valueOf(channel.remoteAddress());
    Thread.ofVirtual().name("heddle-handshake").start(this::run);
  }

  private void run() {
    boolean done = false;
    try {
      if (rules != null) {
        rules.accept(engine, channel.remoteAddress());
      }
      Handshake handshake = new Handshake(channel, engine, listener, buffers, peer, null, null);
      handshake.run(deadline, null);
      TlsChannel secure = handshake.newChannel(false, READ_LIMIT);
      channel.loop().execute(() -> handOver(secure));
      done = true;
    } catch (DeadlinePassedException e) {
      failure = late();
    } catch (TlsHandshakeException e) {
      failure = e;
      linger();
    } catch (IOException e) {
      failure = e;
    } catch (RuntimeException | Error e) {
      failure = new IOException("the TLS handshake with " + peer + " broke", e);
    } finally {
      if (!done) {
        channel.close();
      }
    }
  }

  private void handOver(TlsChannel secure) {
    if (closed) {
      return;
    }
    boolean done = false;
    try {
      onReady.accept(secure);
      timer.cancel();
      done = true;
    } catch (RuntimeException | Error e) {
      IOException why = new IOException("the connection with " + peer + " could not begin", e);
      failure = why;
      secure.fail(why);
    } finally {
      // A channel that is started tells its listener that it has closed.
      handedOver = done || secure.isStarted();
      if (!done) {
        secure.close();
      }
    }
  }

  /** On the loop: the channel has closed before the protected one was started. */
  void onClosedEarly(@Nullable IOException cause) {
    closed = true;
    try {
      timer.cancel();
    } finally {
      if (!handedOver) {
        IOException known = failure;
        onFailed.accept(known != null ? known : cause);
      }
    }
  }

  /**
   * The peer may have been sent an alert: closing with input unread would reset the connection, and
   * the peer might never read it.
   */
  private void linger() {
    channel.shutdownOutput();
    try {
      Deadline soon = Deadline.after(Handshake.FAREWELL, channel.loop().clock());
      listener.awaitEnd(soon, "waiting for the peer to close");
    } catch (IOException e) {
      return; // It had its time, or the network is closing.
    }
  }
}
