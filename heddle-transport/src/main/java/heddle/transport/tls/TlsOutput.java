package heddle.transport.tls;

import heddle.transport.Channel;
import heddle.transport.DeadlinePassedException;
import heddle.transport.Waiting;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The sending half of a connection after its handshake. Callers encrypt and write content on their
 * own threads. What TLS itself has to say (answers to key updates, alerts, close_notify) is written
 * by a virtual thread, because mostly it is the loop that notices the need.
 *
 * <p>One thread at a time has the {@code turn}. A thread that wants a control message written sets
 * {@code controlOwed}, then tries to take the turn; one that gives the turn back reads {@code
 * controlOwed} afterwards. So one of the two starts the thread that writes it.
 */
final class TlsOutput {
  private static final int FREE = 0;
  private static final int CONTENT = 1;
  private static final int CONTROL = 2;

  private static final int OPEN = 0;
  private static final int SHUT_DOWN = 1;
  private static final int CLOSED = 2;

  // How long a peer may take to read a control message, which is as for content, and the last one.
  private static final Duration CONTROL_TIME = Duration.ofSeconds(30);
  private static final Duration FAREWELL = Duration.ofSeconds(1);

  private static final int RECORD_CONTENT = 16 * 1024; // RFC 8446 §5.1

  private final Channel channel;
  private final SSLEngine engine;
  private final TlsBuffers buffers;
  private final int largestRecord;

  private final AtomicInteger turn = new AtomicInteger();
  private volatile boolean controlOwed;
  private final AtomicInteger ending = new AtomicInteger(); // Only grows.
  private volatile @Nullable Thread waiter; // For the turn to write content.

  /** Ciphertext of which a part may have been written; owned by the thread that has the turn. */
  private @Nullable ByteBuffer pending;

  TlsOutput(Channel channel, SSLEngine engine, TlsBuffers buffers) {
    this.channel = channel;
    this.engine = engine;
    this.buffers = buffers;
    this.largestRecord = engine.getSession().getPacketBufferSize();
  }

  /** As {@link Channel#write(ByteBuffer[], Deadline)}. */
  void write(ByteBuffer[] content, Deadline deadline) throws IOException {
    enter(deadline);
    try {
      if (ending.get() != OPEN || !channel.isOpen()) {
        throw new ClosedChannelException();
      }
      // What an earlier writer could not wait for comes first.
      writePending(deadline);
      int first = firstLeft(content, 0);
      while (first < content.length) {
        encrypt(content, first);
        writePending(deadline);
        first = firstLeft(content, first);
      }
    } finally {
      leave();
    }
  }

  private void enter(Deadline deadline) throws IOException {
    while (!turn.compareAndSet(FREE, CONTENT)) {
      waiter = Thread.currentThread();
      try {
        Waiting.until(
            () -> turn.get() == FREE, channel.loop(), deadline, "waiting for the peer to read");
      } finally {
        waiter = null;
      }
    }
  }

  private void leave() {
    turn.set(FREE);
    Thread next = waiter;
    if (next != null) {
      channel.loop().unpark(next);
    }
    if (controlOwed) {
      startControl();
    }
  }

  private static int firstLeft(ByteBuffer[] content, int from) {
    int first = from;
    while (first < content.length && !content[first].hasRemaining()) {
      first++;
    }
    return first;
  }

