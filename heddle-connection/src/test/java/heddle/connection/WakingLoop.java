package heddle.connection;

import heddle.transport.ChunkPool;
import heddle.transport.Clock;
import heddle.transport.EventLoop;
import heddle.transport.Timer;
import java.util.concurrent.locks.LockSupport;

/** A loop that wakes threads and does nothing else. */
final class WakingLoop implements EventLoop {
  private final ChunkPool chunks = new ChunkPool();

  @Override
  public void unpark(Thread thread) {
    LockSupport.unpark(thread);
  }

  @Override
  public ChunkPool chunks() {
    return chunks;
  }

  @Override
  public Clock clock() {
    return Clock.system();
  }

  @Override
  public boolean inLoop() {
    return false;
  }

  @Override
  public void execute(Runnable task) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Timer newTimer(Runnable onFire) {
    throw new UnsupportedOperationException();
  }
}
