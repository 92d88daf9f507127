package heddle.server.accept;

import heddle.http.io.FileInput;
import heddle.transport.Channel;
import heddle.transport.ChannelListener;
import heddle.transport.ForwardingChannel;
import heddle.transport.PeerLog;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A channel from a trusted proxy, which first sends a header of the PROXY protocol. The listener
 * gets what comes after it, and from then on the channel has the addresses that the header names.
 * It is closed if the peer sends anything else first. The listener limits the time.
 */
final class ProxyHeaderChannel implements ForwardingChannel, ChannelListener {
  private static final PeerLog PEERS = PeerLog.of(ProxyHeaderChannel.class);

  private final Channel channel;
  private final Runnable onFault;
  private final ProxyHeaderParser parser = new ProxyHeaderParser();
  private volatile ProxyHeader header = ProxyHeader.UNKNOWN;

  // The loop's own, but for the listener, which is set before the channel is started.
  private @Nullable ChannelListener listener;
  private boolean headerRead;
  private boolean faulty;

  /**
   * @param onFault called on the loop if the peer sends no header, or a malformed one
   */
  ProxyHeaderChannel(Channel channel, Runnable onFault) {
    this.channel = channel;
    this.onFault = onFault;
  }

  @Override
  public void start(ChannelListener next) {
    listener = next;
    channel.start(this);
  }

  @Override
  public void onBytes(ByteBuffer bytes) {
    if (headerRead || isAfterHeader(bytes) && bytes.hasRemaining()) {
      listener().onBytes(bytes);
    }
  }

  private boolean isAfterHeader(ByteBuffer bytes) {
    if (faulty) {
      return false;
    }
    try {
      ProxyHeader read = parser.read(bytes);
      if (read != null) {
        header = read;
        headerRead = true;
      }
      return headerRead;
    } catch (ProtocolException e) {
      faulty = true;
      try {
        channel.close();
      } finally {
        onFault.run();
        PEERS.log(() -> "no PROXY header came from the trusted " + channel.remoteAddress(), e);
      }
      return false;
    }
  }

  private ChannelListener listener() {
    ChannelListener present = listener;
    if (present == null) {
      throw new IllegalStateException("the channel was not started");
    }
    return present;
  }

  @Override
  public long contentAhead() {
    return headerRead ? listener().contentAhead() : 0;
  }

  @Override
  public int readLimit() {
    return listener().readLimit();
  }

  @Override
  public void onEnd() {
    listener().onEnd();
  }

  @Override
  public void onClosed(@Nullable IOException cause) {
    listener().onClosed(cause);
  }

  @Override
  public Channel target() {
    return channel;
  }

  @Override
  public boolean sendsFiles() {
    return channel.sendsFiles();
  }

  @Override
  public void write(FileInput file, Deadline deadline) throws IOException {
    channel.write(file, deadline);
  }

  @Override
  public SocketAddress remoteAddress() {
    SocketAddress named = header.source();
    return named != null ? named : channel.remoteAddress();
  }

  @Override
  public SocketAddress localAddress() {
    SocketAddress named = header.destination();
    return named != null ? named : channel.localAddress();
  }

  @Override
  public String toString() {
    return channel.toString();
  }
}
