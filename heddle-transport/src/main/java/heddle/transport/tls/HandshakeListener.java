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
  /** Learns, on the loop, what happens to the channel before the protected one is started. */
  interface Owner {
    /** The peer has sent something, or ended the connection; called once at most. */
    void onFirstInput();

    /** The channel has closed; as {@link ChannelListener#onClosed}. */
    void onClosedEarly(@Nullable IOException cause);
  }

  private final HandshakeInput handshake;
  private final @Nullable Owner owner;

  private boolean inputSeen;
  private @Nullable TlsChannel listener;
  private boolean ended;
  private boolean closed;
  private @Nullable IOException cause;

  /** @param owner null if the thread that makes the handshake learns all that from its input */
  HandshakeListener(Channel channel, @Nullable Owner owner) {
    this.handshake = new HandshakeInput(channel);
    this.owner = owner;
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
    if (closed) {
      secure.onClosed(cause);
      return;
    }
    boolean done = false;
    try {
      boolean resume = handshake.moveTo(secure.heldRecords());
      if (resume || !secure.heldRecords().isEmpty()) {
        secure.goOn();
      }
      if (ended) {
        secure.onEnd();
      }
      done = true;
    } finally {
      if (!done) {
        secure.close();
      }
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
      noteInput();
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
      noteInput();
    }
  }

  private void noteInput() {
    if (!inputSeen && owner != null) {
      inputSeen = true;
      owner.onFirstInput();
    }
  }

  @Override
  public void onClosed(@Nullable IOException why) {
    closed = true;
    cause = why;
    TlsChannel secure = listener;
    if (secure != null) {
      secure.onClosed(why);
      return;
    }
    try {
      handshake.end(why);
    } finally {
      if (owner != null) {
        owner.onClosedEarly(why);
      }
    }
  }
}
