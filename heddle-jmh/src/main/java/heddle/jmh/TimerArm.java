package heddle.jmh;

import heddle.transport.EventLoop;
import heddle.transport.Timer;
import heddle.transport.tcp.TcpNetwork;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Arms a timer from outside its loop: for a later time, and a new one for each wait. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TimerArm {
  private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final TcpNetwork network = TcpNetwork.create();
  private final EventLoop loop = network.loop();
  private final Timer kept = loop.newTimer(() -> {});

  /** What a connection does for each exchange. */
  @Benchmark
  public void keptTimerForLater() {
    kept.arm(loop.clock().nanoTime() + SILENCE_NANOS);
  }

  /** The cost of a new timer per call. */
  @Benchmark
  public Timer newTimerEachTime() {
    Timer timer = loop.newTimer(() -> {});
    timer.arm(loop.clock().nanoTime() + SILENCE_NANOS);
    timer.cancel();
    return timer;
  }

  @TearDown
  public void closeNetwork() {
    network.close();
  }
}
