package heddle.transport.tls;

import heddle.transport.Channel;
import heddle.transport.DeadlinePassedException;
import heddle.transport.time.Deadline;
import heddle.transport.tls.Records.NotTlsException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Makes one handshake, on a thread that may block, so that computing with keys delays no other
 * connection: a client's caller, or a virtual thread of the server.
 *
 * <p>While it waits for the peer it holds no buffer of the pool: a peer that sends one byte and
 * then nothing would otherwise cost a server more than 100 KiB until the handshake's time is up.
 */
final class Handshake {
  /** How long a peer may take to read why it was refused. */
  static final Duration FAREWELL = Duration.ofSeconds(1);

  /** Certificates are the longest part of it, with JSSE's limit of 32 KiB for each message. */
  private static final int MOST_BYTES = 256 * 1024;

  private final Channel channel;
  private final SSLEngine engine;
  private final HandshakeListener input;
  private final TlsBuffers buffers;
  private final HandshakeFailures failures;
  private final String peer;

  /** What the peer's certificate has yet to be checked against, once it has come. */
  private @Nullable CertificateRules unchecked;

  // What has been made for the peer and not written yet, and why no more can be written.
  private @Nullable ByteBuffer flight;
  private @Nullable IOException broken;

  // The record being read, which an engine may take in steps, and how many bytes were read in all.
  private ByteBuffer record = TlsBuffers.EMPTY;
  private long taken;

  /**
   * @param peer whom messages are about, such as {@code example.com:443}
   * @param host whose certificate a client expects; null on a server
   * @param rules for the peer's certificate; null if there are none
   */
  Handshake(
      Channel channel,
      SSLEngine engine,
      HandshakeListener input,
      TlsBuffers buffers,
      String peer,
      @Nullable String host,
      @Nullable CertificateRules rules) {
    this.channel = channel;
    this.engine = engine;
    this.input = input;
    this.buffers = buffers;
    this.failures = new HandshakeFailures(engine, peer, host);
    this.peer = peer;
    this.unchecked = rules;
  }

  /**
   * The protected channel, once the handshake is done.
   *
   * @param verifying whether all that was asked of the peer is that its certificate is trusted and
   *     for the host
   * @param readLimit how much ciphertext one read may bring at most
   */
  TlsChannel newChannel(boolean verifying, int readLimit) {
    return new TlsChannel(channel, input, engine, failures, buffers, verifying, readLimit);
  }

  /**
   * Parks the calling thread until it is done; throws as {@link JsseTls#connect} does.
   *
   * @param check decides about the server; null for none
   */
  void run(Deadline deadline, TlsOptions.@Nullable ServerCheck check) throws IOException {
    try {
      engine.beginHandshake();
      while (step(deadline, check)) {
        // Each step says what the next one is.
      }
    } catch (SSLException | NotTlsException e) {
      sendAlert();
      throw failures.explain(e, input.received());
    } catch (RuntimeException e) {
      // What a key manager throws; the engine of Java 25 makes an SSLException of it.
      SSLException failed = new SSLHandshakeException(String.valueOf(e.getMessage()));
      failed.initCause(e);
      sendAlert();
      throw failures.explain(failed, input.received());
    } finally {
      dropFlight();
    }
  }

