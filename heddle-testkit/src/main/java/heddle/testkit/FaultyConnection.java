package heddle.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A connection through a {@link FaultProxy}, with faults to inject, as {@link SimConnection} has
 * them for a simulated one. Bytes are counted from the beginning of the connection, for each
 * direction by itself. Safe for use by any thread.
 */
public final class FaultyConnection {
  private static final long NEVER = Long.MAX_VALUE;

  private final Socket client;
  private final Socket server;
  private final Pump toServer;
  private final Pump toClient;

  FaultyConnection(Socket client, Socket server) {
    this.client = client;
    this.server = server;
    this.toServer = new Pump(client, server);
    this.toClient = new Pump(server, client);
  }

  void start() {
    toServer.start();
    toClient.start();
  }

  /**
   * Cuts the connection once exactly {@code bytes} bytes of a direction have been passed on; at
   * once if that many have been already. What follows them is lost. With {@link Cut#END} the other
   * direction stays open.
   *
   * @throws IllegalArgumentException if {@code bytes} is negative
   */
  public void cutAfterBytes(Direction direction, long bytes, Cut how) {
    Pump pump = pump(direction);
    pump.change(() -> {
      pump.cutAt = atLeastZero(bytes);
      pump.how = how;
      pump.cutIfDue();
    });
  }

  /** Resets the connection now, for both ends. */
  public void reset() {
    abort(client);
    abort(server);
    wake();
  }

  /**
   * Holds everything back in a direction once {@code bytes} of it have been passed on.
   *
   * @param time for how long; null until {@link #unstall}
   * @throws IllegalArgumentException if {@code bytes} is negative
   */
  public void stallAfterBytes(Direction direction, long bytes, @Nullable Duration time) {
    pump(direction).change(() -> {
      pump(direction).stallAt = atLeastZero(bytes);
      pump(direction).stallNanos = time == null ? NEVER : time.toNanos();
    });
  }

  /** Lets a stalled direction flow again, and forgets a stall that is still to come. */
  public void unstall(Direction direction) {
    pump(direction).change(() -> pump(direction).stallAt = NEVER);
  }

  /**
   * Slows a direction down from now on.
   *
   * @param bytes the most that is passed on at a time, at least 1
   * @param pause from one piece to the next, not negative
   */
  public void trickle(Direction direction, int bytes, Duration pause) {
    if (bytes < 1 || pause.isNegative()) {
      throw new IllegalArgumentException(bytes + " bytes at a time every " + pause);
    }
    pump(direction).change(() -> {
      pump(direction).most = bytes;
      pump(direction).pauseNanos = pause.toNanos();
    });
  }

  /**
   * How many bytes of a direction have been passed on so far. Bytes count before they are written,
   * so every byte that an end has received is included.
   */
  public long delivered(Direction direction) {
    return pump(direction).delivered();
  }

  /** Whether neither end has been closed or cut. */
  public boolean isOpen() {
    return !client.isClosed() && !server.isClosed();
  }

  void close() {
    close(client);
    close(server);
    wake();
  }

  private void wake() {
    toServer.change(() -> {});
    toClient.change(() -> {});
  }

  private Pump pump(Direction direction) {
    return switch (direction) {
      case TO_SERVER -> toServer;
      case TO_CLIENT -> toClient;
    };
  }

  private static long atLeastZero(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes must not be negative, but was " + bytes);
    }
    return bytes;
  }

  static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is closed in any case.
    }
  }

  /** With a linger time of 0, closing sends a reset. */
  private static void abort(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
    } catch (IOException e) {
      // It is closed already.
    }
    close(socket);
  }

  /** Passes on one direction. */
  private final class Pump {
    private final Socket from;
    private final Socket to;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by the lock.
    private long cutAt = NEVER;
    private Cut how = Cut.END;
    private long stallAt = NEVER;
    private long stallNanos;
    private int most = Integer.MAX_VALUE;
    private long pauseNanos;
    private long delivered;
    private boolean writing;

    Pump(Socket from, Socket to) {
      this.from = from;
      this.to = to;
    }

    void start() {
      Thread.ofVirtual().name("fault-proxy").start(this::run);
    }

    void change(Runnable change) {
      lock.lock();
      try {
        change.run();
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }

    private void run() {
      byte[] buffer = new byte[16 * 1024];
      try {
        InputStream in = from.getInputStream();
        while (passOn(buffer, 0)) {
          int count = in.read(buffer);
          if (count < 0) {
            to.shutdownOutput();
            break;
          }
          if (!passOn(buffer, count)) {
            in.transferTo(OutputStream.nullOutputStream());
            break;
          }
        }
        if (from.isOutputShutdown()) {
          close(); // both directions have ended
        }
      } catch (IOException e) {
        // An end has gone: the other end learns of it as it would without the proxy.
        reset();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        close();
      }
    }

    /** Returns false once the direction is cut. */
    private boolean passOn(byte[] buffer, int count) throws IOException, InterruptedException {
      int at = 0;
      do {
        int size = awaitRoom(count - at);
        if (size < 0) {
          return false;
        }
        to.getOutputStream().write(buffer, at, size);
        at += size;
        if (size > 0) {
          TimeUnit.NANOSECONDS.sleep(endWrite());
        }
      } while (at < count);
      return true;
    }

    long delivered() {
      lock.lock();
      try {
        return delivered;
      } finally {
        lock.unlock();
      }
    }

    /** Ends a write; returns the pause before the next. */
    private long endWrite() {
      lock.lock();
      try {
        writing = false;
        return pauseNanos;
      } finally {
        lock.unlock();
      }
    }

    /**
     * Waits while the direction is stalled. Returns how many bytes to write now, already added to
     * the count, or -1 after a cut.
     */
    private int awaitRoom(int wanted) throws InterruptedException {
      lock.lock();
      try {
        while (isOpen() && wanted > 0 && delivered >= stallAt && delivered < cutAt) {
          if (stallNanos == NEVER) {
            changed.await();
          } else if (stallNanos <= 0) {
            stallAt = NEVER;
          } else {
            stallNanos = changed.awaitNanos(stallNanos);
          }
        }
        if (cutIfDue()) {
          return -1;
        }
        long next = Math.min(cutAt, delivered < stallAt ? stallAt : NEVER) - delivered;
        int size = (int) Math.min(Math.min(wanted, most), next);
        writing = size > 0;
        delivered += size;
        return size;
      } finally {
        lock.unlock();
      }
    }

    /** Cuts the direction if it has reached its byte; not while bytes are being written. */
    private boolean cutIfDue() {
      if (writing || delivered < cutAt) {
        return false;
      }
      if (how == Cut.RESET) {
        abort(client);
        abort(server);
      } else {
        end();
      }
      return true;
    }

    private void end() {
      try {
        if (!to.isOutputShutdown()) {
          to.shutdownOutput();
        }
      } catch (IOException e) {
        // It is closed already.
      }
    }
  }
}
