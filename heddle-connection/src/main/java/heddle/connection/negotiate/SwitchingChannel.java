package heddle.connection.negotiate;

import heddle.transport.Channel;
import heddle.transport.ChannelListener;
import heddle.transport.ForwardingChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A channel that is started twice: by the protocol that it begins with, and by the one that the
 * peer has switched to, which gets the bytes that have already arrived for it. In between, the
 * first has stopped reading.
 */
final class SwitchingChannel implements ForwardingChannel, ChannelListener {
  private final Channel channel;

  /** What the second listener gets first; set by the thread that starts it, before it does. */
  ByteBuffer ahead = ByteBuffer.allocate(0);

  // Used by the loop only, except to set the first listener and to see that it is set.
  private @Nullable ChannelListener listener;
  private boolean closed;
  private @Nullable IOException closedBy;

  SwitchingChannel(Channel channel) {
    this.channel = channel;
  }

  @Override
  public void start(ChannelListener next) {
    if (listener == null) {
      listener = next;
      channel.start(this);
    } else {
      ByteBuffer first = ahead;
      channel.loop().execute(() -> change(next, first));
    }
  }

  private void change(ChannelListener next, ByteBuffer first) {
    listener = next;
    if (first.hasRemaining()) {
      next.onBytes(first);
    }
    if (closed) {
      next.onClosed(closedBy);
    } else {
      channel.resumeReading();
    }
  }

  private ChannelListener listener() {
    ChannelListener present = listener;
    if (present == null) {
      throw new IllegalStateException("the channel was not started");
    }
    return present;
  }

  // ---- events on the loop

  @Override
  public void onBytes(ByteBuffer bytes) {
    listener().onBytes(bytes);
  }

  @Override
  public long contentAhead() {
    return listener().contentAhead();
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
    closed = true;
    closedBy = cause;
    listener().onClosed(cause);
  }

  @Override
  public Channel target() {
    return channel;
  }

  @Override
  public String toString() {
    return channel.toString();
  }
}
