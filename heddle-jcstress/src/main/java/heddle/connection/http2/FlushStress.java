package heddle.connection.http2;

import heddle.codec.Role;
import heddle.codec.http2.Http2Limits;
import heddle.codec.http2.Http2Session;
import heddle.codec.http2.Http2Stream;
import heddle.connection.MinimumRate;
import heddle.testkit.ManualChannel;
import heddle.transport.time.Deadline;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/** Two threads queue a frame each and compete to write: nothing is left behind. */
@JCStressTest
@Outcome(id = "true, 34", expect = Expect.ACCEPTABLE, desc = "both frames of 17 bytes are written")
@State
public class FlushStress {
  private final OrderingLock lock = new OrderingLock();
  private final Http2Session session = new Http2Session(Role.SERVER, Http2Limits.SERVER);
  private final AtomicInteger written = new AtomicInteger();
  private final Flush flush = new Flush(
      new ManualChannel(this::count),
      session,
      lock,
      Duration.ofSeconds(30),
      MinimumRate.OFF,
      new Owner());

  /** Only what the actors queue counts. */
  public FlushStress() {
    session.takeOutput();
  }

  private void count(ByteBuffer[] buffers) {
    for (ByteBuffer buffer : buffers) {
      written.addAndGet(buffer.remaining());
    }
  }

  private void queueAndFlush() {
    try (var _ = lock.hold()) {
      session.ping(1);
    }
    flush.run(false, Deadline.never());
  }

  /** A thread that sends. */
  @Actor
  public void first() {
    queueAndFlush();
  }

  /** Another one. */
  @Actor
  public void second() {
    queueAndFlush();
  }

  /** Whether nothing is left, and how many bytes were written. */
  @Arbiter
  public void look(ZI_Result result) {
    result.r1 = flush.isIdle();
    result.r2 = written.get();
  }

  private static final class Owner implements Flush.Owner {
    @Override
    public void onWritable(Http2Stream stream) {
      // There is no stream.
    }

    @Override
    public void onFlushed() {
      // No one waits for it.
    }

    @Override
    public void onBroken() {
      throw new IllegalStateException("broken");
    }
  }
}
