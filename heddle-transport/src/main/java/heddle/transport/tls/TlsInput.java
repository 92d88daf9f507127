package heddle.transport.tls;

import java.io.IOException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/** The receiving half of a connection after its handshake. Used by the loop only. */
final class TlsInput {
  /** How many records without content are accepted, plus one for each MiB of content received. */
  private static final int EMPTY_RECORDS = 64;

  private final SSLEngine engine;
  private final TlsChannel channel;
  private final TlsOutput output;
  private final ByteBuffer scratch;

  /**
   * Holds the rest of one read while the channel is stopped, and before it a record that was cut:
   * on an accepted one at most 64 KiB and a record, by {@link TlsChannel#readLimit}. Right after
   * the handshake it is what the {@link HandshakeListener} held.
   */
  private final Records records = new Records();

  private final int largestContent;
  private final boolean handshakesAreHidden;

  private long received;
  private long emptyRecords;
  private boolean ended;

  TlsInput(SSLEngine engine, TlsChannel channel, TlsOutput output, ByteBuffer scratch) {
    this.engine = engine;
    this.channel = channel;
    this.output = output;
    this.largestContent = engine.getSession().getApplicationBufferSize();
    // A provider may want more room than records have.
    this.scratch =
        scratch.capacity() >= largestContent ? scratch : ByteBuffer.allocate(largestContent);
    this.handshakesAreHidden = engine.getSession().getProtocol().equals("TLSv1.3");
  }

  /** What is held, and takes the ciphertext that came before the channel had a listener. */
  Records records() {
    return records;
  }

  /** Whether the peer has sent a close_notify (RFC 8446 §6.1). */
  boolean isEnded() {
    return ended;
  }

  /** Whether ciphertext is held: part of a record, or more. */
  boolean isHolding() {
    return records.size() > 0;
  }

  /**
   * Decrypts all whole records of the input and hands their content on, until the channel is
   * stopped; the rest is held.
   *
   * @throws SSLException when the peer breaks the protocol or reports a failure
   */
  void receive(ByteBuffer in) throws IOException {
    ByteBuffer plain = scratch.clear();
    while (!ended && !channel.isStopped()) {
      if (plain.remaining() < largestContent) {
        handOn(plain);
        continue;
      }
      ByteBuffer record = records.next(in);
      if (record == null) {
        break;
      }
      try {
        decrypt(record, plain);
      } catch (IOException e) {
        // What came before it is whole.
        handOn(plain);
        throw e;
      }
    }
    handOn(plain);
    if (in.hasRemaining() && !ended) {
      records.hold(in);
    }
  }

  private void handOn(ByteBuffer plain) {
    if (plain.position() > 0) {
      channel.listener().onBytes(plain.flip());
    }
    plain.clear();
  }

  private void decrypt(ByteBuffer record, ByteBuffer plain) throws IOException {
    if (!handshakesAreHidden && Records.type(record) == Records.HANDSHAKE) {
      throw renegotiation();
    }
    int before = plain.position();
    while (record.hasRemaining() && !ended) {
      SSLEngineResult result = engine.unwrap(record, plain);
      switch (result.getStatus()) {
        case OK -> check(result);
        case CLOSED -> ended = true;
        case BUFFER_OVERFLOW, BUFFER_UNDERFLOW ->
          throw new SSLException("the TLS engine cannot read a whole record: " + result);
      }
      if (result.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
        // An answer to a key update, or to close_notify.
        output.sendControl();
      }
    }
    int content = plain.position() - before;
    ended |= content == 0 && engine.isInboundDone();
    count(content);
  }

  private static void check(SSLEngineResult result) throws SSLException {
    if (result.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
      throw renegotiation();
    }
    if (result.bytesConsumed() == 0 && result.bytesProduced() == 0) {
      throw new SSLException("the TLS engine does not read on: " + result);
    }
  }

  /** RFC 9113 §9.2.1 forbids it, and it made others vulnerable: CVE-2009-3555, CVE-2011-1473. */
  private static SSLException renegotiation() {
    return new SSLException("the peer began a second handshake, which is refused");
  }

  /** Key updates, tickets and empty records cost us work and the peer next to none. */
  private void count(int content) throws SSLException {
    received += content;
    if (content == 0 && ++emptyRecords > EMPTY_RECORDS + (received >> 20)) {
      throw new SSLException(
          "the peer sent %d records without content (key updates, tickets) with %d bytes of content"
              .formatted(emptyRecords, received));
    }
  }
}