  /** Fills a buffer with records, each as full as it can be, however its content is cut. */
  private void encrypt(ByteBuffer[] content, int first) throws IOException {
    ByteBuffer out = bufferFor(content, first);
    int at = first;
    boolean done = false;
    try {
      while (at < content.length && out.remaining() >= largestRecord) {
        SSLEngineResult result = engine.wrap(content, at, content.length - at, out);
        if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
          // The peer has ended the connection for both sides (RFC 5246 §7.2.1).
          throw new ClosedChannelException();
        }
        if (result.bytesProduced() == 0) {
          throw new SSLException("the TLS engine does not write: " + result);
        }
        at = firstLeft(content, at);
      }
      done = true;
    } catch (RuntimeException e) {
      throw new SSLException("the TLS provider failed to encrypt", e);
    } catch (Error e) {
      // Records may be lost, and the peer could not decrypt those that follow.
      channel.close();
      throw e;
    } finally {
      if (!done) {
        buffers.giveBack(out);
      }
    }
    pending = out.flip();
  }

  /** As long as the peer does not read, a writer holds its buffer: a small one if that will do. */
  private ByteBuffer bufferFor(ByteBuffer[] content, int first) {
    if (largestRecord > TlsBuffers.BYTES) {
      return ByteBuffer.allocate(largestRecord);
    }
    return largestRecord <= TlsBuffers.RECORD_BYTES && fitsOneRecord(content, first)
        ? buffers.takeForRecord()
        : buffers.take();
  }

  private static boolean fitsOneRecord(ByteBuffer[] content, int first) {
    int bytes = 0;
    for (int i = first; i < content.length && bytes <= RECORD_CONTENT; i++) {
      bytes += Math.min(content[i].remaining(), RECORD_CONTENT + 1);
    }
    return bytes <= RECORD_CONTENT;
  }

  private void writePending(Deadline deadline) throws IOException {
    ByteBuffer out = pending;
    if (out == null) {
      return;
    }
    try {
      channel.write(out, deadline);
    } catch (DeadlinePassedException | InterruptedIOException e) {
      // The next writer continues in the middle of the record.
      throw e;
    } catch (IOException e) {
      pending = null;
      throw e;
    }
    pending = null;
    buffers.giveBack(out);
  }

  // ---- what TLS itself has to say

  /** The engine has something for the peer. From any thread; does not wait. */
  void sendControl() {
    controlOwed = true;
    startControl();
  }

  /** Says that no content follows, and ends the output. From any thread; does not wait. */
  void shutDown() {
    if (ending.compareAndSet(OPEN, SHUT_DOWN)) {
      if (turn.get() == CONTENT) {
        // A writer is stuck in the middle of a record, which it will never end.
        channel.shutdownOutput();
      }
      sendControl();
    }
  }

  /** Says that no content follows, or what went wrong, and closes. From any thread; no waiting. */
  void close() {
    if (ending.getAndSet(CLOSED) != CLOSED) {
      if (turn.get() == CONTENT) {
        channel.close();
      }
      sendControl();
    }
  }

  private void startControl() {
    if (turn.compareAndSet(FREE, CONTROL)) {
      try {
        Thread.ofVirtual().name("heddle-tls").start(this::control);
      } catch (RuntimeException | Error e) {
        // What TLS has to say stays unsaid. The listener hears of the close, which needs no thread.
        controlOwed = false;
        channel.close();
        leave();
      }
    }
  }

  private void control() {
    try {
      while (controlOwed) {
        controlOwed = false;
        writeControl();
        if (ending.get() != OPEN) {
          finish();
        }
      }
    } catch (IOException | RuntimeException e) {
      // The peer has gone or does not read: the message cannot reach it.
      finish();
    } catch (Error e) {
      channel.close();
      throw e;
    } finally {
      leave();
    }
  }

  private void finish() {
    if (ending.get() == SHUT_DOWN) {
      channel.shutdownOutput();
    } else {
      channel.close();
    }
  }

  private void writeControl() throws IOException {
    boolean last = ending.get() != OPEN;
    Deadline deadline =
        Deadline.after(last ? FAREWELL : CONTROL_TIME, channel.loop().clock());
    writePending(deadline);
    if (last) {
      engine.closeOutbound();
    }
    while (last
        ? !engine.isOutboundDone()
        : engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
      ByteBuffer out = ByteBuffer.allocate(largestRecord);
      if (engine.wrap(TlsBuffers.EMPTY, out).bytesProduced() == 0) {
        return;
      }
      // It is short, and may have to wait for the peer.
      pending = ByteBuffer.allocate(out.position()).put(out.flip()).flip();
      writePending(deadline);
    }
  }
}
