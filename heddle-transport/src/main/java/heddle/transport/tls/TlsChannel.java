package heddle.transport.tls;

import heddle.transport.Channel;
import heddle.transport.ChannelListener;
import heddle.transport.ForwardingChannel;
import heddle.transport.SecureChannel;
import heddle.transport.time.Deadline;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * TLS over a channel whose handshake is done. The loop decrypts what it reads; the thread that
 * writes encrypts. An {@link #abort} sends no close_notify, like a connection that breaks.
 */
final class TlsChannel implements SecureChannel, ForwardingChannel, ChannelListener {
  private final Channel channel;
  private final HandshakeListener handshakeListener;
  private final HandshakeFailures failures;
  private final TlsInput input;
  private final TlsOutput output;
  private final SSLSession session;
  private final @Nullable String applicationProtocol;
  private final boolean verifying;
  private final int readLimit;
  private final AtomicBoolean closed = new AtomicBoolean();

  private volatile boolean started;

  /** What the peer did wrong, if that is why the channel is closed; written before it is. */
  private volatile @Nullable IOException failure;

  // The loop's own.
  private @Nullable ChannelListener listener;
  private boolean paused;
  private boolean endHeard;
  private boolean channelEnded;

  /** As {@link Handshake#newChannel}. */
  TlsChannel(
      Channel channel,
      HandshakeListener handshakeListener,
      SSLEngine engine,
      HandshakeFailures failures,
      TlsBuffers buffers,
      boolean verifying,
      int readLimit) {
    this.channel = channel;
    this.handshakeListener = handshakeListener;
    this.failures = failures;
    this.verifying = verifying;
    this.readLimit = readLimit;
    this.output = new TlsOutput(channel, engine, buffers);
    this.input = new TlsInput(engine, this, output, buffers.scratchOf(channel.loop()));
    this.session = engine.getSession();
    String chosen = engine.getApplicationProtocol();
    this.applicationProtocol = chosen == null || chosen.isEmpty() ? null : chosen;
  }

  @Override
  public @Nullable String applicationProtocol() {
    return applicationProtocol;
  }

  @Override
  public SSLSession session() {
    return session;
  }

  @Override
  public boolean isVerifiedFor(String host) {
    // A client that shows a certificate does so to one host, not to all on its server.
    return verifying
        && session.getLocalCertificates() == null
        && ServerIdentity.covers(session, host);
  }

  @Override
  public Channel target() {
    return channel;
  }

  @Override
  public void start(ChannelListener newListener) {
    loop().execute(() -> {
      listener = newListener;
      handshakeListener.turnTo(this);
    });
    started = true;
  }

  /** Whether there is, or soon will be, a listener, which hears of a close. */
  boolean isStarted() {
    return started;
  }

  @Override
  public void write(ByteBuffer buffer, Deadline deadline) throws IOException {
    write(new ByteBuffer[] {buffer}, deadline);
  }

  @Override
  public void write(ByteBuffer[] buffers, Deadline deadline) throws IOException {
    if (closed.get()) {
      throw new ClosedChannelException();
    }
    output.write(buffers, deadline);
  }

  @Override
  public void pauseReading() {
    if (!loop().inLoop()) {
      loop().execute(this::pauseReading);
      return;
    }
    paused = true;
    channel.pauseReading();
  }

  @Override
  public void resumeReading() {
    if (!loop().inLoop()) {
      loop().execute(this::resumeReading);
      return;
    }
    paused = false;
    if (input.isHolding()) {
      // Later, so that a listener that resumes is not called from within itself.
      loop().execute(this::goOn);
    } else {
      channel.resumeReading();
    }
  }

  @Override
  public void shutdownOutput() {
    output.shutDown();
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      output.close();
    }
  }

  @Override
  public boolean isOpen() {
    return !closed.get() && channel.isOpen();
  }

  // ---- what the channel brings, on the loop

  /** What came after the handshake. */
  Records heldRecords() {
    return input.records();
  }

  /** Goes on with what is held, until the listener pauses. */
  void goOn() {
    boolean done = false;
    try {
      onBytes(TlsBuffers.EMPTY);
      done = true;
    } catch (RuntimeException | Error e) {
      // The channel did not call us, so it cannot catch this.
      fail(new IOException("the channel's listener failed", e));
    } finally {
      if (!done) {
        close(); // There may have been no memory for the reason.
      }
    }
    if (!isStopped()) {
      channel.resumeReading();
    }
  }

  /** It also bounds what {@link TlsInput} holds. */
  @Override
  public int readLimit() {
    return Math.min(readLimit, listener().readLimit());
  }

  @Override
  public void onBytes(ByteBuffer bytes) {
    if (closed.get()) {
      return;
    }
    try {
      input.receive(bytes);
    } catch (IOException e) {
      fail(failures.explainLater(e));
      return;
    }
    checkEnd();
  }

  @Override
  public void onEnd() {
    channelEnded = true;
    checkEnd();
  }

  private void checkEnd() {
    if (closed.get() || endHeard) {
      return;
    }
    if (input.isEnded()) {
      endHeard = true;
      listener().onEnd();
    } else if (channelEnded && !paused) {
      // RFC 8446 §6.1: without close_notify an attacker on the path may have cut it short.
      String cut = input.isHolding() ? ", in the middle of a record" : "";
      fail(new EOFException("the peer ended the connection without saying that it meant to"
          + " (no close_notify): what it sent may be truncated" + cut));
    }
  }

  @Override
  public void onClosed(@Nullable IOException cause) {
    closed.set(true);
    IOException ours = failure;
    // A peer that sent close_notify need not wait for ours (RFC 5246 §7.2.1): if it has gone by
    // then, that is no failure.
    listener().onClosed(ours != null ? ours : endHeard ? null : cause);
  }

  /** Closes the channel for this cause, if it is open. */
  void fail(IOException why) {
    if (!closed.get()) {
      failure = why;
      close();
    }
  }

  /** Takes the content. */
  ChannelListener listener() {
    ChannelListener present = listener;
    if (present == null) {
      throw new IllegalStateException("the channel has no listener yet");
    }
    return present;
  }

  /** Whether no content is wanted now. */
  boolean isStopped() {
    return paused || closed.get();
  }

  @Override
  public String toString() {
    return "TlsChannel[" + session.getProtocol() + " over " + channel + "]";
  }
}
