package heddle.load.cluster.remote;

import heddle.load.cluster.crew.Answer;
import heddle.load.cluster.crew.LineChannel;
import heddle.load.cluster.crew.Order;
import heddle.load.cluster.crew.Peer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A worker on another host, over TCP. Its clock is compared with that of this machine. */
public final class RemotePeer implements Peer {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** One of these is not delayed by anything but the network. */
  private static final int EXCHANGES = 16;

  private final InetSocketAddress address;
  private final Socket socket;
  private final LineChannel channel;
  private Clock clock = new Clock(Duration.ZERO, PATIENCE);

  private RemotePeer(InetSocketAddress address, Socket socket, LineChannel channel) {
    this.address = address;
    this.socket = socket;
    this.channel = channel;
  }

  /**
   * The clock of a worker.
   *
   * @param ahead how far it is ahead of the clock of this machine; may be negative
   * @param uncertainty how far that may be wrong, in either direction
   */
  public record Clock(Duration ahead, Duration uncertainty) {}

  /**
   * Connects to a worker and compares the clocks.
   *
   * @throws IOException if there is none, it is busy, or the secrets differ; the message names it
   * @throws IllegalArgumentException if there is no secret and the address is not of this machine
   */
  public static RemotePeer connect(InetSocketAddress address, Secret secret) throws IOException {
    String name = name(address);
    if (address.isUnresolved()) {
      throw new IOException("the worker " + name + " has no address: its name is unknown");
    }
    secret.requireFor(address.getAddress());
    Socket socket = new Socket();
    boolean isOpen = false;
    try {
      socket.connect(address, (int) PATIENCE.toMillis());
      LineChannel channel = Handshake.open(socket, secret, PATIENCE);
      RemotePeer peer = new RemotePeer(address, socket, channel);
      peer.compareClocks();
      isOpen = true;
      return peer;
    } catch (IOException e) {
      throw new IOException(
          "the worker " + name + " cannot be used, it may be busy with another load: "
              + e.getMessage(),
          e);
    } finally {
      if (!isOpen) {
        socket.close();
      }
    }
  }

  /** Such as {@code 10.0.0.7:7000}. */
  public static String name(InetSocketAddress address) {
    return address.getHostString() + ":" + address.getPort();
  }

  private void compareClocks() throws IOException {
    for (int i = 0; i < EXCHANGES; i++) {
      Instant before = Instant.now();
      long began = System.nanoTime();
      channel.send(new Order.Clock());
      if (!(channel.receive(Answer.class) instanceof Answer.Clock(Instant theirs))) {
        throw new IOException("it does not tell its time");
      }
      Duration half = Duration.ofNanos((System.nanoTime() - began) / 2);
      if (half.compareTo(clock.uncertainty) < 0) {
        clock = new Clock(Duration.between(before.plus(half), theirs), half);
      }
    }
  }

  /** Lets it start the process that makes the load with these arguments. */
  public void load(List<String> arguments) throws IOException {
    channel.send(new Order.Load(arguments));
  }

  /** Its clock. */
  public Clock clock() {
    return clock;
  }

  @Override
  public Duration ahead() {
    return clock.ahead;
  }

  @Override
  public LineChannel channel() {
    return channel;
  }

  @Override
  public String lastWords() {
    return "the connection to the worker " + name(address) + " ended";
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException("the connection to " + name(address) + " stays open", e);
    }
  }
}
