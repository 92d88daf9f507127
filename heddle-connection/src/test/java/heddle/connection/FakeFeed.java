package heddle.connection;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** Remembers what a queue told it. */
final class FakeFeed implements InboundBody.Source {
  volatile boolean paused;
  final AtomicInteger awaited = new AtomicInteger();
  final AtomicInteger taken = new AtomicInteger();
  final AtomicInteger freed = new AtomicInteger();

  @Override
  public void taken(int bytes) {
    taken.addAndGet(bytes);
  }

  @Override
  public void freed(int bytes) {
    freed.addAndGet(bytes);
  }

  @Override
  public void pause() {
    paused = true;
  }

  @Override
  public void resume() {
    paused = false;
  }

  @Override
  public void awaited() {
    awaited.incrementAndGet();
  }

  @Override
  public IOException explain(Exception failure) {
    return new IOException("explained", failure);
  }
}
