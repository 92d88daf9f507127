package heddle.verify.torture;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** One connection of an attacker. It never blocks for long. For one thread at a time. */
final class RawPeer implements AutoCloseable {
  private static final ByteBuffer DROPPED = ByteBuffer.allocateDirect(64 << 10);

  private final SocketChannel channel;
  private final AtomicLong bytesSent;
  private final ByteBuffer first = ByteBuffer.allocate(16);
  private boolean open = true;

  /** Units that {@link Assault#flood} has sent here. */
  int units;

  private RawPeer(SocketChannel channel, AtomicLong bytesSent) {
    this.channel = channel;
    this.bytesSent = bytesSent;
  }

  /** @param receiveBuffer of the socket, in bytes; 0 for the system's default */
  static RawPeer connect(InetSocketAddress server, AtomicLong bytesSent, int receiveBuffer)
      throws IOException {
    return connect(server, bytesSent, receiveBuffer, null);
  }

  /** @param from the address that the server sees; null for the system's choice */
  static RawPeer connect(
      InetSocketAddress server, AtomicLong bytesSent, int receiveBuffer, @Nullable String from)
      throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      if (from != null) {
        channel.bind(new InetSocketAddress(from, 0));
      }
      if (receiveBuffer > 0) {
        channel.setOption(StandardSocketOptions.SO_RCVBUF, receiveBuffer);
      }
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.setOption(StandardSocketOptions.SO_LINGER, 0);
      channel.socket().connect(server, 3_000);
      channel.configureBlocking(false);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    return new RawPeer(channel, bytesSent);
  }

  /** Sends what the server takes until the given time; false if that was not all. */
  boolean send(byte[] bytes, long untilNanos) throws InterruptedException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    try {
      while (open && buffer.hasRemaining()) {
        int written = channel.write(buffer);
        bytesSent.addAndGet(written);
        if (written == 0) {
          if (System.nanoTime() > untilNanos) {
            return false;
          }
          Thread.sleep(1);
        }
      }
    } catch (IOException e) {
      open = false;
    }
    return open;
  }

  /** Sends as much as the server takes now. */
  void offer(ByteBuffer buffer) {
    try {
      if (open) {
        bytesSent.addAndGet(channel.write(buffer));
      }
    } catch (IOException e) {
      open = false;
    }
  }

  /** Reads at most this many bytes of what has come; notices the end of the connection. */
  void take(int bytes) {
    try {
      if (open && channel.read(DROPPED.clear().limit(bytes)) < 0) {
        open = false;
      }
    } catch (IOException e) {
      open = false;
    }
  }

  /** Reads and drops what has come; notices the end of the connection. */
  void drop() {
    try {
      int read = 1;
      while (open && read > 0) {
        ByteBuffer into = first.hasRemaining() ? first : DROPPED.clear();
        read = channel.read(into);
        if (read < 0) {
          open = false;
        }
      }
    } catch (IOException e) {
      open = false;
    }
  }

  /** Whether the server has not ended the connection, as far as {@link #drop} has seen. */
  boolean isOpen() {
    return open;
  }

  /** The first bytes that came, at most 16. */
  byte[] firstBytes() {
    return Arrays.copyOf(first.array(), first.position());
  }

  /** Breaks the connection with a reset. */
  @Override
  public void close() {
    open = false;
    try {
      channel.close();
    } catch (IOException e) {
      // Nothing more is done with it.
    }
  }
}
