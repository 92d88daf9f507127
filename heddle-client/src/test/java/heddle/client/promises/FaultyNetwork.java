package heddle.client.promises;

import heddle.testkit.SimNetwork;
import heddle.transport.Channel;
import heddle.transport.ChannelListener;
import heddle.transport.EventLoop;
import heddle.transport.Network;
import heddle.transport.WriteProgress;
import heddle.transport.names.Resolver;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A network on which one step of those that calls take goes wrong: before and after a name is
 * looked up, an address connected to, bytes are written.
 */
final class FaultyNetwork {
  enum Fault {
    INTERRUPT,
    FAILURE,
    ERROR
  }

  private final SimNetwork network;
  private final Fault fault;
  private final AtomicInteger stepsToGo;

  /** @param step which one goes wrong, counted from 1 */
  FaultyNetwork(SimNetwork network, Fault fault, int step) {
    this.network = network;
    this.fault = fault;
    this.stepsToGo = new AtomicInteger(step);
  }

  /** What goes wrong that way. */
  Network asNetwork() {
    return network.lasting(this::connect);
  }

  /** Lets no step go wrong any more; whether one has. */
  boolean disarm() {
    return stepsToGo.getAndSet(Integer.MAX_VALUE) <= 0;
  }

  private void step() throws IOException {
    // What the loop writes is no step of a call.
    if (!network.loop().inLoop() && stepsToGo.decrementAndGet() == 0) {
      switch (fault) {
        case INTERRUPT -> Thread.currentThread().interrupt();
        case FAILURE -> throw new IOException("the network fails here");
        case ERROR -> throw new OutOfMemoryError("injected");
      }
    }
  }

  /** Every host is this one. */
  Resolver resolver() {
    return (host, deadline) -> {
      step();
      List<InetAddress> found = List.of(InetAddress.getLoopbackAddress());
      step();
      return found;
    };
  }

  private Channel connect(SocketAddress address, Deadline deadline) throws IOException {
    step();
    Channel channel = network.connect(address, deadline);
    try {
      step();
    } catch (IOException | Error e) {
      channel.close();
      throw e;
    }
    return new FaultyChannel(channel);
  }

  private final class FaultyChannel implements Channel {
    private final Channel channel;

    FaultyChannel(Channel channel) {
      this.channel = channel;
    }

    @Override
    public void write(ByteBuffer buffer, Deadline deadline) throws IOException {
      step();
      channel.write(buffer, deadline);
      step();
    }

    @Override
    public void write(ByteBuffer[] buffers, Deadline deadline) throws IOException {
      step();
      channel.write(buffers, deadline);
      step();
    }

    @Override
    public void start(ChannelListener listener) {
      channel.start(listener);
    }

    @Override
    public WriteProgress writeProgress() {
      return channel.writeProgress();
    }

    @Override
    public void pauseReading() {
      channel.pauseReading();
    }

    @Override
    public void resumeReading() {
      channel.resumeReading();
    }

    @Override
    public void shutdownOutput() {
      channel.shutdownOutput();
    }

    @Override
    public void close() {
      channel.close();
    }

    @Override
    public void abort() {
      channel.abort();
    }

    @Override
    public boolean isOpen() {
      return channel.isOpen();
    }

    @Override
    public SocketAddress localAddress() {
      return channel.localAddress();
    }

    @Override
    public SocketAddress remoteAddress() {
      return channel.remoteAddress();
    }

    @Override
    public EventLoop loop() {
      return channel.loop();
    }
  }
}
