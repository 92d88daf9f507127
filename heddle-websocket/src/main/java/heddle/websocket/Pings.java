package heddle.websocket;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * Sends a ping after each interval in which a socket is open, and finds that the peer is gone if
 * nothing arrives for a whole interval although a thread waits for it.
 */
final class Pings {
  private static final byte[] EMPTY = {};

  private final FrameWriter writer;
  private final MessageReader reader;
  private final CountDownLatch ended;
  private final Duration interval;
  private final Runnable onSilence;

  /**
   * {@code ended}: counted down when the socket has ended.
   *
   * @param onSilence called when the peer is gone
   */
  Pings(
      FrameWriter writer,
      MessageReader reader,
      CountDownLatch ended,
      Duration interval,
      Runnable onSilence) {
    this.writer = writer;
    this.reader = reader;
    this.ended = ended;
    this.interval = interval;
    this.onSilence = onSilence;
  }

  /** Starts a virtual thread, which ends with the socket. */
  void start() {
    Thread.ofVirtual().name("heddle-websocket-ping").start(this::run);
  }

  private void run() {
    long heardBefore = -1;
    try {
      while (!ended.await(NANOSECONDS.convert(interval), NANOSECONDS)) {
        // Frames that no thread reads say nothing about the peer.
        long heard = reader.isWaiting() ? reader.received() : -1;
        if (heard >= 0 && heard == heardBefore) {
          onSilence.run();
          return;
        }
        heardBefore = heard;
        if (!writer.control(Opcode.PING, EMPTY)) {
          return;
        }
      }
    } catch (IOException e) {
      onSilence.run(); // The connection is lost.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // The thread is this class's own: no one interrupts it.
    }
  }
}