  /** Returns whether there is another step. */
  private boolean step(Deadline deadline, TlsOptions.@Nullable ServerCheck check)
      throws IOException {
    switch (engine.getHandshakeStatus()) {
      case NEED_TASK -> {
        for (Runnable task = engine.getDelegatedTask();
            task != null;
            task = engine.getDelegatedTask()) {
          task.run();
        }
        // Before anything that the tasks have made for the peer is written.
        SSLSession begun = engine.getHandshakeSession();
        checkCertificate(begun == null ? engine.getSession() : begun);
      }
      case NEED_WRAP -> wrap(deadline);
      case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
        flush(deadline);
        unwrap(deadline);
      }
      case FINISHED, NOT_HANDSHAKING -> {
        // What no task has checked: a resumed session, and one without a certificate.
        checkCertificate(engine.getSession());
        if (unchecked != null) {
          throw new SSLException("the server has shown no certificate");
        }
        if (check != null) {
          verify(check);
        }
        flush(deadline);
        if (broken != null) {
          throw failures.truncated(input.received(), broken);
        }
        return false;
      }
    }
    return true;
  }

  /**
   * If it breaks a rule no alert is sent, because the engine may have made its Finished already,
   * which would come first: the peer finds the connection closed instead.
   */
  private void checkCertificate(SSLSession session) throws IOException {
    CertificateRules rules = unchecked;
    if (rules != null && rules.check(session, failures)) {
      unchecked = null;
    }
  }

  /** No alert is sent either, and the session is not resumed. */
  private void verify(TlsOptions.ServerCheck check) throws IOException {
    try {
      check.verify(engine);
    } catch (SSLException e) {
      engine.getSession().invalidate();
      throw failures.explain(e, input.received());
    } catch (RuntimeException e) {
      engine.getSession().invalidate();
      SSLException failed = new SSLHandshakeException("verifying the server " + peer + " failed");
      failed.initCause(e);
      throw failures.explain(failed, input.received());
    }
  }

  private void wrap(Deadline deadline) throws IOException {
    ByteBuffer begun = flight;
    if (begun != null && begun.remaining() < engine.getSession().getPacketBufferSize()) {
      flush(deadline);
    }
    SSLEngineResult result = engine.wrap(TlsBuffers.EMPTY, flight());
    boolean stuck =
        result.bytesProduced() == 0 && result.getHandshakeStatus() == HandshakeStatus.NEED_WRAP;
    if (stuck || result.getStatus() == SSLEngineResult.Status.BUFFER_OVERFLOW) {
      throw new SSLException("the TLS engine wants to write but does not: " + result);
    }
    if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
      throw new SSLException("the TLS engine is closed");
    }
  }

  private ByteBuffer flight() {
    ByteBuffer begun = flight;
    if (begun == null) {
      begun = buffers.take();
      flight = begun;
    }
    return begun;
  }

  private void dropFlight() {
    ByteBuffer begun = flight;
    if (begun != null) {
      flight = null;
      buffers.giveBack(begun);
    }
  }

  private void unwrap(Deadline deadline) throws IOException {
    if (!record.hasRemaining()) {
      ByteBuffer next = input.awaitRecord(deadline, "waiting for the TLS handshake of " + peer);
      if (next == null) {
        IOException cause = input.cause();
        throw failures.truncated(input.received(), cause == null ? broken : cause);
      }
      taken += next.remaining();
      if (taken > MOST_BYTES) {
        throw new SSLException("the handshake is longer than " + MOST_BYTES + " bytes");
      }
      record = next;
    }
    SSLEngineResult result = unwrapRecord();
    if (!record.hasRemaining()) {
      record = TlsBuffers.EMPTY; // It may be a small part of all that has been read.
    }
    switch (result.getStatus()) {
      case OK -> {
        if (result.bytesConsumed() == 0
            && result.getHandshakeStatus() == HandshakeStatus.NEED_UNWRAP) {
          throw new SSLException("the TLS engine wants to read but does not: " + result);
        }
      }
      case CLOSED -> throw failures.truncated(input.received(), null);
      case BUFFER_OVERFLOW, BUFFER_UNDERFLOW ->
        throw new SSLException("the TLS engine cannot read a whole record: " + result);
    }
  }

  private SSLEngineResult unwrapRecord() throws SSLException {
    ByteBuffer plain = buffers.take();
    try {
      SSLEngineResult result = engine.unwrap(record, plain);
      if (plain.position() > 0) {
        throw new SSLException("content came before the end of the handshake");
      }
      return result;
    } finally {
      buffers.giveBack(plain);
    }
  }

  private void flush(Deadline deadline) throws IOException {
    ByteBuffer begun = flight;
    if (begun == null || begun.position() == 0) {
      dropFlight();
      return;
    }
    // A flight is some kilobytes: copying it is cheaper than a buffer of the pool that waits with
    // it for a peer that does not read.
    ByteBuffer out = ByteBuffer.allocate(begun.position()).put(begun.flip()).flip();
    dropFlight();
    try {
      channel.write(out, deadline);
    } catch (DeadlinePassedException | InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      // The peer may have said why it left: what it sent is looked at first.
      broken = broken == null ? e : broken;
    }
  }

  /** Tells the peer why there will be no connection, if it still reads. */
  private void sendAlert() {
    try {
      engine.closeOutbound();
      Deadline soon = Deadline.after(FAREWELL, channel.loop().clock());
      // What was not sent yet belongs to a handshake that is over.
      dropFlight();
      while (!engine.isOutboundDone()
          && engine.wrap(TlsBuffers.EMPTY, flight()).bytesProduced() > 0) {
        flush(soon);
      }
    } catch (IOException e) {
      return; // The peer has gone or does not read: the alert cannot reach it.
    }
  }
}
