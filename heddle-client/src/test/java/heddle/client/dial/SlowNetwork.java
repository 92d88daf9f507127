package heddle.client.dial;

import heddle.testkit.SimNetwork;
import heddle.transport.Channel;
import heddle.transport.Network;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A simulated network of which some addresses answer late, and which counts the attempts. */
final class SlowNetwork {
  private final SimNetwork network;
  private final Map<SocketAddress, Duration> delays = new ConcurrentHashMap<>();
  private final Set<SocketAddress> broken = ConcurrentHashMap.newKeySet();
  private final List<String> begun = new CopyOnWriteArrayList<>();
  private final AtomicInteger underWay = new AtomicInteger();
  private volatile boolean ignoringInterrupts;

  SlowNetwork(SimNetwork network) {
    this.network = network;
  }

  /** What connects that way. */
  Network asNetwork() {
    return network.lasting(this::connect);
  }

  void delay(SocketAddress address, Duration time) {
    delays.put(address, time);
  }

  void breakDown(SocketAddress address) {
    broken.add(address);
  }

  void ignoreInterrupts() {
    ignoringInterrupts = true;
  }

  /** Each attempt, with the milliseconds at which it began. */
  List<String> begun() {
    return List.copyOf(begun);
  }

  /** Attempts that have not ended. */
  int underWay() {
    return underWay.get();
  }

  private Channel connect(SocketAddress address, Deadline deadline) throws IOException {
    underWay.incrementAndGet();
    begun.add(TimeUnit.NANOSECONDS.toMillis(network.clock().nanoTime()) + " " + address);
    try {
      if (broken.contains(address)) {
        throw new IllegalStateException("the network is broken");
      }
      sleep(delays.getOrDefault(address, Duration.ZERO));
      return network.connect(address, deadline);
    } finally {
      underWay.decrementAndGet();
    }
  }

  private void sleep(Duration time) throws IOException {
    Deadline until = network.after(time);
    while (!until.isPast(network.clock())) {
      try {
        network.sleep(Duration.ofNanos(until.remainingNanos(network.clock())));
      } catch (InterruptedIOException e) {
        if (!ignoringInterrupts) {
          throw e;
        }
        Thread.interrupted();
      }
    }
  }
}
