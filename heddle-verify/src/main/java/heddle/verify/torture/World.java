package heddle.verify.torture;

import heddle.testkit.SimNetwork;
import heddle.transport.Network;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Where an exchange takes place. */
interface World {
  Network network();

  /** Starts the handlers of a server. */
  Executor executor();

  void sleep(Duration time) throws IOException, InterruptedException;

  long nanoTime();

  /** Does something that may hang; false if it has not ended after this time. */
  boolean inTime(Runnable what, Duration time) throws Exception;

  /** Does all that is done in this world. */
  void run(SimNetwork.Action action) throws Exception;

  void close();

  /** Sockets, threads and time of the machine. Time does not count while the machine stalls. */
  record Real(Network network, Stalls stalls) implements World {
    Real(Stalls stalls) {
      this(TcpNetwork.create(), stalls);
    }

    @Override
    public Executor executor() {
      return Thread.ofVirtual()::start;
    }

    @Override
    public void sleep(Duration time) throws InterruptedException {
      Thread.sleep(time);
    }

    @Override
    public long nanoTime() {
      long now = System.nanoTime();
      return now - stalls.nanosWithin(0, now);
    }

    @Override
    public boolean inTime(Runnable what, Duration time) throws Exception {
      var task = new FutureTask<>(what, true);
      Thread.ofPlatform().daemon().name("torture-task").start(task);
      try {
        return task.get(time.toMillis(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        return false;
      } catch (ExecutionException e) {
        throw new IllegalStateException(e.getCause());
      }
    }

    @Override
    public void run(SimNetwork.Action action) throws Exception {
      action.run();
    }

    @Override
    public void close() {
      network.close();
    }
  }

  /** A simulated world in which the same happens each time, on its own clock. */
  record Simulated(SimNetwork world) implements World {
    private static final Duration LATENCY = Duration.ofMillis(1);

    Simulated(long seed) {
      this(SimNetwork.builder()
          .seed(seed)
          .deterministic()
          .latency(LATENCY, LATENCY)
          .build());
    }

    @Override
    public Network network() {
      return world.lasting();
    }

    @Override
    public Executor executor() {
      return world.executor();
    }

    @Override
    public void sleep(Duration time) throws IOException {
      world.sleep(time);
    }

    @Override
    public long nanoTime() {
      return world.clock().nanoTime();
    }

    @Override
    public boolean inTime(Runnable what, Duration time) {
      long start = nanoTime();
      what.run();
      return nanoTime() - start <= time.toNanos();
    }

    @Override
    public void run(SimNetwork.Action action) throws Exception {
      world.run(action);
    }

    /** What was thrown on the loop was meant to be. */
    @Override
    public void close() {
      try {
        world.close();
      } catch (AssertionError e) {
        if (!Fault.isBehind(e)) {
          throw e;
        }
      }
    }
  }
}
