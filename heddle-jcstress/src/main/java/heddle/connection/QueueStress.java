package heddle.connection;

import heddle.http.Headers;
import heddle.testkit.ManualLoop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** The loop adds content and ends it while a reader waits for it: the reader gets all and wakes. */
@JCStressTest
@Outcome(id = "3", expect = Expect.ACCEPTABLE, desc = "all bytes and the end were read")
@State
public class QueueStress {
  private final InboundQueue queue = new InboundQueue(new Feed(), new ManualLoop(), 1_000);

  /** The loop. */
  @Actor
  public void loop() {
    queue.append(ByteBuffer.wrap(new byte[2]));
    queue.append(ByteBuffer.wrap(new byte[1]));
    queue.end(Headers.empty());
  }

  /** The reader; hangs if it is not woken. */
  @Actor
  public void reader(I_Result result) {
    try {
      byte[] target = new byte[8];
      for (int count = queue.read(target, 0, 8); count >= 0; count = queue.read(target, 0, 8)) {
        result.r1 += count;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Is never paused, as so little comes. */
  private static final class Feed implements InboundBody.Source {
    @Override
    public void taken(int bytes) {
      // There is no window to open.
    }

    @Override
    public void pause() {
      throw new IllegalStateException("paused");
    }

    @Override
    public void resume() {
      throw new IllegalStateException("resumed");
    }

    @Override
    public void awaited() {
      // No one is to be told.
    }

    @Override
    public IOException explain(Exception failure) {
      return new IOException(failure);
    }
  }
}
