package heddle.connection.http1;

import heddle.connection.InboundBody;
import heddle.transport.Channel;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Where the body of a request comes from: the channel, once the client knows that it may send. What
 * is left unread does not matter here: the connection sees to it when the request is answered.
 */
record RequestSource(Channel channel, @Nullable ContinueGate gate) implements InboundBody.Source {
  @Override
  public void pause() {
    channel.pauseReading();
  }

  @Override
  public void resume() {
    channel.resumeReading();
  }

  @Override
  public void awaited() throws IOException {
    if (gate != null) {
      gate.open();
    }
  }

  @Override
  public void consumed() {}

  @Override
  public void abandoned() {}

  @Override
  public IOException explain(Exception failure) {
    // The exchange recognizes its own failure by this instance when a handler passes it on.
    return failure instanceof IOException known ? known : new IOException(failure);
  }
}
