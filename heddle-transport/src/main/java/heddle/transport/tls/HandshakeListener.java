package heddle.transport.tls;

import heddle.transport.Channel;
import heddle.transport.ChannelListener;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Listens to a channel from its start: for the handshake first, and then, once the protected
 * channel is started, for that one. Used by the loop only.
 */
final class HandshakeListener implements ChannelListener {
  private final HandshakeInput handshake;
  private final Runnable onFirstNews;

  private boolean newsHeard;
  private @Nullable TlsChannel listener;
  private boolean ended;
  private boolean closed;
  private @Nullable IOException cause;

  /**
   * @param onFirstNews run once, on the loop, at the first event of the channel
   */
  HandshakeListener(Channel channel, Runnable onFirstNews) {
    this.handshake = new HandshakeInput(channel);
    this.onFirstNews = onFirstNews;
  }

  HandshakeInput handshake() {
    return handshake;
  }

  /**
   * Passes what the channel brought after the handshake, and all that follows, to the protected
   * channel.
   */
  void turnTo(TlsChannel secure) {
    listener = secure;
    boolean resume = handshake.moveTo(secure.heldRecords());
    if (closed) {
      secure.onClosed(cause);
      return;
    }
    if (resume || !secure.heldRecords().isEmpty()) {
      secure.goOn();
    }
    if (ended) {
      secure.onEnd();
    }
  }

  @Override
  public int readLimit() {
    TlsChannel secure = listener;
    return secure == null ? HandshakeInput.READ_LIMIT : secure.readLimit();
  }

  @Override
  public void onBytes(ByteBuffer bytes) {
    TlsChannel secure = listener;
    if (secure != null) {
      secure.onBytes(bytes);
    } else {
      handshake.append(bytes);
      news();
    }
  }

  @Override
  public void onEnd() {
    ended = true;
    TlsChannel secure = listener;
    if (secure != null) {
      secure.onEnd();
    } else {
      handshake.end(null);
      news();
    }
  }

  @Override
  public void onClosed(@Nullable IOException why) {
    closed = true;
    cause = why;
    TlsChannel secure = listener;
    if (secure != null) {
      secure.onClosed(why);
    } else {
      handshake.end(why);
      news();
    }
  }

  private void news() {
    if (!newsHeard) {
      newsHeard = true;
      onFirstNews.run();
    }
  }
}
