package heddle.connection.http1;

import heddle.connection.ConnectionMemory;
import heddle.connection.ConnectionMemory.Reason;
import heddle.connection.ContentReservation;
import heddle.connection.InboundBody;
import heddle.connection.WaitLimit;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The source of a request's body: the channel, once the client knows that it may send. The
 * connection handles unread content when the request is answered.
 */
record RequestSource(
    ConnectionMemory memory,
    ContentReservation collected,
    @Nullable ContinueGate gate,
    Duration silence)
    implements InboundBody.Source {
  @Override
  public void pause() {
    memory.pause(Reason.UNREAD_CONTENT);
  }

  @Override
  public void resume() {
    memory.resume(Reason.UNREAD_CONTENT);
  }

  @Override
  public void freed(int bytes) {
    memory.taken(bytes);
  }

  @Override
  public void awaited() throws IOException {
    if (gate != null) {
      gate.open();
    }
  }

  @Override
  public long checkWait(long since, long now) throws IOException {
    return WaitLimit.check(silence, since, now);
  }

  @Override
  public void reserve(int bytes) throws IOException {
    collected.growTo(bytes);
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
