package heddle.testkit;

import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a {@link SimNetwork} as a test sees it: what went over it, and faults to inject.
 * Safe for use by any thread.
 *
 * <pre>{@code
 * network.onConnection(c -> c.cutAfterBytes(Direction.TO_CLIENT, 100, Cut.RESET));
 * }</pre>
 */
public final class SimConnection {
  private final SimLoop loop;
  private final SimChannel client;
  private final SimChannel server;
  private final Pipe toServer;
  private final Pipe toClient;

  SimConnection(
      SimLoop loop, SimOptions options, long number, SocketAddress from, SocketAddress to) {
    this.loop = loop;
    this.client = new SimChannel(loop, this, Direction.TO_CLIENT, from, to);
    this.server = new SimChannel(loop, this, Direction.TO_SERVER, to, from);
    this.toServer = new Pipe(loop, options, 2 * number, server);
    this.toClient = new Pipe(loop, options, 2 * number + 1, client);
  }

  // ---- faults

  /**
   * Cuts the connection once exactly {@code bytes} bytes of one direction, counted from its
   * beginning, have been delivered; at once if that many have been already. What is written beyond
   * them is lost. With {@link Cut#END} the receiver sees the end of the stream and the sender
   * notices nothing; with {@link Cut#RESET} both ends are closed with an {@code IOException} that
   * says {@code Connection reset}.
   *
   * @throws IllegalArgumentException if {@code bytes} is negative
   */
  public void cutAfterBytes(Direction direction, long bytes, Cut how) {
    if (bytes < 0) {
      throw new IllegalArgumentException("cannot cut after " + bytes + " bytes");
    }
    loop.locked(() -> pipe(direction).cutAfter(bytes, how));
  }

  /** Cuts the connection now: what has not been delivered is lost. */
  public void cut(Direction direction, Cut how) {
    cutAfterBytes(direction, 0, how);
  }

  /** Resets the connection now, for both ends. */
  public void reset() {
    loop.locked(this::resetBoth);
  }

  /** Holds back everything that travels in a direction, its end too, until {@link #unstall}. */
  public void stall(Direction direction) {
    loop.locked(() -> pipe(direction).stall(true));
  }

  /** Lets a stalled direction flow again. */
  public void unstall(Direction direction) {
    loop.locked(() -> pipe(direction).stall(false));
  }

  /**
   * Holds everything back in a direction once {@code bytes} of it have been delivered.
   *
   * @param time for how long; null for ever
   */
  public void stallAfterBytes(Direction direction, long bytes, @Nullable Duration time) {
    loop.locked(() -> pipe(direction).after(bytes, () -> stallFor(pipe(direction), time)));
  }

  private void stallFor(Pipe pipe, @Nullable Duration time) {
    pipe.stall(true);
    if (time != null) {
      long until = loop.clock().nanoTime() + time.toNanos();
      loop.schedule(until, () -> loop.locked(() -> pipe.stall(false)));
    }
  }

  /**
   * Delivers nothing more in either direction once {@code bytes} of a direction have been
   * delivered; neither end is notified.
   */
  public void silenceAfterBytes(Direction direction, long bytes) {
    loop.locked(() -> pipe(direction).after(bytes, () -> {
      toServer.stall(true);
      toClient.stall(true);
    }));
  }

  /**
   * Slows a direction down from now on.
   *
   * @param bytes the most that is delivered at a time, at least 1
   * @param pause from one delivery to the next
   */
  public void trickle(Direction direction, int bytes, Duration pause) {
    if (bytes < 1 || pause.isNegative()) {
      throw new IllegalArgumentException(bytes + " bytes at a time every " + pause);
    }
    loop.locked(() -> pipe(direction).trickle(bytes, pause.toNanos()));
  }

  // ---- what happened

  /** How many bytes were written in a direction so far. */
  public long written(Direction direction) {
    loop.lock().lock();
    try {
      return pipe(direction).written();
    } finally {
      loop.lock().unlock();
    }
  }

  /** How many bytes of a direction the receiver's listener has been given so far. */
  public long delivered(Direction direction) {
    loop.lock().lock();
    try {
      return pipe(direction).delivered();
    } finally {
      loop.lock().unlock();
    }
  }

  /** Whether either end still holds its channel open. */
  public boolean isOpen() {
    return client.isOpen() || server.isOpen();
  }

  /** Whether the end that connected still holds its channel open. */
  public boolean isClientOpen() {
    return client.isOpen();
  }

  /** Whether the end that accepted still holds its channel open. */
  public boolean isServerOpen() {
    return server.isOpen();
  }

  /** The address of the end that connected. */
  public SocketAddress clientAddress() {
    return client.localAddress();
  }

  /** The address that was connected to. */
  public SocketAddress serverAddress() {
    return client.remoteAddress();
  }

  @Override
  public String toString() {
    return clientAddress() + " -> " + serverAddress();
  }

  // ---- for the ends

  SimChannel client() {
    return client;
  }

  SimChannel server() {
    return server;
  }

  Pipe pipe(Direction direction) {
    return switch (direction) {
      case TO_SERVER -> toServer;
      case TO_CLIENT -> toClient;
    };
  }

  /** Under the world's lock. */
  void resetBoth() {
    toServer.drop();
    toClient.drop();
    client.breakWith(new IOException(Pipe.RESET_TEXT));
    server.breakWith(new IOException(Pipe.RESET_TEXT));
  }
}
